"""Step *Parameters*: four parameters above, sections below; a contribution table's settings are fixed."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from core.privacy import Relation, Unit
from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.kit.page_section import PageSection
from ui.kit.spec_words import relation_texts, unit_word
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import hold_in_place, scroll_up_to, scrolling
from ui.layout.tab_order import focus_first
from ui.parameters.constants_box import ConstantsBox
from ui.parameters.dates_and_hours import DatesAndHours
from ui.parameters.grid_list import GridList
from ui.parameters.knobs import Knobs
from ui.parameters.method_options import MethodOptions
from ui.parameters.query_list import QueryList
from ui.parameters.share_ranges import ShareRanges
from ui.parameters.what_to_change import WhatToChange
from ui.parameters.which_hexagons import WhichHexagons
from ui.parameters.who_is_protected import WhoIsProtected
from ui.session.guards.parameters import TYPED_HEXAGONS, TYPED_WINDOW, no_population, plan_unfit, unconfirmed
from ui.session.guards.protection import privacy_open
from ui.session.guards.reasons import first_reason
from ui.session.query_texts import statistic_title
from ui.session.session import Session

_LEAST_SECTIONS = 130
"""Pixels of the sections that are seen together."""
_FIRST_OPEN = ("grids",)


class ParametersPage(QWidget):
    """Edits the whole draft but for its texts. Sections stay as they were left, also the next time."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        session.draft_changed.connect(self._hold_used)  # before any part follows the draft
        head = self._head()
        self.published = QueryList(session)
        self.ranges = ShareRanges(session, self.published)
        published = QWidget()
        in_column(published, self.published, self.ranges)
        self.knobs = Knobs(session, self.published, self)
        self.grids = GridList(session, self)
        self.dates = DatesAndHours(session)
        self.hexagons = WhichHexagons(session)
        self.constants = ConstantsBox(session)
        self.protected = WhoIsProtected(session)
        self.options = MethodOptions(session, self.published)
        self.changes = WhatToChange(session, self.grids, self.knobs, self)
        self.of_table = label(look="muted")
        sections = QWidget(self)
        self._column = in_column(sections, self.of_table, spacing=0)
        self.sections = {
            "grids": self._section(self.tr("Recommended grids"), self.grids),
            "dates": self._section(self.tr("Dates and hours"), self.dates),
            "hexagons": self._section(self.tr("Which hexagons"), self.hexagons),
            "protected": self._section(self.tr("Who is protected"), self.protected),
            "constants": self._section(self.tr("Public constants"), self.constants),
            "published": self._section(self.tr("What is published"), published),
            "options": self._section(self.tr("Options"), self.options),
        }
        self._column.addStretch(1)
        area = scrolling(sections, self, inside=True)
        area.setMinimumHeight(_LEAST_SECTIONS)
        in_column(self, head, self.knobs, (area, 1), margins=(0, 5, 0, 0))
        self._open_as_left()
        self._connect()
        self.refresh()

    def _head(self) -> QHBoxLayout:
        head, stack = QHBoxLayout(), self._session.undo_stack
        head.addWidget(label(self.tr("Parameters"), "title"), 1)
        for text, run, can, changed in (
            (self.tr("Undo"), stack.undo, stack.canUndo(), stack.canUndoChanged),
            (self.tr("Redo"), stack.redo, stack.canRedo(), stack.canRedoChanged),
        ):
            button = push_button(text, self, look="flat")
            button.setEnabled(can)
            button.clicked.connect(run)
            changed.connect(button.setEnabled)
            head.addWidget(button)
        return head

    def _section(self, title: str, body: QWidget) -> PageSection:
        made = PageSection(title, body)
        made.opened.connect(partial(scroll_up_to, made.head))
        self._column.addWidget(made)
        return made

    def _open_as_left(self) -> None:
        """As they were left; the first time, what is recommended."""
        left = self._session.settings.open_sections
        for name, section in self.sections.items():
            section.head.setChecked(name in (_FIRST_OPEN if left is None else left))
            section.toggled.connect(self._remember)

    def _remember(self) -> None:
        self._session.settings.open_sections = tuple(
            name for name, section in self.sections.items() if section.is_open
        )

    def _connect(self) -> None:
        session = self._session
        self.published.selected_changed.connect(self._show_selected)
        self.knobs.options_wanted.connect(partial(self._open, "options"))
        self.knobs.grid_taken.connect(self.grids.take)
        self.grids.advised.connect(self.knobs.show_grids)
        self.grids.taking.connect(self.knobs.note_grid)
        self.grids.refused.connect(self.knobs.message.show_error)
        for name, body in (("grids", self.grids), ("dates", self.dates), ("hexagons", self.hexagons)):
            body.summarised.connect(self.sections[name].head.tell)
        self.hexagons.let_fade(self.sections["hexagons"].head.summary)
        for name, body in (("dates", self.dates), ("hexagons", self.hexagons)):
            body.message.appeared.connect(partial(self._open_for_message, name))
        session.data_changed.connect(self._on_data)
        session.draft_changed.connect(self.refresh)
        session.forecast_changed.connect(self._show_outcome)

    def _used(self) -> tuple[QWidget, PageSection] | None:
        """What has the keyboard in a section, and that section."""
        control = QApplication.focusWidget()
        around = (one for one in self.sections.values() if control is not None and one.isAncestorOf(control))
        section = next(around, None)
        return None if control is None or section is None else (control, section)

    def _hold_used(self) -> None:
        """What a choice makes appear above it does not move it away."""
        if (used := self._used()) is not None:
            hold_in_place(*used)

    def _open_for_message(self, name: str) -> None:
        """Where somebody is in another section it opens without a jump: its head says it too."""
        section, used = self.sections[name], self._used()
        if used is None or used[1] is section:
            section.open()
        else:
            section.head.setChecked(True)

    def _open(self, name: str) -> None:
        """What is said in a section that is closed is said nowhere."""
        self.sections[name].open()
        scroll_up_to(self.sections[name].head)

    def _on_data(self) -> None:
        """Records that are read anew for a choice leave sections as they are."""
        self.refresh()
        if not self._session.draft.confirmed and not self._session.undo_stack.count():
            self._open("protected")

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self.grids.refresh()  # while the page was hidden none were compared

    def begin(self) -> None:
        """The keyboard goes to what is still asked for, else to the first parameter that is not decided."""
        knobs = self.knobs
        focus_first(*self.protected.asked_first(), knobs.place.kind, knobs.resolution, knobs.epsilon.slider)

    def refresh(self) -> None:
        """Show the draft, wherever it was changed."""
        user = self._session.draft.relation is Relation.USER
        text = self.tr("A contribution table is open. The settings it was made with cannot be changed here.")
        if user:
            text += " " + self.tr(
                "With “Presence too”, it must not have been chosen by looking at the records."
            )
        self.of_table.setText(text)
        self.of_table.setVisible(self._session.table is not None)
        self.sections["constants"].setVisible(user)
        self.setEnabled(self._session.has_data)
        self.knobs.refresh()
        for part in (self.dates, self.hexagons, self.protected, self.constants):
            part.refresh()
        self.options.refresh()
        self._show_outcome()

    def _show_selected(self) -> None:
        self.knobs.refresh_query()
        self.options.refresh()
        self.sections["options"].head.tell(self.options.named)

    def _show_outcome(self) -> None:
        self.knobs.show_problem()
        self.dates.show_outcome()
        self.hexagons.show_outcome()
        self.protected.show_sentence()
        self._summarise()

    def _summarise(self) -> None:
        """What is read of sections that are closed."""
        session, draft = self._session, self._session.draft
        reason = first_reason(session, (privacy_open, unconfirmed, no_population))
        if reason is not None or draft.relation is None:
            self.sections["protected"].head.tell(reason.note if reason else "", warned=reason is not None)
        else:
            unit = "" if draft.unit in (None, Unit.VEHICLE) else unit_word(draft.unit)
            said = (relation_texts()[draft.relation.value].title, unit, draft.population)
            self.sections["protected"].head.tell(f"{', '.join(filter(None, said))} ✓")
        for name, lacking in (
            ("dates", first_reason(session, TYPED_WINDOW)),
            ("hexagons", first_reason(session, TYPED_HEXAGONS)),
            ("constants", plan_unfit(session)),
        ):
            if lacking is not None and draft.relation is Relation.USER:
                self.sections[name].head.tell(lacking.note, warned=True)
            elif name == "constants":
                self.sections[name].head.tell(self.constants.in_brief)
        titles = [
            ": ".join(filter(None, (statistic_title(query, session.quantity), self.ranges.summary(number))))
            for number, query in enumerate(draft.queries)
        ]
        self.sections["published"].head.tell(", ".join(titles))
        self.sections["options"].head.tell(self.options.named)
