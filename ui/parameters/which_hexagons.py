"""Section *Which hexagons*: how many slots are selected, with a single vehicle, suppressed, in regions."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData, QSignalBlocker, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QStandardItemModel
from PySide6.QtWidgets import QFileDialog, QFormLayout, QPushButton, QSizePolicy, QSpinBox, QWidget

from core.accounting.zcdp import OF_DELTA
from core.advice.forecast import Forecast
from core.errors import HexveilError
from core.hats.places import HEXAGON
from core.privacy import Relation
from core.selection.boundary import Boundary
from core.selection.cells import RULE as LISTED
from core.selection.registry import all_rules
from ui.kit.labels import label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.message_bar import MessageBar
from ui.kit.spec_words import caption_of, help_of, label_of
from ui.kit.tips import in_lines
from ui.language.counted_words import counted_hexagons
from ui.language.translation import core_text, counted, percent, stopped, whole
from ui.layout.boxes import in_column, in_form
from ui.layout.half_ink import HalfInk, draw_faintly
from ui.parameters.candidates import Candidates
from ui.parameters.dates_and_hours import of_place, of_window
from ui.parameters.groups_box import GroupsBox
from ui.parameters.record_filter_box import RecordFilterBox
from ui.parameters.table_lock import lock
from ui.session.guards.parameters import TYPED_HEXAGONS, TYPED_WINDOW
from ui.session.guards.reasons import first_reason
from ui.session.selected_counts import counts_of_regions, selected_counts, suppressed_count
from ui.session.session import Session
from ui.session.step_notes import hexagons_note

_MOST_THRESHOLD = 100_000
_MORE_THAN_ONE = 2


class WhichHexagons(QWidget):
    """Edits the draft's selection; says immediately what it leaves. `summarised(str)`: that in short.

    A GeoJSON file dropped on it becomes the boundary; any other drop goes on to the window.
    """

    summarised = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setAcceptDrops(True)
        self.message = MessageBar(self)
        self._build_editors()
        self._outcome = label(look="heading")
        self._detail = label(look="muted")
        in_column(
            self, self._selection_form(), self._outcome, self._detail, self.message, margins=(0, 0, 0, 6)
        )
        self.ink = HalfInk(
            lambda: session.planning.is_of_before, self
        )  # smoothing changes no number of these
        session.planning.on_aged(self.ink.follow)
        self.let_fade(self._outcome)
        self.let_fade(self._detail)

    def let_fade(self, figures: QWidget) -> None:
        """At half ink while they are of the choices before."""
        self.ink.changed.connect(partial(draw_faintly, figures))

    def _build_editors(self) -> None:
        self.rule = ListBox(self)
        for rule in all_rules().values():
            self.rule.addItem(core_text(rule.title), rule.key)
        self.rule.activated.connect(self._edit_rule)
        self.cells_file = QPushButton(self)
        self.cells_file.clicked.connect(lambda: self._choose_file(self._session.draft.rule))
        self.candidates = Candidates(self._session, self)
        self.candidates.file_wanted.connect(self._choose_file)
        self.candidates.refused.connect(self.message.show_error)
        self.threshold = self._number("selection.threshold", "threshold")
        self.minimum = self._number("selection.minimum_vehicles", "minimum_vehicles")
        self.groups, self.filter = GroupsBox(self._session, self), RecordFilterBox(self._session, self)
        for part in (self.groups, self.filter):
            part.refused.connect(self.message.show_error)
        # its usual policy insists on room for the largest threshold there can be
        self.threshold.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        shrinkable(self.rule)

    def _number(self, path: str, name: str) -> QSpinBox:
        made = QSpinBox(self, minimum=1, maximum=_MOST_THRESHOLD)
        made.setKeyboardTracking(False)
        made.valueChanged.connect(
            lambda value: self._session.edit(caption_of(path), dragging=True, **{name: value})
        )
        return made

    def _selection_form(self) -> QFormLayout:
        form = in_form(down=5)
        form.addRow(self.tr("Candidates"), self.candidates)
        for path, editor in (
            ("selection.rule", self.rule),
            ("selection.threshold", self.threshold),
            ("selection.file", self.cells_file),
            ("selection.minimum_vehicles", self.minimum),
        ):
            form.addRow(label_of(path), editor)
            editor.setToolTip(in_lines(help_of(path)))
        form.addRow(self.tr("Apart by"), self.groups)
        form.addRow(self.tr("Records"), self.filter)
        self._form = form
        return form

    def refresh(self) -> None:
        """Show the draft, wherever it was changed."""
        draft = self._session.draft
        typed, file = draft.relation is Relation.USER, all_rules()[draft.rule].cell_file
        self._offer_rules(hexagons=draft.place_kind == HEXAGON)
        self.rule.setCurrentIndex(self.rule.findData(draft.rule))
        a_day = counted(" vehicle/day", " vehicles/day", draft.threshold)
        self.threshold.setSuffix("" if typed else a_day)
        with QSignalBlocker(self.threshold), QSignalBlocker(self.minimum):
            self.threshold.setValue(draft.threshold)
            self.minimum.setValue(draft.minimum_vehicles)
        self.cells_file.setText(Path(draft.cells_file).name or self.tr("Choose file…"))
        self.cells_file.setToolTip(in_lines(f"{core_text(file.title)}\n{draft.cells_file}" if file else ""))
        self.groups.refresh()
        self.filter.refresh()
        lock({self.groups: "", self.filter: ""}, locked=self._session.table is not None)
        self._form.setRowVisible(self.candidates, typed)
        for editor in (self.rule, self.minimum):
            self._form.setRowVisible(editor, not typed)
        self._form.setRowVisible(self.threshold, typed or file is None)
        self._form.setRowVisible(self.cells_file, file is not None and not typed)
        if typed:
            self.candidates.refresh()

    def _offer_rules(self, *, hexagons: bool) -> None:
        """A boundary holds hexagons alone."""
        items = self.rule.model()
        assert isinstance(items, QStandardItemModel)
        for row, rule in enumerate(all_rules().values()):
            self.rule.setItemText(row, core_text(rule.title))
            items.item(row).setEnabled(hexagons or rule.cell_file is None or rule.key == LISTED.key)

    def show_outcome(self) -> None:
        """What the newest forecast selects."""
        shown = self._session.forecast
        known = shown is not None and shown.selection is not None
        note = (
            hexagons_note(shown, self._session.draft.minimum_vehicles) if shown is not None and known else ""
        )
        names = ", ".join(one.name for one in self.filter.filters)
        filtered = self.tr("only some records, by {columns}").format(columns=names) if names else ""
        self.summarised.emit("; ".join(filter(None, (note, filtered))))
        if self._session.draft.relation is Relation.USER:
            self._show_candidates()
            return
        problem, shown = self._session.planning.problem, self._session.forecast
        selection = shown.selection if shown else None
        of_selection = problem is not None and problem.where.startswith("selection")
        if of_selection or (problem is not None and selection is None and not _said_elsewhere(problem)):
            self.message.show_error(problem)
        else:
            self.message.clear()
        if selection is None or shown is None:
            self._outcome.setText("")
            self._detail.setText("")
            return
        # sorted by cell, and perhaps millions: counted without sorting anew
        hexagons = 1 + int(np.count_nonzero(np.diff(selection.cell)))
        recorded, empty = selected_counts(selection)
        least = self._session.draft.minimum_vehicles
        few, alone = suppressed_count(shown, least), shown.single_vehicle
        shown_once = few == alone and least == _MORE_THAN_ONE  # fewer than two are a single one
        self._outcome.setText(
            counted(
                "{hats} of {n} hexagon slot selected",
                "{hats} of {n} hexagon slots selected",
                len(shown.overview.cells),
                hats=whole(recorded),
            )
        )
        lines = [
            self.tr("in {hexagons}; {single}").format(
                hexagons=counted_hexagons(hexagons),
                # of what is selected: others with a single vehicle are seen on the map
                single=self._alone(alone, suppressed=shown_once),
            )
        ]
        if few and not shown_once:
            lines.append(
                counted(
                    "{n} of them has fewer than {least} vehicles: published as suppressed",
                    "{n} of them have fewer than {least} vehicles: published as suppressed",
                    few,
                    least=least,
                )
            )
        if empty:
            lines.append(
                self.tr("{empty} more without records: published as suppressed").format(empty=whole(empty))
            )
        lines += self._of_regions(shown)
        if loaded := self._session.loaded:  # a table knows no others than its own
            retained, of_all = int(shown.overview.records.sum()), len(loaded.records)
            # one decimal, as Distributions tells it; rounded down: 100 leaves none out
            share = percent(1) if retained == of_all else percent(1000 * retained // of_all / 1000, 1)
            lines.append(self.tr("{share} of records are in these dates and hours").format(share=share))
        self._detail.setText("\n".join(lines))

    def _alone(self, slots: int, *, suppressed: bool) -> str:
        """How many of the selected hexagon slots hold one vehicle; suppressed: none else is."""
        if not slots:
            return self.tr("none has only one vehicle")
        if suppressed:
            return counted(
                "{n} of these slots has a single vehicle: published as suppressed",
                "{n} of these slots have a single vehicle: published as suppressed",
                slots,
            )
        return counted(
            "{n} of these slots has a single vehicle", "{n} of these slots have a single vehicle", slots
        )

    def _show_candidates(self) -> None:
        """What is typed leaves so many HATs, whatever the records are; or what is still missing."""
        problem, shown = self._session.planning.problem, self._session.forecast
        selection = shown.selection if shown else None
        reason = first_reason(self._session, TYPED_HEXAGONS)
        if problem is not None and selection is None and reason is None and not _said_elsewhere(problem):
            self.message.show_error(problem)  # what nobody has typed yet is no mistake
        else:
            self.message.clear()
        if selection is None or reason is not None:
            self._outcome.setText(reason.what if reason else "")
            self._detail.setText(" ".join([reason.mend, *self._of_map_before()]) if reason else "")
            return
        hexagons = 1 + int(np.count_nonzero(np.diff(selection.cell)))
        self._outcome.setText(
            counted(
                "{n} candidate hexagon slot in {hexagons}",
                "{n} candidate hexagon slots in {hexagons}",
                len(selection),
                hexagons=counted_hexagons(hexagons),
            )
        )
        if text := self._of_regions(shown):
            self._detail.setText("\n".join(map(stopped, text)))
            return
        self._detail.setText(
            self.tr(
                "Each gets a row, with or without records. A hexagon slot is published if its noisy "
                "number of vehicles (or records) reaches {threshold}."
            ).format(threshold=self._session.draft.threshold)
        )

    def _of_map_before(self) -> list[str]:
        """That hexagons on the map are none of this draft, where zone or dates are still open."""
        if self._session.contributions is None or first_reason(self._session, TYPED_WINDOW) is None:
            return []
        return [self.tr("Until then the map shows what was counted before.")]

    def _of_regions(self, shown: Forecast | None) -> list[str]:
        """What is published where that is not what the rule selects: hexagons with all of their slots."""
        counts = None if shown is None else counts_of_regions(shown)
        if counts is None:
            return []
        regions, hats = counts
        return [
            counted(
                "{n} region covers {hats} hexagon slots: these hexagons in all hours where the promise is "
                "met",
                "{n} regions cover {hats} hexagon slots: these hexagons in all hours where the promise is "
                "met",
                regions,
                hats=whole(hats),
            )
        ]

    def _edit_rule(self) -> None:
        key = self.rule.currentData()
        if all_rules()[key].cell_file is None:
            self._session.edit(self.tr("Selection rule"), rule=key, cells_file="")
        elif key != self._session.draft.rule:
            self._choose_file(key)

    def _choose_file(self, key: str) -> None:
        """Ask for the file of that rule; without one everything stays as it was."""
        file = all_rules()[key].cell_file
        assert file is not None
        endings = " ".join(f"*{suffix}" for suffix in file.suffixes)
        kinds = self.tr("Usual files ({endings});;All files (*)").format(endings=endings)
        path, _ = QFileDialog.getOpenFileName(self, core_text(file.title), "", kinds)
        if path:
            self._take_file(key, path)
        else:
            self.refresh()

    def _take_file(self, key: str, path: str) -> None:
        self._session.edit(self.tr("File of cells"), rule=key, cells_file=path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if _dropped_boundary(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        path = _dropped_boundary(event.mimeData())
        if path:
            event.acceptProposedAction()
            self._take_file(Boundary.key, path)


def _said_elsewhere(problem: HexveilError) -> bool:
    return of_window(problem) or of_place(problem) or problem.where == OF_DELTA


def _dropped_boundary(data: QMimeData) -> str:
    """The path of a single GeoJSON file; empty for any other drop (`.json` may be records)."""
    paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    return paths[0] if len(paths) == 1 and paths[0].lower().endswith(".geojson") else ""
