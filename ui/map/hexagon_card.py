"""The card of a clicked hexagon: a candidate, selected, suppressed or not selected and why, copying."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from core.advice.hexagon_facts import HatState, HexagonFacts, SlotFacts
from core.hats.slots import SlotGrid
from core.statistics.base import Measure
from ui.kit.buttons import push_button
from ui.kit.glossary import explain
from ui.kit.labels import label
from ui.language.counted_words import counted_vehicle_days, counted_vehicles
from ui.layout.boxes import in_column, in_row
from ui.map.slot_bars import SlotBars
from ui.session.hat_texts import place_text
from ui.session.origin_badge import never_published
from ui.session.query_texts import error_with_unit

_WIDTH = 268
_LEFT, _TOP = 56, 12
"""Beside the buttons that zoom."""
_EDGES = (10, 8, 8, 10)
_SPACING = 4
_LEAST_SHOWN = 40
"""Of what scrolls, however low the map is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContent:
    """What the card shows of one hexagon slot."""

    facts: HexagonFacts
    slot: int
    grid: SlotGrid
    measure: Measure | None
    """Of the errors; None while nothing is planned."""
    required: int | None
    """Vehicle-days that the rule asks for; None where it goes by a list or a boundary."""
    threshold: int | None
    """Vehicles a day, as a person types them: `required` is this on each day."""
    released: str
    """What was published of the slot, in words; empty without a release."""
    aside: str = ""
    """What is to be known of it in this window, which a reader of the number alone does not have."""
    place: str = ""
    """The name of the hexagon, from a layer of places; public."""
    compared: str = ""
    """The errors of A and B, in words; empty while nothing is pinned, or neither publishes the slot."""


