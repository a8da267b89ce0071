"""The strip below the map, with buttons and keys: one layer over all slots, played, compared, saved."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from core.advice.slot_figures import SlotFigure
from core.hats.slots import SlotGrid
from core.progress import Progress
from ui.kit.elided_label import ElidedLabel
from ui.kit.list_box import ListBox
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.layout.boxes import in_column, in_row
from ui.layout.tab_order import tab_through
from ui.map.layer_values import LayerValues, layer_values
from ui.map.layers import Layer, MapState, heading, is_confidential
from ui.map.slot_chart import SlotChart
from ui.map.slot_player import SPEEDS_MS, SlotPlayer
from ui.map.slot_words import short_strip_titles, slot_bar, strip_title
from ui.session.origin_badge import never_published
from ui.session.session import Session

_GAP = 6
"""Pixels between title and buttons."""
_WIDE = 500
"""Pixels: in a narrower place all slots are not offered while one after the other is played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripNames:
    """What the strip calls the bars of a layer."""

    title: str
    short: tuple[str, ...]
    """The same in fewer words, and in still fewer."""
    unit: str
    confidential: bool
    """They follow from the records."""


class TimeStrip(QFrame):
    """Bars to choose a slot by, and a player; of a single slot it says so and shows neither."""

    values_changed = Signal()
    """All slots of the layer are known anew: `values`."""
    picture_wanted = Signal()
    """A picture of what is shown."""
    side_by_side = Signal(bool)
    """All slots are to be seen together, or one again."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.slots = range(0)
        """Those of the window."""
        self._asked: tuple[str, range, SlotGrid, int] | None = None
        self._made_of: tuple[object, ...] = ()
        self._refused = False
        """There is no picture of what is shown."""
        self.values: LayerValues | None = None
        """Of the layer that was asked for last; None until they are known."""
        self.player = SlotPlayer(self)
        self.player.stepped.connect(session.chosen.show_slot)
        self.player.changed.connect(self._show_playing)
        self.chart = SlotChart(self)
        self.chart.chosen.connect(self._choose)
        self._computing = Stage(self, self._take, failed=session.failed)
        self._lay_out()
        session.marked.changed.connect(self._show_marks)

    def _lay_out(self) -> None:
        self.play = QToolButton(self)
        self.play.clicked.connect(self.toggle)
        self.speed = ListBox(self)
        for name, pause in zip((self.tr("Slow"), self.tr("Medium"), self.tr("Fast")), SPEEDS_MS, strict=True):
            self.speed.addItem(name, pause)
        self.speed.setCurrentIndex(1)
        self.speed.setAccessibleName(self.tr("Speed of playing"))
        self.speed.currentIndexChanged.connect(lambda: self.player.set_speed(self.speed.currentData()))
        self.repeat = QToolButton(self)
        self.repeat.setText("\N{CLOCKWISE OPEN CIRCLE ARROW}")  # a word would be too wide on a small screen
        self.repeat.setAccessibleName(self.tr("Repeat"))
        self.repeat.setToolTip(self.tr("Start again after the last slot"))
        self.repeat.setCheckable(True)
        self.repeat.toggled.connect(self._set_repeat)
        self.title = ElidedLabel("", "muted", self)
        self.badge = never_published(self, self._session)
        row = in_row(None, self.play, self.speed, self.repeat, (self.title, 1), self.badge, spacing=_GAP)
        self.all_slots = QToolButton(self)
        self.all_slots.setText(self.tr("All slots"))
        self.all_slots.setToolTip(self.tr("A small map of each slot, side by side (Ctrl+Shift+T)"))
        self.all_slots.setCheckable(True)
        self.all_slots.toggled.connect(self.side_by_side)
        row.addWidget(self.all_slots)
        self.picture = QToolButton(self)
        self.picture.setText(self.tr("Picture…"))
        self.picture.clicked.connect(self.picture_wanted)
        row.addWidget(self.picture)
        in_column(self, row, self.chart, margins=(0, 2, 0, 0), spacing=2)
        tab_through(
            (self.play, self.speed, self.repeat, self.all_slots, self.picture, self.chart), self.chart
        )
        self._show_playing()

    def follow(self, layer: Layer, state: MapState, slots: range, grid: SlotGrid) -> None:
        """Show this layer; of another slot of what is shown already only the place is moved."""
        if slots != self.slots:
            self.player.stop()
            self.slots = slots
            self.chart.show_bars(())  # a press on one of other slots would lead to a wrong one
            self.title.setText("")
            self.badge.hide()
        self.player.note_slot(state.slot)
        several = len(slots) > 1
        for widget in (self.play, self.chart):
            widget.setVisible(several)
        self._show_playing()
        if not several:
            self.all_slots.setChecked(False)
        self.chart.show_current(state.slot - slots.start)
        if not several:
            self.title.setText(
                self.tr("Only one slot, {start} to {end}: nothing to compare.").format(
                    start=state.slot_text, end=state.slot_end
                )
            )
        asked, made_of = (
            (layer.key, slots, grid, state.chosen_number),
            (state.overview, state.forecast, state.release, state.pinned),
        )
        if asked == self._asked and all(map(operator.is_, made_of, self._made_of)):
            return
        self._asked, self._made_of = asked, made_of
        names = StripNames(
            title=strip_title(layer, state),
            short=short_strip_titles(layer, state),
            unit=heading(layer, state)[1],
            confidential=is_confidential(layer, state),
        )
        # until others are there, bars and small maps are those of the layer before, and so are their names
        self.values = None

        def work(_: Progress) -> tuple[LayerValues, tuple[SlotFigure, ...], str, StripNames, SlotGrid]:
            values = layer_values(layer, state, grid)
            return values, values.figures(slots), layer.key, names, grid

        self._computing.start(work, what=self.tr("Comparing the slots…"))

    def _take(self, shown: tuple[LayerValues, tuple[SlotFigure, ...], str, StripNames, SlotGrid]) -> None:
        self.values, figures, key, names, grid = shown
        if len(self.slots) > 1:
            self.badge.setVisible(names.confidential)
            self.title.set_either(names.title, *names.short)
            self.chart.setAccessibleName(self.title.text())
            self._show_picture()
        self.chart.show_bars([slot_bar(key, figure, grid, names.unit) for figure in figures])
        self._show_marks()
        self.values_changed.emit()

    def offer_picture(self, refusal: str) -> None:
        """Whether there is a picture of what is shown; refusal: why not."""
        self.picture.setEnabled(not refusal)
        self._refused = bool(refusal)
        shown = (
            self.tr("No picture: {reason}.").format(reason=refusal)
            if refusal
            else self.tr("This layer and slot as PNG, SVG or PDF, with legend, licence and epsilon")
        )
        self.picture.setToolTip(in_lines(shown))
        self.picture.setAccessibleDescription(shown)
        self._show_picture()

    @property
    def settled(self) -> bool:
        """Everything asked for is shown."""
        return not self._computing.running

    def _show_marks(self) -> None:
        marked = self._session.marked.by_slot if self._session.chosen.marks_stand_out else {}
        self.chart.show_marked(frozenset(slot - self.slots.start for slot in marked))

    def _choose(self, place: int) -> None:
        self._session.chosen.show_slot(self.slots.start + place)

    # playing

    def toggle(self) -> None:
        """Play, or pause."""
        if self.player.running:
            self.player.stop()
        else:
            self.player.start(self.slots, self._session.chosen.slot)

    def _show_playing(self) -> None:
        """How fast, and whether anew after the end, is asked while it plays: else the title has the room."""
        for widget in (self.speed, self.repeat):
            widget.setVisible(self.player.running)
        self._show_picture()
        self.play.setText(self.tr("Pause") if self.player.running else self.tr("Play"))
        self.play.setToolTip(
            self.tr("Stay at this slot (Ctrl+T)")
            if self.player.running
            else self.tr("Show the slots one after the other (Ctrl+T)")
        )

    def _show_picture(self) -> None:
        """Of a slot that stays; one that is refused leaves its room to a title cut off: the menu says why."""
        offered = self.width() >= _WIDE or not self.player.running or self.all_slots.isChecked()
        self.all_slots.setVisible(len(self.slots) > 1 and offered)
        beside = (self.play, self.speed, self.repeat, self.badge, self.all_slots)
        shown = [self.picture, *(widget for widget in beside if not widget.isHidden())]
        room = self.width() - sum(widget.sizeHint().width() + _GAP for widget in shown)
        wanted = not self._refused or room >= self.title.least_width
        self.picture.setVisible(wanted and not self.player.running)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._show_picture()

    def _set_repeat(self, repeat: bool) -> None:
        self.player.repeat = repeat
