"""ui.map.page: the layer, the slot and the click, on one page that is never loaded twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from core.privacy import Relation, Unit
from core.release.prepare_publish import PublishedRelease
from core.system.paths import find_home
from tests.builders import make_release
from tests.core.charts.test_hexagon_map import MAP
from tests.core.release.test_value_query import share_query
from tests.ui.languages import spoken
from tests.ui.small_city import edit, loaded_session
from tests.ui.user_actions import pick, slide
from ui.kit.jobs import JobWork, cancel_all, wait_for_all
from ui.kit.theme import Mode, Theme
from ui.language.translation import catalogue_of
from ui.map.layer_picture import PictureOffer
from ui.map.page import MapMarks, MapTab, PictureExport
from ui.session.session import Session
from ui.web_map.map_view import MapView
from ui.web_map.painting import SUPPRESSED_FILL, LegendClass, MapPainting

PAGE_MS = 15_000


class Shown:
    """A tab with what it painted, and how often the page was loaded."""

    def __init__(self, session: Session, theme: Theme) -> None:
        self.session = session
        self.tab = MapTab(session, theme)
        self.paintings: list[MapPainting] = []
        self.loads = 0
        self.tab._painting.succeeded.connect(self.paintings.append)
        self.tab.view._web.loadStarted.connect(self._count)

    def _count(self) -> None:
        self.loads += 1

    def settle(self, qtbot: QtBot) -> MapPainting:
        """Wait until everything asked for is painted; the newest painting."""
        qtbot.waitUntil(
            lambda: (
                self.tab.view.is_ready
                and not self.session.busy
                and not self.tab._painting.running
                and bool(self.paintings)
            ),
            timeout=PAGE_MS,
        )
        return self.paintings[-1]

    def available(self) -> list[str]:
        items = self.tab.layer.model()
        assert isinstance(items, QStandardItemModel)
        rows = range(self.tab.layer.count())
        return [self.tab.layer.itemData(row) for row in rows if items.item(row).isEnabled()]


class Held:
    """The strip's comparing of slots, which waits to be told."""

    def __init__(self, shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
        self._strip = shown.tab.strip
        self._works: list[JobWork] = []
        monkeypatch.setattr(self._strip._computing, "start", lambda work, **_: self._works.append(work))

    def do(self) -> None:
        """What was asked for last."""
        self._strip._computing.succeeded.emit(self._works[-1](lambda *_: None))


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return loaded_session(qtbot, tmp_path)


@pytest.fixture
def shown(qtbot: QtBot, session: Session, theme: Theme) -> Iterator[Shown]:
    made = Shown(session, theme)
    qtbot.addWidget(made.tab)
    made.tab.resize(900, 600)
    made.tab.show()
    edit(qtbot, session, threshold=3, resolution=6)
    edit(qtbot, session, resolution=7)
    made.settle(qtbot)
    yield made
    cancel_all()
    assert wait_for_all(30)
    guard, complaints = made.tab.view.guard.blocked, made.tab.view.complaints
    made.tab.view.dispose()
    assert guard == []
    assert complaints == []


def publish(session: Session) -> None:
    release = SimpleNamespace(bundle=Path("bundle"), release=make_release())
    session.release.set_published(cast(PublishedRelease, release))


def test_sliding_over_slots_repaints_without_a_reload(qtbot: QtBot, shown: Shown, session: Session) -> None:
    loads, first = shown.loads, shown.settle(qtbot)
    assert shown.tab.slot_text.text() == "09:00 – 10:00"
    assert (shown.tab.slot.minimum(), shown.tab.slot.maximum()) == (9, 20)
    assert len(first.fills) == 3
    slide(qtbot, shown.tab.slot, 2)
    painting = shown.settle(qtbot)
    assert session.chosen.slot == 11
    assert shown.tab.slot_text.text() == "11:00 – 12:00"
    assert not painting.fills
    session.chosen.show_slot(10)
    assert shown.tab.slot.value() == 10
    assert len(shown.settle(qtbot).fills) == 3
    assert shown.loads == loads


def test_another_layer_repaints_without_a_reload(qtbot: QtBot, shown: Shown) -> None:
    loads = shown.loads
    assert shown.settle(qtbot).title == "Distinct vehicles"
    pick(qtbot, shown.tab.layer, "selected")
    assert shown.settle(qtbot).title == "Selection"
    assert shown.loads == loads


def test_layers_are_offered_as_they_come(qtbot: QtBot, shown: Shown, session: Session) -> None:
    assert shown.available() == ["vehicles", "selected"]
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE)
    assert shown.available() == ["vehicles", "selected", "typical-error"]
    edit(qtbot, session, threshold=50)
    assert shown.available() == ["vehicles"]
    assert shown.settle(qtbot).title == "Distinct vehicles"


