"""ui.map.overlay_panel: layers are added, ordered, styled and removed, each as one undo step."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QCheckBox, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.geodata.map_layer import MOST_LAYERS, MapLayer
from core.system.paths import resources
from tests.geojson import feature, write_geojson
from tests.layer_files import picture, write_mbtiles
from tests.ui.languages import spoken
from tests.ui.small_city import TIMEOUT, loaded_session
from tests.ui.user_actions import press, show
from ui.kit.theme import Theme
from ui.language.translation import catalogue_of
from ui.map.overlay_panel import OverlayPanel
from ui.session.session import Session

POINT = {"type": "Point", "coordinates": [72.8, 21.2]}


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return loaded_session(qtbot, tmp_path)


@pytest.fixture
def panel(qtbot: QtBot, session: Session) -> OverlayPanel:
    over = QWidget()
    show(qtbot, over, width=700, height=640)
    made = OverlayPanel(session.own_layers, over)
    made.show()
    return made


def stops(folder: Path, name: str) -> Path:
    document = {"type": "FeatureCollection", "features": [feature(POINT, {"name": "Udhna", "ref": 1})]}
    return write_geojson(folder / name, document)


def add(qtbot: QtBot, panel: OverlayPanel, session: Session, *paths: Path) -> None:
    count = len(session.draft.layers) + len(paths)
    panel.add_files(list(paths))
    qtbot.waitUntil(
        lambda: len(session.draft.layers) == count and not session.own_layers.busy, timeout=TIMEOUT
    )


def rows(panel: OverlayPanel) -> list[str]:
    return [panel.list.item(row).text().partition("\n")[0] for row in range(panel.list.count())]


def test_the_list_is_as_high_as_its_rows_up_to_a_limit(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    heights = []
    for name in "abcdefgh":
        add(qtbot, panel, session, stops(tmp_path, f"{name}.geojson"))
        heights.append(panel.list.height())
        if name == "b":
            last = panel.list.visualItemRect(panel.list.item(panel.list.count() - 1))
            assert last.bottom() < panel.list.viewport().height() < last.bottom() + last.height()
    assert heights[0] < heights[1] < heights[-1] == 150


def test_layers_are_added_moved_past_the_hexagons_and_removed(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    add(qtbot, panel, session, stops(tmp_path, "a.geojson"), stops(tmp_path, "b.geojson"))
    assert rows(panel) == ["Hexagons", "a", "b"]
    assert "1 feature" in panel.list.item(1).text()
    panel.list.choose(1)
    press(qtbot, panel.up)
    assert rows(panel) == ["Hexagons", "b", "a"]
    press(qtbot, panel.up)
    assert rows(panel) == ["b", "Hexagons", "a"]
    assert session.draft.layers[0].over
    press(qtbot, panel.down)
    assert rows(panel) == ["Hexagons", "b", "a"]
    press(qtbot, panel.remove)
    assert rows(panel) == ["Hexagons", "a"]
    for _ in range(3):
        session.undo_stack.undo()
    assert rows(panel) == ["Hexagons", "b", "a"]


def test_a_layer_without_a_feature_says_that_it_is_empty(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    empty = write_geojson(tmp_path / "empty.geojson", {"type": "FeatureCollection", "features": []})
    add(qtbot, panel, session, empty, stops(tmp_path, "a.geojson"))
    assert panel.list.item(1).text() == "empty\n! empty: the file contains no feature to draw"
    assert "! empty" not in panel.list.item(2).text()


def test_what_the_page_says_at_its_top_is_not_covered(panel: OverlayPanel) -> None:
    css = (resources() / "map" / "map.css").read_text()
    (top,) = re.findall(r"\.hexveil-badge \{\s*position: absolute; top: var\(--badge-top, (\d+)px", css)
    for height in (640, 300):
        panel._over.resize(700, height)
        assert panel.y() >= int(top) + 30, "a badge is a line of text high"
        assert panel.geometry().bottom() < height


def test_a_look_is_one_step_a_drag_is_one_too(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    add(qtbot, panel, session, stops(tmp_path, "a.geojson"))
    steps = session.undo_stack.count()
    for percent in (80, 60, 40):
        panel.look.opacity.setValue(percent)
    assert session.draft.layers[0].opacity == 0.4
    assert session.undo_stack.count() == steps + 1
    panel.look.width_of_lines.setValue(4.0)
    panel.look.fill.click()
    panel.look.labels.click()
    layer = session.draft.layers[0]
    assert (layer.width, layer.fill, layer.labels) == (4.0, False, True)
    session.undo_stack.undo()
    assert not panel.look.labels.isChecked()
    panel.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert not session.draft.layers[0].visible


def test_names_come_from_a_chosen_field_and_one_layer_alone_names_hexagons(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    add(qtbot, panel, session, stops(tmp_path, "a.geojson"), stops(tmp_path, "b.geojson"))
    fields = [panel.look.name_field.itemData(row) for row in range(panel.look.name_field.count())]
    assert fields == ["", "name", "ref"]
    assert session.draft.layers[0].name_field == "name", "a field of that name is taken"
    panel.list.choose(0)
    panel.look.places.click()
    panel.list.choose(1)
    panel.look.places.click()
    assert [layer.places for layer in session.draft.layers] == [False, True]
    panel.look.name_field.setCurrentIndex(0)
    panel.look.name_field.activated.emit(0)
    assert session.draft.layers[1].name_field == ""
    assert not panel.look.places.isEnabled()


def test_pictures_have_an_opacity_and_no_names(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    add(qtbot, panel, session, write_mbtiles(tmp_path / "base.mbtiles", {(0, 0, 0): picture()}))
    assert panel.look.opacity.isVisible()
    assert not panel.look.name_field.isVisible()


def test_what_cannot_be_read_says_what_where_and_how_to_mend_it(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    panel.add_files([tmp_path / "none.gpkg"])
    qtbot.waitUntil(panel.problem.isVisible, timeout=TIMEOUT)
    assert "There is no such file" in panel.problem.text()
    assert str(tmp_path / "none.gpkg") in panel.problem.text()
    panel._over.resize(700, 210)
    QApplication.processEvents()
    seen = panel.problem.visibleRegion().boundingRect().height()
    assert seen == panel.problem.height(), "in a low map too"
    assert session.draft.layers == ()
    tiles = write_mbtiles(tmp_path / "v.mbtiles", {(0, 0, 0): b"x"}, {"format": "pbf"})
    panel.add_files([tiles])
    qtbot.waitUntil(lambda: "vector tiles" in panel.problem.text(), timeout=TIMEOUT)


def test_what_is_wrong_with_a_file_is_told_until_it_is_mended_or_removed(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    lost = stops(tmp_path, "lost.geojson")
    add(qtbot, panel, session, lost, stops(tmp_path, "b.geojson"))
    saved = session.draft.layers
    session.own_layers.edit("Remove", ())
    lost.unlink()
    session.own_layers.edit("Open", saved)
    qtbot.waitUntil(panel.problem.isVisible, timeout=TIMEOUT)
    add(qtbot, panel, session, stops(tmp_path, "c.geojson"))
    panel.list.choose(1)
    assert str(lost) in panel.problem.text(), "another layer came, and is chosen"
    panel.list.choose(next(row for row, one in enumerate(session.draft.layers) if one.file == lost))
    press(qtbot, panel.remove)
    assert not panel.problem.isVisible()


def test_what_is_wrong_with_a_new_file_stays_while_layers_change(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    add(qtbot, panel, session, stops(tmp_path, "a.geojson"))
    panel.add_files([tmp_path / "none.gpkg"])
    qtbot.waitUntil(panel.problem.isVisible, timeout=TIMEOUT)
    panel.look.opacity.setValue(50)
    session.own_layers.changed.emit()
    assert str(tmp_path / "none.gpkg") in panel.problem.text()
    add(qtbot, panel, session, stops(tmp_path, "c.geojson"))
    assert not panel.problem.isVisible(), "another file took its place"


def test_there_is_an_end_to_layers(panel: OverlayPanel, session: Session, tmp_path: Path) -> None:
    full = tuple(MapLayer(file=tmp_path / f"{number}.gpkg") for number in range(MOST_LAYERS))
    session.own_layers.edit("Add", full)
    assert not panel.add.isEnabled()
    panel._on_found([MapLayer(file=tmp_path / "more.gpkg")])
    assert str(MOST_LAYERS) in panel.problem.text()
    assert session.draft.layers == full
    session.own_layers.edit("Remove", ())


def test_escape_closes_it_and_every_control_is_named(qtbot: QtBot, panel: OverlayPanel) -> None:
    with qtbot.waitSignal(panel.closed, timeout=TIMEOUT):
        qtbot.keyClick(panel, Qt.Key.Key_Escape)
    for widget in (panel.add, panel.remove, panel.up, panel.down, panel.close_button, panel.list):
        assert widget.accessibleName()
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_every_field_of_a_layer_is_named_for_those_who_hear_it(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    """A field that shares its row with another has no label of its own."""
    add(qtbot, panel, session, stops(tmp_path, "a.geojson"))
    panel.list.choose(1)
    kinds = (QAbstractSpinBox, QComboBox)
    fields = [field for kind in kinds for field in panel.findChildren(kind) if field.isVisible()]
    names = [QAccessible.queryAccessibleInterface(field).text(QAccessible.Text.Name) for field in fields]
    assert len(fields) == 4
    assert all(names), names


def test_the_chosen_layer_has_one_ground_and_air_around_its_words(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path
) -> None:
    add(qtbot, panel, session, stops(tmp_path, "a.geojson"))
    panel.list.choose(0)
    panel.list.setFocus()
    row = panel.list.visualItemRect(panel.list.currentItem())
    assert row.height() >= 2 * panel.list.fontMetrics().lineSpacing() + 6
    picture = panel.list.viewport().grab(row).toImage()
    right = picture.width() - 4
    assert len({picture.pixel(right, y) for y in range(picture.height())}) == 1


@contextlib.contextmanager
def panel_of_two(
    qtbot: QtBot, session: Session, folder: Path, language: str, *, width: int, height: int
) -> Iterator[OverlayPanel]:
    """On a map of this size, in a language, with the first of two layers chosen."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with spoken(app, catalogue_of(language)):
        over = QWidget()
        show(qtbot, over, width=width, height=height)
        panel = OverlayPanel(session.own_layers, over)
        panel.show()
        add(qtbot, panel, session, stops(folder, "surat.geojson"), stops(folder, "b.geojson"))
        panel.list.choose(0)
        yield panel


