"""The four parameters with their advice: choose who is protected first; set as recommended."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QStandardItemModel
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QPushButton, QWidget

from core.accounting.budgets import Budget
from core.accounting.epsilon_rounding import plain
from core.advice.city_advice import CityAdvice, GridOption
from core.advice.knob_advice import (
    KnobAdvice,
    Sign,
    for_statistic,
    mechanism_advice,
    place_advice,
    slot_name,
    timeslot_advice,
)
from core.draft.draft import Draft, QueryDraft
from core.hats.cells import RESOLUTIONS, finest_of
from core.hats.places import HEXAGON
from core.hats.slots import SLOT_LENGTHS, SlotLength, day_periods_text
from core.mechanisms.registry import mechanisms_of
from core.privacy import Relation
from core.statistics.registry import require_statistic
from ui.budget.budget_edits import edit_budget, total_alone
from ui.budget.epsilon_input import EpsilonInput
from ui.kit.buttons import push_button
from ui.kit.glossary import explain
from ui.kit.labels import label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.message_bar import MessageBar
from ui.kit.spec_words import caption_of, help_of
from ui.kit.tips import in_lines
from ui.language.translation import core_text, counted
from ui.layout.boxes import in_grid, in_row
from ui.layout.reflowing_grid import ReflowingGrid
from ui.parameters.dates_and_hours import fitting_hours, of_place
from ui.parameters.epsilon_line import EpsilonLine
from ui.parameters.grid_row import area_of, area_text, compared_place
from ui.parameters.knob_line import KnobLine
from ui.parameters.periods_dialog import PeriodsDialog
from ui.parameters.place_chooser import PlaceChooser
from ui.parameters.query_list import QueryList
from ui.parameters.table_lock import lock
from ui.session.guards.protection import privacy_open
from ui.session.hat_texts import slot_length_text
from ui.session.query_texts import compared_title, first_measure, short_title, statistic_title, with_unit
from ui.session.session import Session

_CHIPS, _AROUND_CHIP = 288, 24
"""Pixels of a row of chips, and of each chip beside its words."""
_MIXED = ((5, 7), (6, 8), (7, 9), (8, 10))
"""Resolutions that go together: large hexagons, and small ones where there is much."""
_ASKS = "ask"
"""The entry that leads to the periods."""
_BELOW = 3
"""Pixels between an advice and the next parameter."""


class Knobs(QWidget):
    """Edits the grid and the selected query; `grid_taken(option)`, `options_wanted` lead elsewhere."""

    grid_taken = Signal(object)
    options_wanted = Signal()

    def __init__(self, session: Session, chosen: QueryList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._chosen = chosen
        self._advice: CityAdvice | None = None
        self._before: Draft | None = None
        """What had another grid, until the recommended one was set by itself."""
        self._offered: tuple[str, ...] = ()
        self._build_grid()
        self._build_query()
        layout = in_grid(self, wide=1, down=0)
        mechanism = in_row(None, (self.mechanism, 1), self.options, spacing=6)
        for name, control, line in (
            (self.tr("Place"), self.place, self.of_place),
            (self.tr("Timeslot"), self.slot_minutes, self.of_timeslot),
            (None, self.chips, None),
            (self.tr("Epsilon"), self.epsilon, self.of_epsilon),
            (self.tr("Mechanism"), mechanism, self.of_mechanism),
        ):
            self._add_row(layout, name, control, line)
        layout.addWidget(self.message, layout.rowCount(), 0, 1, 2)
        session.forecast_changed.connect(self._show_mechanism_advice)
        self.refresh()

    def _add_row(
        self, layout: QGridLayout, name: str | None, control: QWidget | QHBoxLayout, line: KnobLine | None
    ) -> None:
        row = layout.rowCount()
        if name is not None:
            caption = label(name, "heading", wraps=False)
            layout.addWidget(caption, row, 0)
            if control is self.epsilon:
                explain("Epsilon", caption)
                self._amount = caption
        if isinstance(control, QWidget):
            layout.addWidget(control, row, 1)
        else:
            layout.addLayout(control, row, 1)
        if line is not None:
            layout.addWidget(line, row + 1, 1)
            layout.setRowMinimumHeight(row + 2, _BELOW)

    def _build_grid(self) -> None:
        self.resolution = ListBox(self)
        for resolutions in (*RESOLUTIONS, *_MIXED):
            self.resolution.addItem("", resolutions)
        self.resolution.setAccessibleName(caption_of("hats.resolution"))
        self.resolution.activated.connect(self._edit_resolution)
        self.place = PlaceChooser(self._session, self.resolution, self)
        self.periods: PeriodsDialog | None = None
        self.slot_minutes = ListBox(self)
        for length in SLOT_LENGTHS:
            self.slot_minutes.addItem(slot_length_text(length), length)
        self.slot_minutes.setAccessibleName(caption_of("hats.slot_minutes"))
        self.slot_minutes.activated.connect(self._edit_slot)
        self.of_place, self.of_timeslot = KnobLine(self), KnobLine(self)
        for line in (self.of_place, self.of_timeslot):
            line.taken.connect(self.grid_taken)
        shrinkable(self.slot_minutes)

    def _build_query(self) -> None:
        self.chips = QWidget(self)
        ReflowingGrid(self.chips, across=6, down=4, columns=False)
        self.chips.setContentsMargins(0, 0, 0, _BELOW)
        self._group = QButtonGroup(self.chips)
        self._group.idClicked.connect(self._chosen.choose)
        self.epsilon = EpsilonInput(self)
        self.message = MessageBar(self)
        self.epsilon.changed.connect(self._edit_amount)
        for part in (self.epsilon, self.place):
            part.refused.connect(self.message.show_error)
        self.epsilon.refused.connect(partial(self._session.refused.note, self.epsilon))
        self.of_epsilon = EpsilonLine(self._session, lambda: self._chosen.query, self)
        self.of_epsilon.bands_changed.connect(self.epsilon.show_bands)
        self.of_epsilon.taken.connect(self.take_better_epsilon)
        self.mechanism = ListBox(self)
        self.mechanism.setAccessibleName(caption_of("query.mechanism"))
        self.mechanism.activated.connect(self._edit_mechanism)
        shrinkable(self.mechanism)
        self.options = push_button(self.tr("Op&tions…"), self, self.options_wanted)
        self.of_mechanism = KnobLine(self)
        self.of_mechanism.taken.connect(self._follow)

    def refresh(self) -> None:
        """Show the draft, wherever it was changed."""
        draft = self._session.draft
        self._offer_resolutions(draft.resolutions)
        self.place.refresh()
        self._offer_slots(draft.slot_minutes)
        self._lock()
        self.refresh_query()

    def _offer_resolutions(self, chosen: int | tuple[int, ...]) -> None:
        """Every resolution, some that go together, and those that are chosen."""
        offered: tuple[int | tuple[int, ...], ...] = (*RESOLUTIONS, *_MIXED)
        while self.resolution.count() > len(offered):
            self.resolution.removeItem(len(offered))
        if chosen not in offered:
            offered = (*offered, chosen)
            self.resolution.addItem("", chosen)
        for row, resolutions in enumerate(offered):
            self.resolution.setItemText(row, self._resolutions_text(resolutions))
        self.resolution.setCurrentIndex(offered.index(chosen))

    def _resolutions_text(self, resolutions: int | tuple[int, ...]) -> str:
        if isinstance(resolutions, int):
            area = area_text(area_of(self._session, resolutions))
            return self.tr("resolution {n}: {area}").format(n=resolutions, area=area)
        listed = ", ".join(map(str, resolutions))
        area = area_text(area_of(self._session, resolutions[-1]))
        return self.tr("{listed}: {area} where busy").format(listed=listed, area=area)

    def _edit_resolution(self) -> None:
        chosen = self.resolution.currentData()
        mixed = () if isinstance(chosen, int) else tuple(chosen)
        self._session.edit(caption_of("hats.resolution"), resolution=finest_of(mixed or chosen), mixed=mixed)

    def _offer_slots(self, chosen: SlotLength) -> None:
        """Every length there is, the periods that are chosen, and the way to name others."""
        while self.slot_minutes.count() > len(SLOT_LENGTHS):
            self.slot_minutes.removeItem(len(SLOT_LENGTHS))
        if isinstance(chosen, tuple):
            self.slot_minutes.addItem(slot_length_text(chosen), chosen)
        self.slot_minutes.addItem(self.tr("Named periods…"), _ASKS)
        named = isinstance(chosen, tuple)
        self.slot_minutes.setCurrentIndex(len(SLOT_LENGTHS) if named else self.slot_minutes.findData(chosen))
        self.slot_minutes.setToolTip(in_lines(day_periods_text(chosen) if isinstance(chosen, tuple) else ""))

    def refresh_query(self) -> None:
        """Show the selected query."""
        query, relation = self._chosen.query, self._session.draft.relation or Relation.VALUES
        self._show_chips()
        scale = query.budget.noise_scale is not None
        unit = core_text(first_measure(query, self._session.quantity).unit)
        self._amount.setText(self.tr("Scale B") if scale else self.tr("Epsilon"))
        self.epsilon.set_name(with_unit(self.tr("Noise scale B"), unit) if scale else self.tr("Epsilon"))
        self.epsilon.set_value(query.budget.amount)
        self._session.refused.mend(self.epsilon)
        self.message.clear()
        self.of_epsilon.refresh()
        statistic = require_statistic(query.statistic).of(self._session.quantity)
        offered = {key: one.title for key, one in mechanisms_of(relation).items()}
        bounded = relation is Relation.USER and statistic.bounded_method
        method = bounded or statistic.method
        if method:
            offered = {query.mechanism: offered.get(method) or self.tr("set by the statistic")}
        if tuple(offered.values()) != self._offered:
            self._offered = tuple(offered.values())
            self.mechanism.clear()
            for key, title in offered.items():
                self.mechanism.addItem(core_text(title), key)
        self.mechanism.setCurrentIndex(self.mechanism.findData(query.mechanism))
        self.mechanism.setEnabled(not statistic.method)
        self._show_mechanism_advice()
        self.show_grids(self._advice)

    def _show_chips(self) -> None:
        queries = self._session.draft.queries
        buttons, row = self._group.buttons(), self.chips.layout()
        assert row is not None
        for number in range(len(buttons), len(queries)):
            chip = QPushButton(self.chips)
            chip.setCheckable(True)
            chip.setProperty("look", "chip")
            self._group.addButton(chip, number)
            row.addWidget(chip)
            QWidget.setTabOrder(buttons[-1] if buttons else self.of_timeslot.take, chip)
            buttons.append(chip)
        font = self.chips.font()
        font.setBold(True)  # as that of the chosen one is
        strong = QFontMetrics(font)
        for number, shown in enumerate(self._group.buttons()):
            shown.setVisible(number < len(queries))
            if number < len(queries):
                title = statistic_title(queries[number], self._session.quantity)
                budget = queries[number].budget
                amount = plain(budget.amount)
                if budget.noise_scale is not None:
                    amount = self.tr("B {amount}").format(amount=amount)
                whole = f"{title}, {amount}"
                short = f"{short_title(queries[number], self._session.quantity)}, {amount}"
                text = strong.elidedText(short, Qt.TextElideMode.ElideMiddle, _CHIPS - _AROUND_CHIP)
                shown.setText(text)
                shown.setMinimumWidth(strong.horizontalAdvance(text) + _AROUND_CHIP)
                shown.setToolTip(in_lines(whole))
                shown.setAccessibleName(whole)
        self._group.button(self._chosen.number).setChecked(True)
        self.chips.setVisible(len(queries) > 1)

    def _lock(self) -> None:
        """What a contribution table has decided; of several resolutions one may be chosen."""
        table = self._session.table
        usual: dict[QWidget, str] = {
            self.resolution: help_of("hats.resolution"),
            self.slot_minutes: self.slot_minutes.toolTip() or help_of("hats.slot_minutes"),
            **{editor: editor.toolTip() for editor in self.place.editors},
        }
        several = table is not None and len(table.offer.resolutions) > 1
        lock(usual, locked=table is not None, open_ones=(self.resolution,) if several else ())
        offered = self.resolution.model()
        assert isinstance(offered, QStandardItemModel)
        for row in range(self.resolution.count()):
            number = self.resolution.itemData(row)
            offered.item(row).setEnabled(table is None or number in table.offer.dates)

    def note_grid(self, before: Draft) -> None:
        """The recommended grid is about to be set: the lines say what it was."""
        self._before = before

    def show_grids(self, advice: CityAdvice | None) -> None:
        """What is recommended of place and timeslot; None while that is not known."""
        self._advice = advice
        draft = self._session.draft
        if advice is None:
            self._before = None
        other = draft.place_kind != HEXAGON
        if draft.relation is Relation.USER:
            self.of_place.tell(self._why_none())
            self.of_timeslot.tell(None)
            return
        if draft.mixed or (other and advice is None):
            self.of_place.tell(self._said_of_places())
            self.of_timeslot.tell(None)
            return
        if advice is None:
            text = self.tr("Choose who is protected to see advice.")
            if draft.relation is not None:
                text = self.tr("Choose how much of a vehicle is protected to see advice.")
            waits = KnobAdvice(sign=Sign.NEITHER, text=text)
            self.of_place.tell(waits if privacy_open(self._session) else None)
            self.of_timeslot.tell(None)
            return
        chosen, reason = (0 if other else draft.resolution, draft.slot_minutes), core_text(advice.reason)
        self._say_of_grid(self.of_place, place_advice(advice, *chosen), reason)
        slots = timeslot_advice(advice, *chosen)
        if self._before is not None and slots.sign is Sign.RECOMMENDED:
            slots = dataclasses.replace(slots, text=self._set_by_itself(self._before))
        self._say_of_grid(self.of_timeslot, slots, reason)

    def _say_of_grid(self, line: KnobLine, advice: KnobAdvice, reason: str) -> None:
        """It stands above the chips, and is not always about the chosen one."""
        title = compared_title(self._session)
        brief = for_statistic(advice, title) if title else advice
        line.tell(brief, reason=f"{core_text(advice.text)}\n{reason}" if title and advice.text else reason)

    def _why_none(self) -> KnobAdvice:
        """Of relation `user`: it would follow from counts."""
        return KnobAdvice(sign=Sign.NEITHER, text=self.tr("No advice: counts are protected."))

    def _set_by_itself(self, before: Draft) -> str:
        place = compared_place(self._session, before.resolution if before.place_kind == HEXAGON else 0)
        slots = slot_name(before.slot_minutes)
        return self.tr("Set as recommended; before: {place}, {slots}.").format(
            place=place, slots=core_text(slots)
        )

    def _said_of_places(self) -> KnobAdvice | None:
        """How many places there are."""
        table = self._session.contributions
        if table is None or not self._session.fits:
            return None
        places = len(self._session.overview.hexagons) if self._session.overview else 0
        if self._session.draft.place_kind == HEXAGON:
            text = counted("{n} hexagon with records.", "{n} hexagons with records.", places)
        else:
            text = counted("{n} place with records.", "{n} places with records.", places)
        return KnobAdvice(sign=Sign.NEITHER, text=text)

    def show_problem(self) -> None:
        """What of places and groups does not fit the data."""
        problem = self._session.planning.problem
        if problem is not None and of_place(problem):
            self.message.show_error(problem)
        elif not self._session.refused.says(self.epsilon):
            self.message.clear()
        self.show_grids(self._advice)

    def _show_mechanism_advice(self) -> None:
        planning, mean = self._session.planning, self._session.draft.mean
        advice = None if planning.is_of_before else planning.advice
        if advice is None or mean is not self._chosen.query:
            of_mean = mean is not None and mean is self._chosen.query
            user = of_mean and self._session.draft.relation is Relation.USER
            self.of_mechanism.tell(self._why_none() if user else None)
            return
        said = mechanism_advice(advice, mean.mechanism, self._session.quantity.unit)
        self.of_mechanism.tell(said, reason=core_text(advice.reason), follows=said.sign is Sign.BETTER)

    def _edit_slot(self) -> None:
        length = self.slot_minutes.currentData()
        if length == _ASKS:
            self._ask_periods()
            return
        self._take_slot(length)

    def _ask_periods(self) -> None:
        draft = self._session.draft
        self._offer_slots(draft.slot_minutes)
        periods = draft.slot_minutes if isinstance(draft.slot_minutes, tuple) else ()
        self.periods = PeriodsDialog(periods, draft.hours, self)
        self.periods.chosen.connect(self._take_slot)
        self.periods.open()

    def _take_slot(self, length: SlotLength) -> None:
        hours = fitting_hours(*self._session.draft.hours, length)
        self._session.edit(caption_of("hats.slot_minutes"), slot_minutes=length, hours=hours)

    @property
    def query(self) -> QueryDraft:
        """The selected one."""
        return self._chosen.query

    @property
    def budget(self) -> Budget:
        """Of the selected query."""
        return self.query.budget

    def take_epsilon(self, amount: Decimal) -> None:
        """Give it to the selected query."""
        self._edit_amount(amount, dragging=False)

    def take_better_epsilon(self) -> None:
        """The next that betters the verdict on the selected query."""
        if (found := self.of_epsilon.better) is not None:
            self.take_epsilon(found[0])

    def _edit_amount(self, value: Decimal, dragging: bool) -> None:
        self.message.clear()
        self._session.refused.mend(self.epsilon)
        number = self._chosen.number
        before = self._chosen.query.budget
        budget = Budget(total=value) if total_alone(self._session, number) else before.of_amount(value)
        edit_budget(self._session, number, budget, self.tr("Epsilon"), dragging=dragging)

    def _edit_mechanism(self) -> None:
        self._session.set_mechanism(
            caption_of("query.mechanism"), self.mechanism.currentData(), {}, number=self._chosen.number
        )

    def _follow(self, _: GridOption | None) -> None:
        advice = self._session.planning.advice
        if advice is not None:
            self._session.set_mechanism(
                caption_of("query.mechanism"),
                advice.mechanism,
                dict(advice.params),
                number=self._chosen.number,
            )