def test_hexagons_that_stay_because_the_choices_do_not_fit_say_so(
    qtbot: QtBot, shown: Shown, session: Session
) -> None:
    assert shown.settle(qtbot).note == ""
    edit(qtbot, session, resolution=8, date_ranges=())
    assert shown.settle(qtbot).note.startswith("Still resolution 7")
    edit(qtbot, session, resolution=7)
    assert shown.settle(qtbot).note == ""


def test_counts_that_stay_because_the_choices_do_not_fit_are_at_half_ink(
    qtbot: QtBot, shown: Shown, session: Session
) -> None:
    edit(qtbot, session, slot_minutes=240, hours=("08:00", "13:00"))
    qtbot.waitUntil(lambda: shown.settle(qtbot).of_before)
    with qtbot.waitSignal(session.forecast_changed):
        session.undo_stack.undo()
    qtbot.waitUntil(lambda: not shown.settle(qtbot).of_before)


def test_the_wanted_layer_comes_back(qtbot: QtBot, shown: Shown, session: Session) -> None:
    pick(qtbot, shown.tab.layer, "selected")
    edit(qtbot, session, threshold=50)
    assert shown.tab.layer.currentData() == "vehicles"
    edit(qtbot, session, threshold=3)
    assert shown.tab.layer.currentData() == "selected"
    edit(qtbot, session, resolution=6)
    assert shown.settle(qtbot).title == "Selection"


def test_a_release_is_shown_at_once(qtbot: QtBot, shown: Shown, session: Session) -> None:
    publish(session)
    assert shown.tab.layer.currentData() == "released-mean"
    painting = shown.settle(qtbot)
    assert (painting.title, painting.confidential) == ("Released mean speed", False)
    pick(qtbot, shown.tab.layer, "interval-width")
    assert shown.settle(qtbot).title == "Width of the 95 % interval"
    session.release.set_published(None)
    assert shown.tab.layer.currentData() == "vehicles"
    assert shown.settle(qtbot).confidential


def test_a_release_of_other_settings_says_so_as_soon_as_they_differ(
    qtbot: QtBot, shown: Shown, session: Session
) -> None:
    session.edit("Population", population="Buses")
    publish(session)
    assert shown.settle(qtbot).note == ""
    session.edit("Population", population="Trams")  # nothing is planned anew for that
    assert shown.settle(qtbot).note == "Made with other settings than those chosen now."
    session.undo_stack.undo()
    assert shown.settle(qtbot).note == ""


def test_a_click_chooses_the_hat_everywhere(qtbot: QtBot, shown: Shown, session: Session) -> None:
    assert session.overview is not None
    cell = session.overview.cells[0]
    slide(qtbot, shown.tab.slot, 1)
    with qtbot.waitSignal(session.hat_chosen):
        shown.tab.view._bridge.cellClicked(cell)
    assert session.chosen.hat == (cell, 10)
    assert shown.tab.view._selected == cell
    session.chosen.choose_hat(None)
    assert shown.tab.view._selected is None


def test_a_click_while_the_grid_changes_breaks_nothing(qtbot: QtBot, shown: Shown, session: Session) -> None:
    assert session.overview is not None
    cell = session.overview.cells[0]
    session.edit("Resolution", resolution=6)
    shown.tab.view._bridge.cellClicked(cell)
    shown.settle(qtbot)
    assert session.chosen.hat is None
    assert shown.tab.view._selected is None
    assert shown.tab.view._cells == tuple(dict.fromkeys(session.overview.cells))