@pytest.mark.parametrize(("language", "height"), [("en", 470), ("hi", 456)])
def test_all_of_it_is_seen_with_two_layers_on_the_map_that_a_small_screen_leaves(
    qtbot: QtBot, session: Session, tmp_path: Path, theme: Theme, language: str, height: int
) -> None:
    """470 and 456 pixels: of 1366x768, where lines of Devanagari take more of it."""
    assert theme  # the sheet
    with panel_of_two(qtbot, session, tmp_path, language, width=672, height=height) as panel:
        panel.look.places.click()
        QApplication.processEvents()
        for part in (panel.list, panel.add, panel.look, *panel.look.findChildren(QCheckBox)):
            assert part.visibleRegion().boundingRect() == part.rect(), part
        for left, right in (
            (panel.look.colour, panel.look.quiet),
            (panel.look.width_of_lines, panel.look.fill),
        ):
            assert right.x() - left.geometry().right() > 5


@pytest.mark.parametrize(("language", "height"), [("en", 214), ("hi", 204)])
def test_on_the_lowest_map_the_list_and_its_buttons_are_whole(
    qtbot: QtBot, session: Session, tmp_path: Path, theme: Theme, language: str, height: int
) -> None:
    """214 and 204 pixels: of 1366x768 at 150 %; what is set of a layer lies below, and scrolls."""
    assert theme  # the sheet
    with panel_of_two(qtbot, session, tmp_path, language, width=520, height=height) as panel:
        over = panel.parentWidget()
        QApplication.processEvents()
        for part in (panel.title, panel.list, panel.add, panel.remove, panel.up, panel.down):
            assert part.visibleRegion().boundingRect() == part.rect(), part
        last = panel.list.visualItemRect(panel.list.item(panel.list.count() - 1))
        assert panel.list.viewport().rect().contains(last)
        assert not panel.look.opacity.visibleRegion().boundingRect().height(), "no row is cut"
        assert over.rect().contains(panel.geometry())
        over.resize(520, 640)
        QApplication.processEvents()
        assert panel.y() >= 42, "the arrow that points north is seen again"


