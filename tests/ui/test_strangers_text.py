"""What a stranger wrote is shown letter by letter: as HTML it would make Qt open the files that it names."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEvent, QModelIndex
from PySide6.QtGui import QAction, QHelpEvent, Qt, QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QGraphicsTextItem,
    QGraphicsView,
    QLabel,
    QTextEdit,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

from core.draft.draft import DataSource
from core.privacy import Relation, Unit
from core.system.paths import Home
from tests.geojson import feature, write_geojson
from tests.published_pair import write_pair
from tests.records import COLUMNS, MAPPING, rules, write_csv
from tests.ui.every_dialog import at_rest, dialogs_of
from tests.ui.small_city import pings
from tests.ui.told_texts import texts_of
from tests.ui.whole_window import bare_window, places_of, settle, wait_until
from ui.data.import_dialog import ImportDialog
from ui.data.table_speeds import TableSpeedsQuestion
from ui.kit.jobs import any_running
from ui.shell.main_window import MainWindow
from ui.shell.open_project import Opening
from ui.shell.project_questions import MovedQuestion

MARKUP = "<img src=zq7.png>"
"""No name of a file on Windows."""
_IN_NAMES = "" if os.name == "nt" else f"{MARKUP} "
_ROWS = 40
"""Of a model, at most: long ones repeat themselves."""


def planted(text: str) -> bool:
    """Whether markup stands there as markup, where Qt guesses."""
    return Qt.mightBeRichText(text) and MARKUP in text


def model_texts(model: QAbstractItemModel) -> Iterator[str]:
    """Tips of the first rows, and of the headers."""
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    for column in range(columns):
        yield str(model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) or "")
        for row in range(min(model.rowCount(), _ROWS)):
            yield str(model.data(model.index(row, column), Qt.ItemDataRole.ToolTipRole) or "")


def guessed_texts(widget: QWidget) -> Iterator[str]:
    """What Qt decides of by itself whether it is HTML."""
    yield from (widget.toolTip(), widget.whatsThis())
    yield from (text for action in widget.actions() for text in (action.toolTip(), action.whatsThis()))
    if isinstance(widget, QLabel) and widget.textFormat() is Qt.TextFormat.AutoText:
        yield widget.text()
    if isinstance(widget, QAbstractItemView | QComboBox) and widget.model() is not None:
        yield from model_texts(widget.model())
    if widget.isVisible():
        middle = widget.rect().center()
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, middle, widget.mapToGlobal(middle)))
        yield QToolTip.text()
        QToolTip.hideText()


def documents(widget: QWidget) -> Iterator[QTextDocument]:
    """What was made of texts that are HTML, or Markdown, by intent."""
    if isinstance(widget, QTextEdit):
        yield widget.document()
    if isinstance(widget, QGraphicsView) and widget.scene() is not None:
        for item in widget.scene().items():
            if isinstance(item, QGraphicsTextItem):
                yield item.document()


def read_as_html(place: QWidget) -> set[tuple[str, str]]:
    """Kind of the widget, and the text in which it reads the markup."""
    found = set()
    for widget in (place, *place.findChildren(QWidget)):
        if not isValid(widget):  # a tip is a child of what it is about, and goes as the next one comes
            continue
        kind = type(widget).__name__
        found |= {(kind, text) for text in guessed_texts(widget) if planted(text)}
        if (
            isinstance(widget, QLabel)
            and widget.textFormat() is Qt.TextFormat.RichText
            and MARKUP in widget.text()
        ):
            found.add((kind, widget.text()))
        found |= {
            (kind, "document")
            for one in documents(widget)
            if "zq7.png" in one.toHtml().partition("<body")[2].replace("&lt;img src=zq7.png", "")
        }
    found |= {
        ("QAction", action.toolTip()) for action in place.findChildren(QAction) if planted(action.toolTip())
    }
    return found


def planted_city(folder: Path) -> DataSource:
    """Columns, ids and the file's own name hold markup."""
    named = {column: f"{MARKUP} {column}" for column in COLUMNS}
    records = [one._replace(vehicle=f"{MARKUP} {one.vehicle}") for one in pings()]
    path = write_csv(folder / f"{_IN_NAMES}city.csv", records)
    head, _, rest = path.read_text("utf-8").partition("\n")
    path.write_text(",".join(named[column] for column in head.strip().split(",")) + "\n" + rest, "utf-8")
    fields = ("vehicle", "time", "latitude", "longitude", "value")
    mapping = dataclasses.replace(MAPPING, **{field: named[getattr(MAPPING, field)] for field in fields})
    return DataSource(files=(path,), rules=rules(mapping))