def test_the_slot_is_named_as_the_map_has_it_while_a_new_one_does_not_fit(
    qtbot: QtBot, shown: Shown, session: Session
) -> None:
    edit(qtbot, session, slot_minutes=30, hours=("09:15", "12:00"))
    slide(qtbot, shown.tab.slot, 1)
    assert shown.tab.slot_text.text() == "10:00 – 11:00"


def test_the_map_follows_the_theme(shown: Shown, theme: Theme) -> None:
    loads = shown.loads
    theme.set_mode(Mode.DARK)
    assert shown.tab.view._dark
    theme.set_mode(Mode.LIGHT)
    assert not shown.tab.view._dark
    assert shown.loads == loads


def test_without_data_no_layer_is_offered(theme: Theme) -> None:
    shown = Shown(Session(find_home()), theme)
    assert shown.available() == []
    assert shown.tab.layer.accessibleName()
    assert shown.tab.slot.accessibleName()
    shown.tab.view.dispose()
    shown.tab.close()


def test_on_a_narrow_screen_the_slider_can_still_be_dragged(shown: Shown) -> None:
    shown.tab.resize(shown.tab.minimumSizeHint().width(), 400)
    QApplication.processEvents()
    assert shown.tab.slot.width() >= 100
    assert shown.tab.minimumSizeHint().width() <= 560  # what a screen of 960 leaves beside the steps


@pytest.mark.parametrize("language", ["en", "hi"])
def test_which_number_is_shown_has_room_in_a_narrow_column(
    session: Session, theme: Theme, qapp: QApplication, language: str
) -> None:
    """405 pixels: what 1920x1080 leave beside page and panel at 150 %."""
    with spoken(qapp, catalogue_of(language)):
        made = Shown(session, theme)
        session.release.show_preview(make_release(queries=(share_query(),)))
        assert not made.tab.number.isHidden()
        assert made.tab.minimumSizeHint().width() <= 405
        made.tab.view.dispose()
        made.tab.close()


def settle_strip(qtbot: QtBot, shown: Shown) -> list[str]:
    """Wait until the strip tells of what is shown; its words."""
    shown.settle(qtbot)
    qtbot.waitUntil(lambda: shown.tab.strip.settled, timeout=PAGE_MS)
    return [bar.words for bar in shown.tab.strip.chart.bars]


def test_the_strip_tells_of_the_layer_and_chooses_the_slot(
    qtbot: QtBot, shown: Shown, session: Session
) -> None:
    strip = shown.tab.strip
    words = settle_strip(qtbot, shown)
    assert len(words) == 12
    assert words[0] == "09:00 – 10:00: median 3 vehicles of 3 hexagon slots"
    assert words[2] == "11:00 – 12:00: no number"
    assert strip.badge.isVisible()
    assert strip.chart.accessibleName() == "Distinct vehicles: median per slot"
    strip.chart.setFocus()
    qtbot.keyClick(strip.chart, Qt.Key.Key_Right)
    assert session.chosen.slot == 10
    assert strip.chart.current == 1
    publish(session)
    words = settle_strip(qtbot, shown)
    assert words[0] == "09:00 – 10:00: median 25.8 km/h of 2 hexagon slots"
    assert words[1] == "10:00 – 11:00: median 0.50 km/h of 1 hexagon slot, 1 suppressed"
    assert not strip.badge.isVisible()


def test_in_a_narrow_column_the_strip_still_says_what_its_bars_are(
    qtbot: QtBot, shown: Shown, session: Session
) -> None:
    """A picture that is refused gives way: the menu says why there is none."""
    strip = shown.tab.strip
    settle_strip(qtbot, shown)
    assert strip.picture.isVisible()
    shown.tab.resize(397, 500)
    QApplication.processEvents()
    assert strip.badge.isVisible()
    assert strip.title.shown_text == "Median per slot"
    assert not strip.picture.isVisible()
    publish(session)
    settle_strip(qtbot, shown)
    assert strip.title.shown_text.startswith("Median per slot")
    assert strip.picture.isVisible()


