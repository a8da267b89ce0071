"""Asks where records are now: a project is opened, and they are not where it says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from ui.data.fact_card import breakable
from ui.language.translation import counted
from ui.session.open_project import Opening

_LISTED = 5


class MovedQuestion(QMessageBox):
    """Tells what is missing and where it was looked for; the place is asked for once it is closed."""

    def __init__(self, opening: Opening, parent: QWidget) -> None:
        super().__init__(parent)
        self._looked = opening.looked
        self.setIcon(QMessageBox.Icon.Question)
        self.setTextFormat(Qt.TextFormat.PlainText)  # a name of a file may look like anything
        self.setWindowTitle(self.tr("Hexveil"))
        self.setText(
            counted(
                "{n} file of this project is not where it was. Where is it now?",
                "{n} files of this project are not where they were. Where are they now?",
                len(opening.missing),
            )
        )
        parts = [_listed(opening.missing)]
        if opening.looked:
            parts.append(self.tr("Looked for there, and in:") + "\n" + _listed(opening.looked))
        parts.append(self.tr("All choices stay as they are. Save the project afterwards to keep the place."))
        self.setInformativeText("\n\n".join(parts))
        self._files = self.addButton(self.tr("Choose &files…"), QMessageBox.ButtonRole.AcceptRole)
        self._folder = self.addButton(self.tr("Choose a f&older…"), QMessageBox.ButtonRole.AcceptRole)
        self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(self._files if len(opening.missing) == 1 else self._folder)

    def ask_place(self) -> tuple[Path, ...] | None:
        """The files or the folder that are chosen now, none if that is given up; None after *Cancel*."""
        start = str(self._looked[-1]) if self._looked else ""
        clicked, parent = self.clickedButton(), self.parentWidget()
        if clicked is self._files:
            kinds = self.tr("All files (*)")
            names, _ = QFileDialog.getOpenFileNames(parent, self.tr("Where are the files now?"), start, kinds)
            return tuple(map(Path, names))
        if clicked is self._folder:
            name = QFileDialog.getExistingDirectory(parent, self.tr("In which folder are they now?"), start)
            return (Path(name),) if name else ()
        return None


def _listed(paths: Sequence[Path]) -> str:
    """A line each, of many only the first ones."""
    lines = [breakable(str(path)) for path in paths[:_LISTED]]
    if len(paths) > _LISTED:
        more = len(paths) - _LISTED
        lines.append(counted("and {n} more", "and {n} more", more))
    return "\n".join(lines)
