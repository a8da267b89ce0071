"""Below the table of routes: a GTFS file that has lines for some of them, or no map."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from core.geodata.route_lines import require_route_lines
from core.hats.places import LABELLED
from core.progress import Progress
from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.kit.spec_words import help_of
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import counted, whole
from ui.layout.boxes import in_row
from ui.session.session import Session


class RouteLinesBar(QWidget):
    """Edits the draft's timetable; seen where places are labels of a column."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.note = label(look="muted", parent=self)
        self.add = push_button(self.tr("Add GTFS file…"), self, self._ask)
        self.add.setToolTip(in_lines(help_of("hats.shapes")))
        self.remove = push_button(self.tr("Remove lines"), self, lambda: self._edit(""))
        in_row(self, (self.note, 1), self.remove, self.add)
        self._looking = Stage(self, self._edit, failed=session.failed)
        self._looking.finished.connect(lambda: self.add.setEnabled(True))
        for signal in (session.draft_changed, session.contributions_changed):
            signal.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        session, file = self._session, self._session.draft.shapes
        self.setVisible(session.draft.place_kind == LABELLED and session.has_data)
        self.remove.setVisible(bool(file))
        self.add.setText(self.tr("Other GTFS file…") if file else self.tr("Add GTFS file…"))
        overview = session.overview
        if not file:
            self.note.setText(
                self.tr("No map: the records have no lines for these places. A GTFS file adds them.")
            )
        elif overview is not None:
            ids = overview.places.ids
            drawn = sum(place in session.outlines for place in ids)
            self.note.setText(
                counted(
                    "{file} has lines for {drawn} of {n} place.",
                    "{file} has lines for {drawn} of {n} places.",
                    len(ids),
                    file=Path(file).name,
                    drawn=whole(drawn),
                )
            )

    def _ask(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Timetable with lines"), "", self.tr("Timetables (*.zip);;All files (*)")
        )
        if path:
            self.take_file(Path(path))

    def take_file(self, path: Path) -> None:
        """Take the lines of this timetable, once it is seen to have some."""

        def look(_: Progress) -> str:
            require_route_lines(path)
            return str(path)

        self.add.setEnabled(False)
        self._looking.start(look, what=self.tr("Reading the timetable…"))

    def _edit(self, file: str) -> None:
        self._session.edit(self.tr("Lines"), shapes=file)