class HexagonCard(QFrame):
    """Lies over the map; hidden while no hexagon is chosen. What is confidential in it says so.

    Its head and its buttons stay within the map; what is shown between them scrolls where the map is too low.
    """

    slot_chosen = Signal(int)
    zoom_wanted = Signal(str)
    closed = Signal()
    covered = Signal(int, int)
    """Pixels of the map from its left edge and its top on; none while it is hidden."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._content: CardContent | None = None
        self.setProperty("look", "card")
        self.setFixedWidth(_WIDTH)
        self.move(_LEFT, _TOP)
        self.title = label(look="heading", parent=self)
        self.place = label(parent=self)
        self.state_head, self.state = label(look="muted", parent=self), label(parent=self)
        self.vehicles_head = label(self.tr("Vehicles by slot"), "muted", self)
        self.state_badge, self.vehicles_badge, self.errors_badge = (never_published(self) for _ in range(3))
        self.vehicles = SlotBars(self)
        self.vehicles.setAccessibleName(self.vehicles_head.text())
        self.first, self.last = (label("", "muted", self) for _ in range(2))
        self.errors_head = label(self.tr("Typical error by slot"), "muted", self)
        self.errors = SlotBars(self)
        self.errors.setAccessibleName(self.errors_head.text())
        explain("Typical error", self.errors_head)
        self.released = label(parent=self)
        self._lay_out()
        for bars in (self.vehicles, self.errors):
            bars.chosen.connect(self._choose)
        over.installEventFilter(self)
        self.hide()

    def show_origin(self, *, made_up: bool) -> None:
        """Whether what is from the records is a secret."""
        for tag in (self.state_badge, self.vehicles_badge, self.errors_badge):
            tag.show_origin(made_up=made_up)

    def _lay_out(self) -> None:
        close = QToolButton(self)
        close.setText("✕")
        close.setAutoRaise(True)
        close.setAccessibleName(self.tr("Close the card"))
        close.clicked.connect(self.closed)
        self.copy = QPushButton(self.tr("Copy"), self)
        self.copy.setToolTip(self.tr("Copy the hexagon's id and its released numbers; nothing confidential"))
        self.copy.clicked.connect(self._copy)
        self.zoom = push_button(self.tr("Zoom"), self, self._zoom, tip=self.tr("Show this hexagon large"))
        head, buttons = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        for button in (self.copy, self.zoom):
            buttons.addWidget(button, 1)
        self._details = QWidget(self)
        self._lay_out_details(QVBoxLayout(self._details))
        self._details.installEventFilter(self)
        self._area = QScrollArea(self)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(self._details)
        in_column(self, head, (self._area, 1), buttons, margins=_EDGES, spacing=_SPACING)
        self._rows_around = (head, buttons)

    def _lay_out_details(self, column: QVBoxLayout) -> None:
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_SPACING)
        column.addWidget(self.place)
        # what was asked for stands first: a low map shows it without scrolling
        column.addWidget(self.released)
        ends = in_row(None, self.first, 1, self.last)
        for name, tag, text in (
            (self.state_head, self.state_badge, self.state),
            (self.vehicles_head, self.vehicles_badge, self.vehicles),
            (self.errors_head, self.errors_badge, self.errors),
        ):
            row = in_row(None, (name, 1), tag)
            column.addLayout(row)
            column.addWidget(text)
        column.addLayout(ends)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """The map has another size, or what is shown, perhaps only now that the style is known."""
        of_map = watched is self._over and event.type() is QEvent.Type.Resize
        if of_map or (watched is self._details and event.type() is QEvent.Type.LayoutRequest):
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """As high as what is shown, and no higher than the map.

        Both sizes follow from the texts and the map alone, never from a size that the card has already.
        """
        text = self._details.layout()
        if self._content is None or text is None:
            return
        left, top, right, bottom = _EDGES
        frame = 2 * self.frameWidth()
        around = sum(row.sizeHint().height() + _SPACING for row in self._rows_around) + top + bottom + frame
        width, room = _WIDTH - left - right - frame, self._over.height() - 2 * _TOP - around
        height = text.heightForWidth(width)
        scrolls = height > room
        if scrolls:
            width -= self._area.verticalScrollBar().sizeHint().width() + _SPACING
            height = text.heightForWidth(width)
        policy = Qt.ScrollBarPolicy
        self._area.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOn if scrolls else policy.ScrollBarAlwaysOff
        )
        self._details.setFixedSize(width, height)
        text.activate()
        self.setFixedHeight(around + (self._whole_parts(max(room, _LEAST_SHOWN)) if scrolls else height))
        self.raise_()
        self.covered.emit(_LEFT + _WIDTH, _TOP + self.height())

    def _whole_parts(self, room: int) -> int:
        """How much of what is shown is seen in so little room: bars that are cut would mislead."""
        parts = (self.released, self.state, self.vehicles, self.errors, self.last)
        ends = [part.geometry().bottom() + 1 for part in parts if not part.isHidden()]
        return max((end for end in ends if end <= room), default=room)

    def show_content(self, content: CardContent | None) -> None:
        """Show another hexagon or slot, or none."""
        self._content = content
        self.setVisible(content is not None)
        if content is None:
            self.covered.emit(0, 0)
            return
        facts, grid = content.facts, content.grid
        own = facts.of(content.slot)
        marked = facts.slots.index(own)
        self.title.setText(facts.cell)
        self.title.setAccessibleName(self.tr("Hexagon {cell}").format(cell=facts.cell))
        self.place.setText(place_text(content.place))
        self.place.setVisible(bool(content.place))
        times = [f"{grid.text(one.slot)} – {grid.end_text(one.slot)}" for one in facts.slots]
        self.state_head.setText(times[marked])
        self.state.setText(self._state_of(own, content))
        candidate = facts.errors_are_public and own.state is HatState.PUBLISHED
        self.state_badge.setVisible(own.state is not HatState.UNKNOWN and not candidate)
        self.vehicles.show_bars(
            [float(one.vehicles) if one.vehicles else None for one in facts.slots],
            [
                f"{time}: {counted_vehicles(one.vehicles)}"
                for time, one in zip(times, facts.slots, strict=True)
            ],
            marked,
        )
        self.errors.show_bars(
            [one.error for one in facts.slots],
            [f"{time}: {self._error_of(one, content)}" for time, one in zip(times, facts.slots, strict=True)],
            marked,
        )
        self.first.setText(grid.text(facts.slots[0].slot))
        self.last.setText(grid.end_text(facts.slots[-1].slot))
        planned = content.measure is not None and any(one.error is not None for one in facts.slots)
        for widget in (self.errors_head, self.errors):
            widget.setVisible(planned)
        self.errors_badge.setVisible(planned and not facts.errors_are_public)
        self.released.setText("\n".join(part for part in (content.released, content.aside) if part))
        self.released.setVisible(bool(content.released))
        self._fit()

    def _error_of(self, one: SlotFacts, content: CardContent) -> str:
        if one.error is None or content.measure is None:
            return self.tr("not published")
        return error_with_unit(one.error, content.measure)

    def _state_of(self, one: SlotFacts, content: CardContent) -> str:
        """Selected, or why not, for the slot that is shown."""
        if content.facts.errors_are_public and one.state is HatState.PUBLISHED:
            text = self.tr("a candidate: a row in the release, with records or without")
        elif one.state is HatState.UNSELECTED and content.required is not None:
            text = self.tr("not selected: {days}; {required} are needed ({threshold} a day)").format(
                days=counted_vehicle_days(one.vehicle_days),
                threshold=content.threshold,
                required=content.required,
            )
        else:
            text = {
                HatState.PUBLISHED: self.tr("selected"),
                HatState.SUPPRESSED: self.tr("selected, but suppressed: too few vehicles"),
                HatState.NOBODY: self.tr("selected, but suppressed: no vehicle"),
                HatState.UNSELECTED: self.tr("not selected: not among the chosen hexagons"),
                HatState.ABSENT: self.tr("not selected: no vehicle"),
                HatState.UNKNOWN: self.tr("nothing is selected yet"),
            }[one.state]
        if one.error is not None:
            text += "\n" + self.tr("typical error {error}").format(error=self._error_of(one, content))
        if content.compared:
            text += "\n" + content.compared
        return text

    def _choose(self, place: int) -> None:
        if self._content is not None:
            self.slot_chosen.emit(self._content.facts.slots[place].slot)

    def _copy(self) -> None:
        """Public words alone: the id, and what was released of the slot."""
        if self._content is not None:
            parts = (self._content.facts.cell, self._content.place, self._content.released)
            QGuiApplication.clipboard().setText("\n".join(part for part in parts if part))

    def _zoom(self) -> None:
        if self._content is not None:
            self.zoom_wanted.emit(self._content.facts.cell)
