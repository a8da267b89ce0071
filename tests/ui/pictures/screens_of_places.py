"""Pictures of places that are no hexagons, for `screenshots.py`: from the file to the bundle.

A made-up city of routes, directions and two kinds of day, whose timetable draws the lines.
"""

from __future__ import annotations

import csv
import random
import zipfile
from pathlib import Path

from PySide6.QtWidgets import QScrollArea

from core.clean.mapping import UnitRange
from core.hats.groups import DAY_KIND
from core.hats.places import LABELLED, WHOLE, ZONED
from core.hats.slots import PeriodOfDay
from core.privacy import Relation, Unit
from tests.geojson import box, feature, polygon, write_geojson
from tests.ui.pictures.camera import Camera, pause, wait_until, wanted
from ui.release.dialog import Phase

PERIODS = (
    PeriodOfDay(420, 600, "morning peak"),
    PeriodOfDay(600, 960, "midday"),
    PeriodOfDay(960, 1140, "evening peak"),
)
_DAYS = ("2026-03-05", "2026-03-06", "2026-03-07", "2026-03-08")
_ROUTES = ("7 Duval", "10 South First", "20 Manor", "335", "801 Rapid", "803 Rapid")
_NAMES = ("import", "routes", "table", "lines", "zones", "review", "released", "verified")


class PlaceScreens(Camera):
    """Another file takes the place of what is open: this comes last."""

    def walk(self, passphrase: str) -> None:
        """Import, parameters, table, map, release and verification."""
        if not any(wanted(f"x-places-{name}") for name in _NAMES):
            return
        folder = self.window.home.folder / "places"
        folder.mkdir(exist_ok=True)
        self.load(write_route_city(folder))
        self.choose_routes()
        self.draw_lines(folder / "gtfs.zip")
        self.release_and_verify(passphrase)
        self.by_zones(folder)

    def load(self, path: Path) -> None:
        """Take both columns that the import proposes."""
        workspace = self.workspace
        workspace.session.edit("Population", population="")  # nobody asks whose vehicles these are
        # whatever was shown before: in relation user nothing is proposed, and the import would wait for ever
        workspace.session.edit("Privacy", relation=Relation.VALUES, unit=Unit.VEHICLE)
        workspace.open_dropped([path])
        dialog = workspace.data.dialog
        assert dialog is not None
        pause(100)
        wait_until(lambda: not dialog.busy)
        rows = dialog.form.grid.unit_rows
        rows.show_units((UnitRange(unit="km/h"),))
        rows.changed.emit()
        for name in ("route", "direction"):
            dialog.form.named.chips.pressed.emit(name)
        pause(100)
        wait_until(lambda: not dialog.busy)
        for area in dialog.findChildren(QScrollArea):
            if area.isAncestorOf(dialog.form.named):
                area.ensureWidgetVisible(dialog.form.named)
        self.take_dialog("x-places-import", dialog)
        dialog.load.click()
        wait_until(lambda: workspace.data.dialog is None)
        self.rest()

    def choose_routes(self) -> None:
        """By route and direction, in three parts of the day."""
        session = self.workspace.session
        session.edit("Privacy", relation=Relation.VALUES, unit=Unit.VEHICLE)
        session.edit("Population", population="Route buses")
        session.set_mechanism("Method", "tokens", {})
        session.edit("Place", place_kind=LABELLED, place_column="route")
        session.edit("Selection", rule="hat", cells_file="", threshold=2)
        session.edit("Timeslot", slot_minutes=PERIODS, hours=("07:00", "19:00"))
        self.rest()
        groups = self.workspace.parameters.hexagons.groups
        for name in ("direction", DAY_KIND):
            groups.chips.pressed.emit(name)
            self.rest()
        self.workspace.steps.choose("parameters")
        for name, section in self.workspace.parameters.sections.items():
            section.head.setChecked(name in ("grids", "hexagons"))
        self.workspace.tabs.setCurrentWidget(self.workspace.error_views)  # without lines there is no map
        self.take("x-places-routes")
        self.workspace.tabs.setCurrentWidget(self.workspace.table)
        self.take("x-places-table")

    def draw_lines(self, timetable: Path) -> None:
        """The map has lines once a timetable is taken."""
        self.workspace.table.lines.take_file(timetable)
        self.rest()
        self.workspace.tabs.setCurrentWidget(self.workspace.map)
        self.take("x-places-lines")

    def release_and_verify(self, passphrase: str) -> None:
        """Texts, review, bundle, and what its map shows in step Verify."""
        session = self.workspace.session
        session.edit(
            "Texts",
            name="route-speed",
            title="Speeds by route",
            publisher="City",
            contact="opendata@city.example",
        )
        self.rest()
        session.confirmation.answer(confirmed=True)
        self.workspace.steps.choose("release")
        page = self.workspace.release
        page.folder.setText(str(session.home.folder / "releases"))
        page.review()
        dialog = page.dialog
        assert dialog is not None
        wait_until(lambda: dialog.phase is Phase.READY)
        self.take_dialog("x-places-review", dialog)
        dialog.asked.yes.click()
        dialog.typed.setText("route-speed-1.0.0")
        dialog.passphrase.setText(passphrase)
        dialog.release.click()
        wait_until(lambda: dialog.phase is Phase.DONE)
        dialog.accept()
        self.take("x-places-released")
        published = session.release.published
        assert published is not None
        self.workspace.open_dropped([published.bundle])
        wait_until(lambda: self.workspace.verify.result is not None)
        self.rest()
        self.take("x-places-verified")

    def by_zones(self, folder: Path) -> None:
        """Four wards, which the map draws."""
        from core.geodata.zones_source import ZonesSource

        corners = ((30.20, -97.80, 30.28, -97.74), (30.20, -97.74, 30.28, -97.66))
        corners += ((30.28, -97.80, 30.36, -97.74), (30.28, -97.74, 30.36, -97.66))
        wards = [
            feature(polygon(box(west, south, east, north)), {"ward": str(number), "title": f"Ward {number}"})
            for number, (south, west, north, east) in enumerate(corners)
        ]
        path = write_geojson(folder / "wards.geojson", {"type": "FeatureCollection", "features": wards})
        source = ZonesSource(
            file=str(path), id="ward", name="title", licence="CC-BY-4.0", table="", buffer_m=0
        )
        self.workspace.session.edit("Place", place_kind=ZONED, zones_source=source)
        self.rest()
        self.workspace.steps.choose("parameters")
        self.workspace.tabs.setCurrentWidget(self.workspace.map)
        self.take("x-places-zones")
        self.workspace.session.edit("Place", place_kind=WHOLE)
        self.rest()

    def rest(self) -> None:
        """Until all is computed, the list of grids too."""
        pause(900)
        session = self.workspace.session
        wait_until(lambda: not session.busy and not session.planning.smoothing)
        wait_until(lambda: not self.workspace.parameters.grids.job.running)