def plant_texts(window: MainWindow, folder: Path) -> None:
    assert window.workspace is not None
    session = window.workspace.session
    session.edit(
        "texts", title=f"{MARKUP} title", publisher=f"{MARKUP} city", contact=f"{MARKUP} a@b.example"
    )
    session.edit("population", population=f"{MARKUP} buses")
    point = {"type": "Point", "coordinates": [72.8, 21.2]}
    document = {"type": "FeatureCollection", "features": [feature(point, {"name": f"{MARKUP} stop"})]}
    layer = write_geojson(folder / f"{_IN_NAMES}stops.geojson", document)
    window.workspace.map.overlays.add_files([layer])
    wait_until(lambda: bool(session.draft.layers) and not session.own_layers.busy)


def bundles_of(window: MainWindow, folder: Path) -> Iterator[tuple[str, QWidget]]:
    """Two that are compared, and one that is verified and seen on the map."""
    workspace = window.workspace
    assert workspace is not None
    texts = {name: f"{MARKUP} {name}" for name in ("title", "publisher", "contact")}
    pair = write_pair(folder / f"{_IN_NAMES}pair", **texts)
    workspace.places.to_compare.setChecked(True)
    wait_until(lambda: workspace.compare.page is not None)
    page = workspace.compare.page
    assert page is not None
    page.open_bundles(pair)
    wait_until(lambda: page.found is not None and page.map.view.is_ready)
    for tab in range(page.tabs.count()):
        page.tabs.setCurrentIndex(tab)
        yield f"comparison {tab}", page
    workspace.open_dropped([pair[0]])
    wait_until(lambda: workspace.verify.result is not None)
    yield "verified", workspace.verify
    yield "map of the bundle", workspace.bundle


def questions(window: MainWindow, source: DataSource) -> Iterator[QDialog]:
    """Dialogs about files."""
    path = source.files[0]
    yield ImportDialog([path], window)
    yield TableSpeedsQuestion(path.name, window)
    assert window.workspace is not None
    project = window.workspace.project.project
    yield MovedQuestion(Opening(project=project, saved=source, path=path, missing=(path,)), window)


def test_no_widget_model_or_tip_reads_it_as_html(qapp: QApplication, tmp_path: Path) -> None:
    found, seen = {}, 0
    with bare_window(qapp, Home(tmp_path / "home")) as window:
        workspace = window.workspace
        assert workspace is not None
        session = workspace.session

        def look(name: str, place: QWidget) -> None:
            nonlocal seen
            wait_until(lambda: not session.busy and not any_running())
            seen += any(MARKUP in text for widget in place.findChildren(QWidget) for text in texts_of(widget))
            if faults := read_as_html(place):
                found[name] = faults

        source = planted_city(tmp_path)
        session.load(source)
        wait_until(lambda: session.forecast is not None)
        session.edit("change", relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=3)
        plant_texts(window, tmp_path)
        settle(window)
        for number, place in enumerate(places_of(window)):
            assert window.isAncestorOf(place)
            look(f"{number} {type(place).__name__}", window)
        for name, place in bundles_of(window, tmp_path):
            look(name, place)
        for dialog in questions(window, source):
            dialog.open()
            wait_until(lambda shown=dialog: at_rest(shown))
            look(type(dialog).__name__, dialog)
            dialog.reject()
        for dialog in dialogs_of(window, tmp_path, f"{MARKUP} "):
            look(type(dialog).__name__, dialog)
    assert found == {}
    assert seen > 12
