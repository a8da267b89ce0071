"""What was typed and refused: it still stands in its field, while the draft is that of before."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from core.errors import HexveilError


class RefusedInputs(QObject):
    """Fields say what they refuse, and when that is mended: only they know what they show."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._errors: dict[QObject, HexveilError] = {}

    @property
    def first(self) -> HexveilError | None:
        """Why the oldest of them was refused; None while no field shows such a text."""
        return next(iter(self._errors.values()), None)

    def says(self, field: QObject) -> bool:
        """Whether that field shows a refused text."""
        return field in self._errors

    def note(self, field: QObject, error: HexveilError) -> None:
        """The field shows what is not in the draft."""
        self._errors[field] = error
        self.changed.emit()

    def mend(self, field: QObject) -> bool:
        """The field shows the draft again; False where it always did."""
        if self._errors.pop(field, None) is None:
            return False
        self.changed.emit()
        return True