def test_playing_goes_from_slot_to_slot_as_the_map_has_painted(
    qtbot: QtBot, shown: Shown, session: Session
) -> None:
    strip, slots = shown.tab.strip, []
    settle_strip(qtbot, shown)
    session.slot_changed.connect(slots.append)
    strip.player.set_speed(1)
    session.chosen.show_slot(18)
    strip.play.click()
    assert strip.play.text() == "Pause"
    assert not strip.picture.isVisible(), "the title has its room meanwhile"
    qtbot.waitUntil(lambda: not strip.player.running, timeout=PAGE_MS)
    assert slots == [18, 19, 20]
    assert strip.play.text() == "Play"
    assert strip.picture.isVisible()
    strip.play.click()
    shown.tab.hide()
    assert not strip.player.running
    shown.tab.show()


def test_one_slot_is_no_strip(qtbot: QtBot, shown: Shown, session: Session) -> None:
    edit(qtbot, session, slot_minutes=240, hours=("08:00", "12:00"))
    settle_strip(qtbot, shown)
    strip = shown.tab.strip
    assert not strip.chart.isVisible()
    assert not strip.play.isVisible()
    assert strip.title.text() == "Only one slot, 08:00 to 12:00: nothing to compare."


def test_marks_of_other_slots_are_dots_in_the_strip(qtbot: QtBot, shown: Shown, session: Session) -> None:
    settle_strip(qtbot, shown)
    assert session.overview is not None
    first, second, _ = session.overview.hexagons
    session.marked.take([(first, 9), (second, 10), (first, 10)])
    assert shown.tab.strip.chart._marked == {0, 1}
    assert shown.tab.view._marked == {first}
    session.chosen.show_slot(10)
    shown.settle(qtbot)
    assert shown.tab.view._marked == {first, second}


def test_all_slots_side_by_side_and_back_to_one(qtbot: QtBot, shown: Shown, session: Session) -> None:
    settle_strip(qtbot, shown)
    tab = shown.tab
    tab.strip.all_slots.click()
    qtbot.waitUntil(lambda: tab.multiples.settled, timeout=PAGE_MS)
    assert tab.multiples.isVisible()
    assert not tab.view.isVisible()
    assert len(tab.multiples.tiles) == 12
    assert tab.multiples.badge.isVisible()
    pick(qtbot, tab.layer, "selected")
    settle_strip(qtbot, shown)
    assert tab.multiples.title.text() == "Selection"
    publish(session)
    session.edit("Population", population="Trams")
    settle_strip(qtbot, shown)
    qtbot.waitUntil(tab.multiples.note.isVisible, timeout=PAGE_MS)
    assert tab.multiples.note.text() == "Made with other settings than those chosen now."
    assert not tab.multiples.badge.isVisible()
    tab.strip.player.set_speed(1)
    session.chosen.show_slot(18)
    tab.strip.play.click()
    qtbot.waitUntil(lambda: session.chosen.slot == 20, timeout=PAGE_MS)
    qtbot.waitUntil(lambda: not tab.strip.player.running, timeout=PAGE_MS)
    qtbot.mouseClick(tab.multiples.tiles[1], Qt.MouseButton.LeftButton)
    assert session.chosen.slot == 10
    assert tab.view.isVisible()
    assert not tab.strip.all_slots.isChecked()


def test_while_it_plays_the_strip_has_room_in_a_narrow_place(qtbot: QtBot, shown: Shown) -> None:
    """397 pixels: what 1920x1080 leave the map at 150 %. The whole page scrolled sideways."""
    settle_strip(qtbot, shown)
    strip = shown.tab.strip
    shown.tab.resize(397, 600)
    strip.repeat.setChecked(True)
    strip.toggle()
    qtbot.waitUntil(lambda: not strip.all_slots.isVisible(), timeout=PAGE_MS)
    shown.tab.resize(900, 600)
    qtbot.waitUntil(strip.all_slots.isVisible, timeout=PAGE_MS)
    shown.tab.resize(397, 600)
    qtbot.waitUntil(lambda: not strip.all_slots.isVisible(), timeout=PAGE_MS)
    strip.toggle()
    assert strip.all_slots.isVisible()