def write_route_city(folder: Path) -> Path:
    """The records, and beside them a timetable with the routes' lines."""
    draw = random.Random(7)
    lines = {}
    for number, route in enumerate(_ROUTES):
        angle = 0.5 + number / 2
        lines[route] = [
            (30.28 + 0.012 * step * (1 if angle % 1 else 0.6), -97.73 + 0.01 * step * (number - 2.5) / 2.5)
            for step in range(-6, 7)
        ]
    path = folder / "buses.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("bus", "time", "lat", "lon", "speed", "route_id", "trip_direction"))
        for bus in range(48):
            for day in _DAYS:
                for minute in range(425 + bus % 5, 1135, 9):
                    route = _ROUTES[bus % len(_ROUTES)]
                    latitude, longitude = draw.choice(lines[route])
                    there = ("northbound", "southbound")[minute // 60 % 2]
                    speed = max(0.0, draw.gauss(16 if minute < 600 or minute > 960 else 26, 8))
                    clock = f"{day}T{minute // 60:02d}:{minute % 60:02d}:00-06:00"
                    writer.writerow((f"B{bus}", clock, latitude, longitude, f"{speed:.1f}", route, there))
    with zipfile.ZipFile(folder / "gtfs.zip", "w") as archive:
        routes, trips, shapes = ["route_id,route_short_name"], ["route_id,trip_id,shape_id"], []
        for number, (route, corners) in enumerate(lines.items()):
            routes.append(f"{number},{route}")
            trips.append(f"{number},t{number},s{number}")
            shapes += [f"s{number},{place},{lat},{lon}" for place, (lat, lon) in enumerate(corners)]
        head = "shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon"
        for name, rows in (("routes", routes), ("trips", trips), ("shapes", [head, *shapes])):
            archive.writestr(f"{name}.txt", "\n".join(rows) + "\n")
    return path
