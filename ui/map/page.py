"""Tab *Map*: layer, slot and hexagons, *Zoom*; places without outlines; nothing of that name found."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QSlider,
    QStackedWidget,
    QWidget,
)

from core.advice.hexagon_facts import hexagon_facts
from core.geodata.places import cell_at
from core.hats.places import HEXAGON
from core.privacy import Relation
from core.progress import Progress
from core.selection.boundary import Boundary
from core.selection.registry import require_rule
from ui.budget.number_box import NumberBox
from ui.kit.added_ending import unasked_replacement
from ui.kit.labels import plain_label
from ui.kit.list_box import ListBox
from ui.kit.stage import Stage
from ui.kit.theme import Theme
from ui.layout.boxes import in_column, in_row
from ui.layout.half_ink import ink_of_counts
from ui.map.boundary_outline import outline_of
from ui.map.hexagon_card import CardContent, HexagonCard
from ui.map.layer_picture import PictureOffer, layer_picture, refusal_of, refuse
from ui.map.layers import (
    RELEASED_MEAN,
    SMOOTHED_VALUE,
    Layer,
    MapState,
    difference_text,
    heading,
    is_confidential,
    layers,
    paint,
    released_text,
    shown_cells,
)
from ui.map.map_overlays import MapOverlays, dropped_layers
from ui.map.picture_files import require_ending, write_picture
from ui.map.place_search import PlaceSearch
from ui.map.small_multiples import SmallMultiples
from ui.map.time_strip import TimeStrip
from ui.session.guards.reasons import nothing_loaded
from ui.session.marked_hats import Hat
from ui.session.origin_badge import is_made_up
from ui.session.session import Session
from ui.session.settings import Settings
from ui.session.slot_chips import SlotChips
from ui.web_map.map_html import Outlines
from ui.web_map.map_view import MapView
from ui.web_map.painting import Fill, LegendClass, MapPainting

_LETTERS = 28
"""Of the layer's name that are seen where there is room."""
_LEAST_LAYER, _LEAST_SLOT, _LEAST_NUMBER = 150, 110, 100
"""Pixels of the list of layers, of the way that the slider has, and of the list of numbers."""
_FOLDER = "pictures"
_NO_OUTLINES: Outlines = {}