@pytest.mark.parametrize("height", [*range(200, 470, 45), 317])
def test_no_row_is_seen_in_part_without_scrolling(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path, theme: Theme, height: int
) -> None:
    assert theme  # the sheet
    add(qtbot, panel, session, stops(tmp_path, "a.geojson"), stops(tmp_path, "b.geojson"))
    panel.list.choose(0)
    panel.look.places.click()
    panel._over.resize(520, height)
    QApplication.processEvents()
    for part in (panel.add, panel.look.opacity, panel.look.labels, panel.look.colour, panel.look.fill):
        seen = part.visibleRegion().boundingRect().height()
        assert seen in (0, part.height()), part
    assert panel._over.rect().contains(panel.geometry())


@pytest.mark.parametrize("height", [*range(190, 260, 28), 214, 217])
def test_no_layer_is_seen_in_part_below_what_went_wrong(
    qtbot: QtBot, panel: OverlayPanel, session: Session, tmp_path: Path, theme: Theme, height: int
) -> None:
    assert theme  # the sheet
    add(qtbot, panel, session, stops(tmp_path, "a.geojson"), stops(tmp_path, "b.geojson"))
    QApplication.processEvents()  # what is told of a layer takes the place of what went wrong
    panel._tell(InputError("There is no such file.", where="none.gpkg", mend="check the path"))
    panel._over.resize(520, height)
    QApplication.processEvents()
    visible = panel.list.visibleRegion().boundingRect()
    seen = visible.bottom() - panel.list.frameWidth()
    ends = [panel.list.visualItemRect(panel.list.item(row)).bottom() for row in range(panel.list.count())]
    # the whole list with its frame, or whole rows of it; of a very low map all rows, and no frame below
    assert visible == panel.list.rect() or seen in (ends if height < 215 else ends[:-1])