@pytest.fixture
def held(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> Held:
    """From now on no slots are compared until the test does it."""
    return Held(shown, monkeypatch)


def test_true_counts_keep_their_name_until_other_numbers_are_there(
    qtbot: QtBot, shown: Shown, session: Session, held: Held
) -> None:
    """They stood below `Released mean speed`, without frame or tag, for as long as slots were compared."""
    tab = shown.tab
    publish(session)
    pick(qtbot, tab.layer, "vehicles")
    tab.strip.all_slots.click()
    shown.settle(qtbot)
    held.do()
    qtbot.waitUntil(lambda: tab.multiples.settled, timeout=PAGE_MS)
    counts = tab.multiples._values
    pick(qtbot, tab.layer, "released-mean")
    session.chosen.show_slot(10)
    assert shown.settle(qtbot).title == "Released mean speed"
    assert tab.multiples._values is counts
    assert tab.multiples.title.text().startswith("Distinct vehicles")
    assert tab.multiples.badge.isVisible()
    assert tab.multiples._confidential
    assert tab.strip.badge.isVisible()
    assert tab.strip.title.text() == "Distinct vehicles: median per slot"
    assert tab.strip.chart.accessibleName() == tab.strip.title.text()
    held.do()
    assert tab.multiples._values is not counts
    assert tab.multiples.title.text() == "Released mean speed (km/h)"
    assert not tab.multiples.badge.isVisible()
    assert not tab.multiples._confidential
    assert not tab.strip.badge.isVisible()
    assert tab.strip.chart.accessibleName().startswith("Released mean speed")


def test_bars_of_other_slots_go_at_once(qtbot: QtBot, shown: Shown, session: Session, held: Held) -> None:
    """Nobody sees the bar of one slot; it was seen, without a tag, as soon as there were several."""
    edit(qtbot, session, slot_minutes=240, hours=("08:00", "12:00"))
    shown.settle(qtbot)
    held.do()
    strip = shown.tab.strip
    assert len(strip.chart.bars) == 1
    edit(qtbot, session, slot_minutes=60)
    shown.settle(qtbot)
    assert strip.chart.isVisible()
    assert strip.chart.bars == ()
    assert strip.title.text() == ""
    held.do()
    assert len(strip.chart.bars) == 4
    assert strip.badge.isVisible()
    assert strip.title.text() == "Distinct vehicles: median per slot"


def test_a_picture_is_offered_of_a_release_and_refused_with_its_reason_else(
    qtbot: QtBot, shown: Shown, session: Session
) -> None:
    settle_strip(qtbot, shown)
    tab = shown.tab
    assert not tab.strip.picture.isEnabled()
    assert "confidential" in tab.strip.picture.toolTip()
    assert "confidential" in tab.picture().refusal
    publish(session)
    settle_strip(qtbot, shown)
    assert tab.strip.picture.isEnabled()
    assert tab.picture().refusal == ""
    assert tab.picture().name == "bundle-released-mean-0900"
    pick(qtbot, tab.layer, "vehicles")
    settle_strip(qtbot, shown)
    assert not tab.strip.picture.isEnabled()


PAINTING = MapPainting(
    title="Mean",
    confidential=False,
    classes=(LegendClass("low", "#112233"), LegendClass("high", "#445566")),
    fills={"a": 0, "b": 1, "c": 1, "d": SUPPRESSED_FILL},
    tooltips={},
)


class FakeView(QObject):
    """What the marks know of a map."""

    toggled = Signal(str)
    brushed = Signal(object)
    class_pressed = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        self.shown: frozenset[str] = frozenset()

    def mark(self, cells: frozenset[str]) -> None:
        self.shown = cells


class Marked:
    """A session, and the map that follows it."""

    def __init__(self) -> None:
        self.session = Session(find_home(None))
        self.view = FakeView()
        self.marks = MapMarks(cast(MapView, self.view), self.session)
        self.marks.follow(PAINTING, 9)

    @property
    def hats(self) -> set[tuple[str, int]]:
        return set(self.session.marked.hats)


@pytest.fixture
def marked() -> Marked:
    return Marked()


def test_ctrl_click_adds_and_takes_away(marked: Marked) -> None:
    marked.view.toggled.emit("a")
    marked.view.toggled.emit("b")
    marked.view.toggled.emit("a")
    assert marked.hats == {("b", 9)}
    marked.view.toggled.emit("nothing here")
    assert marked.hats == {("b", 9)}


def test_a_rectangle_marks_hats_and_no_empty_hexagon(marked: Marked) -> None:
    marked.view.toggled.emit("d")
    marked.view.brushed.emit(("a", "b", "nothing here"))
    assert marked.hats == {("a", 9), ("b", 9), ("d", 9)}
    assert marked.view.shown == {"a", "b", "d"}


def test_a_class_of_the_legend(marked: Marked) -> None:
    marked.view.class_pressed.emit(1, False)
    assert marked.hats == {("b", 9), ("c", 9)}
    marked.view.class_pressed.emit(SUPPRESSED_FILL, True)
    assert marked.hats == {("b", 9), ("c", 9), ("d", 9)}
    marked.view.class_pressed.emit(0, False)
    assert marked.hats == {("a", 9)}


def test_only_marks_of_the_slot_are_seen(marked: Marked) -> None:
    marked.session.marked.take([("a", 9), ("b", 10)])
    assert marked.view.shown == {"a"}
    marked.marks.follow(PAINTING, 10)
    assert marked.view.shown == {"b"}


def test_the_chosen_hat_alone_lets_the_others_be(marked: Marked) -> None:
    marked.session.chosen.choose_hat("a", 9)
    assert marked.view.shown == frozenset()
    marked.view.toggled.emit("b")
    assert marked.view.shown == {"a", "b"}


OFFER = PictureOffer(name="surat-1.0.0-released-mean-0900", refusal="", make=lambda: MAP)


@pytest.fixture
def export(qtbot: QtBot) -> PictureExport:
    widget = QWidget()
    qtbot.addWidget(widget)
    return PictureExport(Session(find_home(None), widget), widget)


def answer(monkeypatch: pytest.MonkeyPatch, path: Path, kind: str) -> list[str]:
    """Let the dialog answer; what it proposed."""
    proposed: list[str] = []

    def ask(_parent: QWidget, _title: str, start: str, _kinds: str) -> tuple[str, str]:
        proposed.append(Path(start).name)
        return str(path), kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    return proposed


def test_it_proposes_a_name_and_adds_the_ending(
    qtbot: QtBot, export: PictureExport, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proposed = answer(monkeypatch, tmp_path / "surat", "PDF (*.pdf)")
    with qtbot.waitSignal(export._session.noted, timeout=10_000) as noted:
        export.ask(OFFER)
    assert proposed == ["surat-1.0.0-released-mean-0900.png"]
    assert noted.args == [f"The picture is in {tmp_path / 'surat.pdf'}"]
    assert (tmp_path / "surat.pdf").read_bytes().startswith(b"%PDF")
    with qtbot.waitSignal(export._session.failed, timeout=10_000) as failed:
        export.ask(OFFER)
    assert failed.args is not None
    assert "already" in str(failed.args[0])


def test_what_is_refused_is_not_asked_about(
    qtbot: QtBot, export: PictureExport, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proposed = answer(monkeypatch, tmp_path / "a.png", "")
    refused = PictureOffer(name="", refusal="this layer is confidential", make=lambda: MAP)
    with qtbot.waitSignal(export._session.noted, timeout=10_000) as noted:
        export.ask(refused)
    assert noted.args == ["No picture: this layer is confidential."]
    assert proposed == []
