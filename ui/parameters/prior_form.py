"""What is publicly known of the city, typed or from a file, never from the records, not even old ones."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton, QSpinBox, QWidget

from core.errors import InputError
from core.prior.public_prior import PRIOR_NUMBERS
from core.prior.public_source import SourceKind, SourceRequest, source_kind
from core.prior.timetable import PING_SECONDS
from core.privacy import Unit
from ui.kit.labels import label, plain_label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column, in_form
from ui.session.session import Session

_MOST = 10**9
_TYPED, _ZIP, _FOLDER, _BUNDLE, _CSV = "typed", "zip", "folder", "bundle", "csv"


class PriorForm(QWidget):
    """Edits `Draft.prior`; every number begins untyped, and no record has a part in any."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.kind = ListBox(self)
        self.kind.setAccessibleName(self.tr("Where public counts come from"))
        for kind, title in (
            (_TYPED, self.tr("Typed numbers")),
            (_ZIP, self.tr("GTFS timetable: zip archive")),
            (_FOLDER, self.tr("GTFS timetable: folder")),
            (_BUNDLE, self.tr("Older release with “Presence too”")),
            (_CSV, self.tr("File of public counts (CSV)")),
        ):
            self.kind.addItem(title, kind)
        shrinkable(self.kind)
        self.kind.activated.connect(self._choose_kind)
        self.place = QPushButton(self)
        self.place.clicked.connect(self._ask_place)
        self.seconds = QSpinBox(self)
        self.seconds.setRange(PING_SECONDS.start, PING_SECONDS.stop - 1)
        self.seconds.setSuffix(self.tr(" s"))
        self.seconds.setKeyboardTracking(False)
        self.seconds.valueChanged.connect(lambda value: self._edit_source(seconds_per_ping=value))
        self.key = QLineEdit(self, placeholderText=self.tr("optional: checks the signer"))
        self.key.editingFinished.connect(lambda: self._edit_source(public_key=self.key.text().strip()))
        self.numbers = {name: self._number(name) for name in PRIOR_NUMBERS}
        self.note = label(
            self.tr(
                "Never take these from the records, not even from old ones. A wrong guess makes "
                "results less accurate, not less private."
            ),
            "muted",
        )
        self._form = in_form()
        self._form.addRow(self.place)
        self._captions: dict[QWidget, QLabel] = {}
        for box in (*self.numbers.values(), self.seconds, self.key):
            caption = plain_label()
            caption.setBuddy(box)
            self._captions[box] = caption
            self._form.addRow(caption, box)
        in_column(self, self.note, self.kind, self._form)
        self.refresh()

    def _number(self, name: str) -> QSpinBox:
        box = QSpinBox(self, maximum=_MOST)
        box.setSpecialValueText(self.tr("not typed"))
        box.setGroupSeparatorShown(True)
        box.setKeyboardTracking(False)
        box.valueChanged.connect(lambda value: self._edit(**{name: value}))
        return box

    def refresh(self) -> None:
        """Show the draft's, wherever it was changed."""
        prior, by_day = self._session.draft.prior, self._session.draft.unit is Unit.VEHICLE_DAY
        for name, box in self.numbers.items():
            _show_number(box, getattr(prior, name))
        _show_number(self.seconds, prior.source.seconds_per_ping)
        self.key.setText(prior.source.public_key)
        texts: tuple[tuple[QWidget, str], ...] = (
            (self.numbers["fleet"], self.tr("Vehicle-days in all") if by_day else self.tr("Vehicles in all")),
            (self.numbers["vehicles"], self.tr("Vehicles per hexagon slot")),
            (self.numbers["records"], self.tr("Records per vehicle and slot")),
            (self.seconds, self.tr("A ping every")),
            (self.key, self.tr("Publisher's key")),
        )
        for editor, text in texts:
            self._captions[editor].setText(text)
            editor.setAccessibleName(text)
        if prior.source.path:
            self.kind.setCurrentIndex(self.kind.findData(_kind_of(prior.source)))
        elif prior.enough:
            self.kind.setCurrentIndex(self.kind.findData(_TYPED))
        self.place.setText(Path(prior.source.path).name or self.tr("Choose…"))
        self.place.setToolTip(in_lines(prior.source.path))
        self._show_kind()

    @property
    def _kind(self) -> str:
        return str(self.kind.currentData())

    def _show_kind(self) -> None:
        kind, show = self._kind, self._form.setRowVisible
        show(self.place, kind != _TYPED)
        show(self.numbers["vehicles"], kind == _TYPED)
        show(self.numbers["records"], kind in (_TYPED, _BUNDLE))
        show(self.seconds, kind in (_ZIP, _FOLDER))
        show(self.key, kind == _BUNDLE)

    def _choose_kind(self) -> None:
        source = self._session.draft.prior.source
        if source.path and _kind_of(source) != self._kind:
            self._edit(source=SourceRequest())
        self._show_kind()

    def _ask_place(self) -> None:
        path, title = "", self.kind.currentText()
        if self._kind in (_FOLDER, _BUNDLE):
            path = QFileDialog.getExistingDirectory(self, title)
        else:
            kinds = self.tr("Archives (*.zip)") if self._kind == _ZIP else self.tr("Tables (*.csv)")
            path, _ = QFileDialog.getOpenFileName(
                self, title, "", self.tr("{kinds};;All files (*)").format(kinds=kinds)
            )
        if path:
            self._edit_source(path=path)

    def _edit_source(self, **changes: Any) -> None:
        self._edit(source=dataclasses.replace(self._session.draft.prior.source, **changes))

    def _edit(self, **changes: Any) -> None:
        prior = dataclasses.replace(self._session.draft.prior, **changes)
        self._session.edit(self.tr("Public counts"), dragging=True, prior=prior)


def _show_number(box: QSpinBox, value: int) -> None:
    box.blockSignals(True)
    box.setValue(value)
    box.blockSignals(False)


def _kind_of(source: SourceRequest) -> str:
    """What lies there; a path that is gone counts as a file."""
    path = Path(source.path)
    try:
        kind = source_kind(path)
    except InputError:
        return _CSV
    if kind is SourceKind.TIMETABLE:
        return _FOLDER if path.is_dir() else _ZIP
    return _BUNDLE if kind is SourceKind.RELEASE else _CSV