class PictureExport(QObject):
    """Asks for a file, and writes there."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._widget = parent
        self._settings = Settings(session.home)
        self.job = Stage(self, self._on_written, failed=session.failed)

    def ask(self, offer: PictureOffer) -> None:
        """Ask where to, unless there is no such picture: then say why."""
        if offer.refusal:
            self._session.noted.emit(self.tr("No picture: {reason}.").format(reason=offer.refusal))
            return
        kinds = {".png": "PNG (*.png)", ".svg": "SVG (*.svg)", ".pdf": "PDF (*.pdf)"}
        start = self._settings.folder_for(_FOLDER) / f"{offer.name}.png"
        chosen, kind = QFileDialog.getSaveFileName(
            self._widget, self.tr("Export picture"), str(start), ";;".join(kinds.values())
        )
        if not chosen:
            return
        path = Path(chosen)
        if path.suffix:
            self.export_to(path, offer)
            return
        ending = next(ending for ending, name in kinds.items() if name == kind or not kind)
        path = path.with_name(path.name + ending)
        if refused := unasked_replacement(Path(chosen), path):
            self._session.failed.emit(refused)
            return
        self.export_to(path, offer)

    def export_to(self, path: Path, offer: PictureOffer) -> None:
        """Draw and write it."""
        self._settings.set_last_folder(_FOLDER, path.parent)
        make = offer.make
        self.job.start(
            lambda _: write_picture(make(), require_ending(path)), what=self.tr("Drawing the picture…")
        )

    def _on_written(self, path: Path) -> None:
        self._session.noted.emit(self.tr("The picture is in {path}").format(path=path))


class MapMarks(QObject):
    """Follows the painting that is shown; a hexagon without anything in this slot is no HAT."""

    def __init__(self, view: MapView, session: Session) -> None:
        super().__init__(view)
        self._view = view
        self._session = session
        self._painting: MapPainting | None = None
        self._slot = 0
        view.toggled.connect(self._toggle)
        view.brushed.connect(self._add)
        view.class_pressed.connect(self._press)
        session.marked.changed.connect(self._show)
        session.hat_chosen.connect(self._show)

    def follow(self, painting: MapPainting, slot: int) -> None:
        """What is shown now, and the slot it is of."""
        self._painting, self._slot = painting, slot
        self._show()

    def _hats(self, cells: Iterable[str]) -> list[Hat]:
        shown = self._painting.fills if self._painting is not None else {}
        return [(cell, self._slot) for cell in cells if cell in shown]

    def _toggle(self, cell: str) -> None:
        for hat in self._hats((cell,)):
            self._session.marked.toggle(hat)

    def _add(self, cells: tuple[str, ...]) -> None:
        self._session.marked.add(self._hats(cells))

    def _press(self, fill: Fill, add: bool) -> None:
        """All hexagons of a class."""
        shown = self._painting.fills if self._painting is not None else {}
        hats = self._hats(cell for cell, own in shown.items() if own == fill)
        marked = self._session.marked
        if add:
            marked.add(hats)
        else:
            marked.take(hats)

    def _show(self) -> None:
        """The one that is chosen has its outline, and needs nothing else to step back."""
        stands_out = self._session.chosen.marks_stand_out
        self._view.mark(self._session.marked.cells_in(self._slot) if stands_out else frozenset())


class MapTab(QWidget):
    """Shows a layer of the session's HATs; a click chooses the HAT everywhere.

    `outlined(bool)`: the places have outlines now, or none any more.
    """

    outlined = Signal(bool)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._layers = layers()
        self._wanted = self._layers[0].key
        self._cells: tuple[str, ...] = ()
        self._known: frozenset[str] = frozenset()
        self._outlines: Outlines = _NO_OUTLINES
        self._drawn = True
        self._classes: tuple[LegendClass, ...] = ()
        self._outside = self._note = ""
        self._otherwise = False
        self.view = MapView(self)
        self.view.set_theme(theme.colours.dark)
        self._painting = Stage(self, self._paint, failed=session.failed)
        self._outlined: Path | None = None
        # what is wrong with the file is shown where it is chosen
        self._outlining = Stage(self, self.view.outline, failed=lambda _: self.view.outline(()))
        self.card = HexagonCard(self.view)
        self.card.slot_chosen.connect(session.chosen.show_slot)
        self.card.zoom_wanted.connect(self.view.zoom_to)
        self.card.closed.connect(lambda: session.chosen.choose_hat(None))
        self.card.covered.connect(self.view.cover_left)
        self._inspecting = Stage(self, self.card.show_content, failed=session.failed)
        layout = in_column(self, self._controls(), self._own_maps(), margins=(8, 8, 8, 8))
        self.strip = TimeStrip(session, self)
        self.multiples = SmallMultiples(session, theme, self)
        self._shown = QStackedWidget(self)
        self._shown.addWidget(self.view)
        self._shown.addWidget(self.multiples)
        layout.addWidget(self._shown, 1)
        self.chips = SlotChips(session, self)
        layout.addWidget(self.chips)
        layout.addWidget(self.strip)
        self.strip.side_by_side.connect(self._show_side_by_side)
        self.strip.values_changed.connect(self._show_multiples)
        self.multiples.chosen.connect(self._leave_multiples)
        self.export = PictureExport(session, self)
        self.strip.picture_wanted.connect(lambda: self.export.ask(self.picture()))
        self.view.painted.connect(self._note_painted)
        self.view.clicked.connect(session.chosen.choose_hat)
        self._marks = MapMarks(self.view, session)
        self.view.failed.connect(session.failed)
        theme.changed.connect(lambda: self.view.set_theme(theme.colours.dark))
        session.contributions_changed.connect(self._show_grid)
        session.forecast_changed.connect(self._show_cells)
        session.pinned_changed.connect(self._refresh)
        session.published_changed.connect(self._show_release)
        session.number_changed.connect(self._refresh)
        session.slot_changed.connect(self._show_slot)
        session.data_changed.connect(self._show_outline)
        session.draft_changed.connect(self._show_outline)
        session.draft_changed.connect(self._show_otherwise)
        session.hat_chosen.connect(self._show_hat)
        self._ink = ink_of_counts(session.planning, self, self.strip.chart)
        self._ink.changed.connect(self._refresh)
        self._show_layers()

    def _controls(self) -> QHBoxLayout:
        self.layer = ListBox(self)
        self.layer.setAccessibleName(self.tr("Layer of the map"))
        self.layer.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.layer.setMinimumContentsLength(_LETTERS)
        self.layer.setMinimumWidth(_LEAST_LAYER)
        for layer in self._layers:
            self.layer.addItem(layer.title, layer.key)
        self.layer.currentIndexChanged.connect(self._choose_layer)
        self.slot = QSlider(Qt.Orientation.Horizontal, self)
        self.slot.setMinimumWidth(_LEAST_SLOT)
        self.slot.setAccessibleName(self.tr("Timeslot shown on the map"))
        self.slot.valueChanged.connect(self._session.chosen.show_slot)
        self.slot_text = plain_label(parent=self)
        self.slot_text.setProperty("look", "heading")
        self.slot_text.ensurePolished()  # in its bold letters
        self.slot_text.setMinimumWidth(self.slot_text.fontMetrics().horizontalAdvance("00:00 – 00:00") + 8)
        return in_row(None, self.layer, (self.slot, 1), self.slot_text)

    def _own_maps(self) -> QHBoxLayout:
        """Which number of a release is shown, the search for places, and the layers of the analyst's own.

        And the way back to all hexagons, which would leave no room above for the longest name of a layer.
        """
        own = self._session.own_layers
        self.number = NumberBox(self._session, self)
        self.number.setMinimumWidth(_LEAST_NUMBER)
        self.search = PlaceSearch(lambda: own.index, lambda: self._cells, self)
        self.search.position_chosen.connect(self._go_to)
        self.search.hexagon_chosen.connect(self._go_to_hexagon)
        self.search.not_found.connect(self._tell_not_found)
        self.search.emptied.connect(self.view.unlocate)
        own.places_changed.connect(self._refresh)
        self.setAcceptDrops(True)
        self.whole = QPushButton(self.tr("Whole map"), self)
        self.whole.setToolTip(self.tr("Zoom so that all hexagons are seen"))
        self.whole.clicked.connect(self.view.fit)
        self.overlays = MapOverlays(own, self.view, self)  # after these, as the Tab key goes
        return in_row(None, (self.number, 1), (self.search, 1), self.whole, self.overlays.button)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Maps that are dropped here are put on the map; the window takes everything else."""
        if dropped_layers(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        self.overlays.add_files(dropped_layers(event.mimeData()))
        event.acceptProposedAction()

    def _go_to(self, latitude: float, longitude: float) -> None:
        draft = self._session.draft
        each = [cell_at(latitude, longitude, one) for one in draft.mixed or (draft.resolution,)]
        cell = next((one for one in reversed(each) if one in self._known), each[-1])
        if cell in self._known:
            self._session.chosen.choose_hat(cell)
        self.view.locate(latitude, longitude, cell)

    def _go_to_hexagon(self, cell: str) -> None:
        self._session.chosen.choose_hat(cell)
        self.view.zoom_to(cell)

    def _tell_not_found(self, typed: str) -> None:
        self._session.noted.emit(
            self.tr("Nothing on the map is called {text}; names come from layers.").format(text=typed)
        )

    @property
    def _layer(self) -> Layer:
        return self._layers[self.layer.currentIndex()]

    def _show_grid(self) -> None:
        overview, contributions = self._session.overview, self._session.contributions
        if overview is None or contributions is None:
            return
        self._show_slots()
        self._show_cells()

    def _show_slots(self) -> None:
        """The slider goes through the slots of the labels that are shown."""
        slots = self._session.chosen.slots
        self.slot.blockSignals(True)
        self.slot.setRange(slots.start, slots.stop - 1)
        self.slot.setValue(self._session.chosen.slot)
        self.slot.setEnabled(len(slots) > 1)
        self.slot.blockSignals(False)

    def _show_cells(self) -> None:
        """Load the page anew where other hexagons are to be seen; not for a choice that does not fit."""
        state = self._state()
        if state is not None:
            known = self._known.issuperset(state.overview.hexagons)
            cells = self._cells if known and state.forecast is None else shown_cells(state)
            self._show_places(cells, hexagons=state.overview.places.hexagons)
        self._refresh()

    def _show_places(self, cells: tuple[str, ...], *, hexagons: bool) -> None:
        """Only places with an outline are drawn; of others the table shows what there is."""
        outlines, nothing = _NO_OUTLINES, ""
        if not hexagons:
            outlines = self._session.outlines
            cells = tuple(cell for cell in cells if cell in outlines)
            nothing = self.tr("These places have no outlines; see the table.")
        if cells != self._cells or outlines != self._outlines:
            self._cells, self._known, self._outlines = cells, frozenset(cells), outlines
            self.view.show_cells(cells, self._usual_box, outlines, nothing)
            drawn = hexagons or bool(outlines)
            if drawn is not self._drawn:
                self._drawn = drawn
                self.outlined.emit(drawn)

    @property
    def _usual_box(self) -> tuple[float, float, float, float] | None:
        """Candidates of relation `user` are all seen, wherever the records are."""
        return None if self._session.draft.relation is Relation.USER else self._session.usual_box

    def _show_layers(self) -> None:
        """Only layers that there is something to show of can be chosen.

        The wanted layer comes back as soon as there is something to show of it again; until then the raw
        one stands in for a smoothed one.
        """
        state = self._state()
        items = self.layer.model()
        assert isinstance(items, QStandardItemModel)
        shown, instead = 0, {one.key: one.instead for one in self._layers}[self._wanted]
        for row, layer in enumerate(self._layers):
            available = state is not None and layer.available(state)
            items.item(row).setEnabled(available)
            if available and layer.key in (self._wanted, instead):
                shown = row
        self.layer.blockSignals(True)
        self.layer.setCurrentIndex(shown)
        self.layer.blockSignals(False)

    def show_layer(self, key: str) -> None:
        """Show a layer as soon as there is something to show of it."""
        self._wanted = key
        self._refresh()

    def _choose_layer(self) -> None:
        self._wanted = self.layer.currentData()
        self._refresh()

    def _state(self) -> MapState | None:
        overview, contributions = self._session.overview, self._session.contributions
        if overview is None or contributions is None:
            return None
        shown_release = self._session.release
        slot, pinned = self._session.chosen.slot, self._session.pins.pinned_in_slots
        grid, chosen = contributions.window.grid, self._session.draft.resolution
        hexagons = overview.places.hexagons and self._session.draft.place_kind == HEXAGON
        unfit = hexagons and self._session.planning.problem is not None and contributions.resolution != chosen
        return MapState(
            overview=overview,
            forecast=self._session.forecast,
            sample=is_made_up(self._session),
            preview=shown_release.preview is not None,
            practice=shown_release.practised,
            otherwise=shown_release.published_otherwise,
            pinned=pinned.forecast if pinned is not None else None,
            release=shown_release.shown,
            chosen_number=shown_release.chosen_number,
            slot=slot,
            slot_text=grid.text(slot),
            slot_end=grid.end_text(slot),
            labels=grid.labels(slot),
            groups=tuple(group.name for group in grid.groups),
            outlines=self._outlines,
            places=self._session.own_layers.places,
            of_before=self._ink.on,
            still=(contributions.resolution, chosen) if unfit else None,
        )

    def _refresh(self) -> None:
        self._show_layers()
        state = self._state()
        if state is None:
            return
        self.card.show_origin(made_up=state.sample)
        layer, self._otherwise = self._layer, state.otherwise
        self.slot_text.setText(f"{state.slot_text} – {state.slot_end}")
        self.slot.setAccessibleDescription(self.slot_text.text())
        self._painting.start(lambda _: paint(layer, state), what=self.tr("Colouring the map…"))
        self._follow_slots(layer, state)
        self.strip.offer_picture(refusal_of(layer, state))
        self._inspect(state)

    def _show_otherwise(self) -> None:
        """What is shown as released is of other settings now, or of the same again; a plan comes later."""
        if self._session.release.published_otherwise is not self._otherwise:
            self._refresh()

    def _follow_slots(self, layer: Layer, state: MapState) -> None:
        contributions = self._session.contributions
        if contributions is not None:
            window = contributions.window
            self.strip.follow(layer, state, self._session.chosen.slots, window.grid)

    def picture(self) -> PictureOffer:
        """A picture of what is shown, or why there is none."""
        layer, state, session = self._layer, self._state(), self._session
        if state is None or session.source is None:
            missing = nothing_loaded().what
            return PictureOffer(name="", refusal=missing, make=partial(refuse, missing))
        published, draft = session.release.published, session.draft
        zone = draft.zone or session.source.rules.zone or ""
        bundle = published.bundle if published is not None else None
        stem = bundle.name if bundle is not None and not layer.by_constants else draft.name or "hexveil"
        return PictureOffer(
            name=f"{stem}-{layer.key}-{state.slot_text.replace(':', '')}",
            refusal=refusal_of(layer, state),
            make=lambda: layer_picture(layer, state, draft, bundle, zone),
        )

    def _show_side_by_side(self, wanted: bool) -> None:
        self._shown.setCurrentWidget(self.multiples if wanted else self.view)
        self._show_multiples()

    def _show_multiples(self) -> None:
        """While they are seen: all slots of the layer, with the classes of the map."""
        state, values = self._state(), self.strip.values
        if state is not None and values is not None and self._shown.currentWidget() is self.multiples:
            title, unit = heading(self._layer, state)
            shown = f"{title} ({unit})" if unit else title
            self.multiples.show_layer(
                shown,
                values,
                self.strip.chart.bars,
                self.strip.slots,
                self._classes,
                self._cells,
                outside=self._outside,
                confidential=is_confidential(self._layer, state),
                note=self._note,
                outlines=self._outlines,
            )

    def _leave_multiples(self, slot: int) -> None:
        self._session.chosen.show_slot(slot)
        self.strip.all_slots.setChecked(False)
        self.view.take_keyboard()

    def _note_painted(self) -> None:
        """The player goes on once the newest painting is seen, and not one before it."""
        if not self._painting.running:
            self.strip.player.note_seen()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """What nobody sees is not played."""
        super().hideEvent(event)
        if self.__dict__:
            self.strip.player.stop()

    def _paint(self, painting: MapPainting) -> None:
        self.view.paint(painting)
        self._marks.follow(painting, self._session.chosen.slot)
        if self._shown.currentWidget() is self.multiples:
            self.strip.player.note_seen()  # the map itself is hidden, and draws nothing
        shown = painting.classes, painting.outside, painting.note
        if shown != (self._classes, self._outside, self._note):
            self._classes, self._outside, self._note = shown
            self._show_multiples()

    def _inspect(self, state: MapState) -> None:
        """The card of the chosen hexagon, as the newest plans and release have it."""
        hat, table = self._session.chosen.hat, self._session.contributions
        if hat is None or table is None or hat[0] not in self._known:
            self._inspecting.drop()
            self.card.show_content(None)
            return
        cell, draft, slots = hat[0], self._session.draft, self._session.chosen.slots

        def work(_: Progress) -> CardContent:
            window, plan = table.window, state.forecast.plan if state.forecast is not None else None
            ruled = require_rule(draft.rule).cell_file is None
            released, aside = released_text(state, cell)
            return CardContent(
                facts=hexagon_facts(state.overview, state.forecast, cell, slots),
                slot=state.slot,
                grid=window.grid,
                measure=plan.query.question.statistic.measures[0] if plan is not None else None,
                required=window.days_of(state.slot) * draft.threshold if ruled else None,
                threshold=draft.threshold,
                released=released,
                aside=aside,
                place=state.places.get(cell, ""),
                compared=difference_text(state, cell),
            )

        self._inspecting.start(work, what=self.tr("Looking into the hexagon…"))

    def _show_outline(self) -> None:
        """The boundary that the hexagons are chosen by, as its file draws it."""
        draft, source = self._session.draft, self._session.source
        chosen = source is not None and draft.rule == Boundary.key
        path = source.files[0].parent / draft.cells_file if source and chosen else None
        if path == self._outlined:
            return
        self._outlined = path
        if path is None:
            self._outlining.drop()
            self.view.outline(())
        else:
            self._outlining.start(lambda _: outline_of(path), what=self.tr("Reading the outline…"))

    def _show_release(self) -> None:
        """A new release is what the person wants to see."""
        numbers = self._session.release.numbers
        if self._session.release.shown is not None:
            # of shares and percentiles the smoothed ones stand in front
            in_front = any(one.label is not None and one.smoothed for one in numbers)
            self._wanted = SMOOTHED_VALUE if in_front else RELEASED_MEAN
        (layer,) = (one for one in self._layers if one.key == RELEASED_MEAN)
        made_up = self._session.release.preview is not None
        title = self.tr("Published number (made up)") if made_up else layer.title
        self.layer.setItemText(self.layer.findData(RELEASED_MEAN), title)
        self._show_cells()

    def _show_slot(self, slot: int) -> None:
        del slot
        self._show_slots()
        self._refresh()

    def _show_hat(self) -> None:
        hat, state = self._session.chosen.hat, self._state()
        self.view.select(hat[0] if hat else None)
        if state is not None:
            self._inspect(state)
