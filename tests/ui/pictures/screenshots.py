"""Write every page and state of the window as PNG files, for eyes: `make screenshots`.

Runs offscreen, in a temporary home, light and dark, at 1366x768 and 1920x1080.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import datetime as dt
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from PySide6.QtWidgets import QApplication

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.assist.known_mappings import remember, shape_of
from core.assist.suggested_choices import suggest_choices
from core.clean.mapping import Box, UnitRange
from core.draft.draft import QueryDraft
from core.keys.signing_key import generate_key
from core.privacy import Relation, Unit
from core.read.reader_registry import reader_for
from core.spec import DEFAULT_UPPER_BOUND
from core.synthesize.synthetic_records import synthesize
from core.system.paths import Home
from tests.geojson import box, polygon, write_geojson
from tests.ui.pictures.camera import SCREENS, Camera, pause, wait_until, wanted
from tests.ui.pictures.screens_beside import BesideTheWalk
from tests.ui.pictures.screens_of_firsts import NAMES as FIRST_NAMES
from tests.ui.pictures.screens_of_firsts import FirstScreens
from tests.ui.pictures.screens_of_places import PlaceScreens
from tests.ui.pictures.screens_of_regions import RegionScreens
from tests.ui.pictures.screens_of_releases import ReleaseScreens
from tests.ui.pictures.screens_of_shares import ShareScreens
from tests.ui.pictures.screens_of_slots import SlotScreens
from tests.ui.pictures.screens_of_tables import TableScreens
from tests.ui.pictures.screens_of_user import UserScreens
from tests.ui.small_screen import screens
from tests.workbooks import xlsx
from ui.budget.limit_dialog import LimitDialog
from ui.data.import_dialog import ImportDialog
from ui.kit.theme import Mode, Theme
from ui.language.translation import SOURCE_LANGUAGE, catalogue_of, speak
from ui.session.settings import Settings
from ui.shell.app import prepare_process
from ui.shell.help import AboutDialog, GlossaryDialog, ShortcutsDialog, TourDialog
from ui.shell.main_window import MainWindow

PASSPHRASE = "for pictures only"
SURAT_CENTRE = Box(south=21.15, west=72.78, north=21.22, east=72.86)


class ImportPhotographer(Camera):
    """Every state of the import dialog, in a window of each size."""

    def __init__(self, window: MainWindow, theme: Theme, folder: Path) -> None:
        super().__init__(window, theme, folder)
        self.files = window.home.folder / "import"

    def walk(self) -> None:
        """Whole files and faulty ones."""
        self.files.mkdir(exist_ok=True)
        records = self.files / "records.csv"
        synthesize(records, records=2000)
        self.take_import("import-a-guessed", records)
        self.take_import("import-b-random", records, lambda dialog: dialog.preview.random.click())
        self.take_import("import-c-units", records, self.two_units)
        self.take_import("import-d-box", records, lambda dialog: dialog.form.limits.box.take(SURAT_CENTRE))
        self.take_import("import-e-swapped", records, lambda dialog: dialog.form.grid.swap())
        self.take_import("import-f-derived", records, self.derived)
        self.take_import("import-n-quantity", records, self.quantity)
        self.take_import("import-g-faulty", self.faulty())
        self.take_import("import-h-format", self.faulty(), self.show_format)
        self.take_import("import-k-encoding", self.german())
        self.take_import("import-l-sheets", self.workbook())
        self.take_import("import-m-unread-times", self.unread_times())
        self.take_import("import-o-doubtful", self.doubtful())
        self.take_import("import-p-exchanged", self.exchanged())
        empty = self.files / "empty.csv"
        empty.touch()
        self.take_import("import-i-unusable", empty)
        shape = shape_of(records, reader_for(records).preview(records).columns)
        known = self.files / "mappings.json"
        choices = suggest_choices(reader_for(records).preview(records)).choices
        rules = dataclasses.replace(choices, units=(UnitRange(unit="km/h"),)).rules(DEFAULT_UPPER_BOUND)
        remember(known, shape, rules, dt.date(2026, 11, 20))
        self.take_import("import-j-known", records, known=known)

    def take_import(
        self,
        name: str,
        path: Path,
        act: Callable[[ImportDialog], object] | None = None,
        known: Path | None = None,
    ) -> None:
        """Open on the smaller screen, act, and take a picture in each theme."""
        if wanted(name):
            self.fill_screen(*SCREENS[0])
            dialog = ImportDialog([path], self.window, known_file=known)
            dialog.open()
            self.settle(dialog)
            if act:
                act(dialog)
                self.settle(dialog)
            self.keep_in_themes(dialog, name)
            dialog.reject()
            dialog.deleteLater()

    def settle(self, dialog: ImportDialog) -> None:
        """Wait until nothing is under way."""
        pause(100)
        wait_until(lambda: not dialog.busy)

    def two_units(self, dialog: ImportDialog) -> None:
        """Two ranges of dates that overlap."""
        rows = dialog.form.grid.unit_rows
        rows.show_units(
            (
                UnitRange(unit="mph", last=dt.date(2015, 12, 30)),
                UnitRange(unit="m/s", first=dt.date(2015, 12, 30)),
            )
        )
        rows.changed.emit()

    def derived(self, dialog: ImportDialog) -> None:
        """Speeds from positions."""
        dialog.form.grid.source.setCurrentIndex(1)
        dialog.form.grid.source.activated.emit(1)

    def quantity(self, dialog: ImportDialog) -> None:
        """A delay in place of a speed, one limit of which does not fit yet."""
        grid, group = dialog.form.grid, dialog.form.value
        grid.boxes["value"].setCurrentText("trip_delay")
        grid.boxes["value"].activated.emit(grid.boxes["value"].currentIndex())
        grid.measured.setCurrentIndex(1)
        grid.measured.activated.emit(1)
        texts = {"column_unit": "s", "unit": "s", "lower": "-600", "upper": "1800"}
        for part, text in (texts | {"physical_min": "-500", "physical_max": "7200"}).items():
            group.fields[part].setText(text)
        group.fields["upper"].textEdited.emit("1800")

    def show_format(self, dialog: ImportDialog) -> None:
        """The options of the file's format, below; on a small screen the form is to be gone to as well."""
        bar = dialog.form_area.verticalScrollBar()
        bar.setValue(bar.maximum())
        dialog.open_line.go.click()

    def faulty(self) -> Path:
        """Another encoding, doubtful numbers and dates, names that mislead."""
        path = self.files / "faulty.csv"
        rows = [
            f"Zoë {n};{n % 12 + 1:02d}/{n % 9 + 1:02d}/2023 10:00;21;72;1,{n:03d};{n};;{n}" for n in range(60)
        ]
        text = "\n".join(["plate;time;lat;lon;speed;12;;speed", *rows])
        path.write_bytes(text.encode("cp1252"))
        return path

    def german(self) -> Path:
        """Text that is not UTF-8, with commas and days first, and a name that was trimmed."""
        path = self.files / "german.csv"
        rows = [f"B{n % 7};{n % 28 + 1}/12/2022 10:00:00;52,5;13,4;{n},5;Müllerstraße {n}" for n in range(60)]
        path.write_bytes("\n".join(["Bus;time;lat;lon;speed; Straße", *rows]).encode("cp1252"))
        return path

    def unread_times(self) -> Path:
        """A column that is named like a time and written in no form that is read."""
        path = self.files / "unread-times.csv"
        rows = [f"B{n % 7},{n % 28 + 1:02d}/12/2022 10h{n:02d},21.1,72.8,{n}" for n in range(60)]
        path.write_text("\n".join(["bus,observationDateTime,lat,lon,speed_kmh", *rows]), encoding="utf-8")
        return path

    def doubtful(self) -> Path:
        """Dates that either order reads, and no offset: the zone is proposed by the positions."""
        path = self.files / "doubtful.csv"
        rows = [f"B{n % 7},{n % 9 + 1:02d}/04/2019 10:{n:02d},13.7,100.5,{n}" for n in range(60)]
        path.write_text("\n".join(["bus,time,lat,lon,speed_kmh", *rows]), encoding="utf-8")
        return path

    def exchanged(self) -> Path:
        """Latitudes in the column of longitudes, which only the zone betrays."""
        path = self.files / "exchanged.csv"
        rows = [f"B{n % 7},2022-12-01T10:00:{n:02d}+05:30,72.8{n:02d},21.1{n:02d},{n}" for n in range(60)]
        path.write_text("\n".join(["bus,time,lat,lon,speed_kmh", *rows]), encoding="utf-8")
        return path

    def workbook(self) -> Path:
        """Two sheets with data."""
        path = self.files / "buses.xlsx"
        head = ["plate", "time", "lat", "lon", "speed_kmh"]
        rows = [[f"B{n % 7}", f"2022-12-01T10:00:{n:02d}+05:30", 21.1, 72.8, float(n)] for n in range(60)]
        path.write_bytes(xlsx({"May": [head, *rows], "June": [head, *rows]}))
        return path


class Photographer(Camera):
    """Walks through the window and takes a picture at each stop."""

    def __init__(self, window: MainWindow, theme: Theme, folder: Path) -> None:
        super().__init__(window, theme, folder)
        self.beside = BesideTheWalk(window, theme, folder)

    def walk(self) -> None:
        """Every page and state."""
        session = self.workspace.session
        wait_until(lambda: session.forecast is not None and self.workspace.map.view.is_ready)
        self.take("1-data")
        self.workspace.steps.choose("parameters")
        self.open_sections("grids", "protected")
        self.take("2-hexagons")
        self.beside.layers()
        self.beside.kinds_of_day()
        ward = box(72.80, 21.10, 72.95, 21.25)
        path = write_geojson(session.home.folder / "ward.geojson", polygon(ward))
        session.edit("Boundary", rule="boundary", cells_file=str(path))
        wait_until(lambda: not session.busy and self.workspace.map.view.is_ready)
        self.workspace.map.layer.setCurrentIndex(1)
        self.take("2-hexagons-boundary")
        session.edit("Selection", rule="hat", cells_file="")
        self.workspace.map.layer.setCurrentIndex(0)
        wait_until(lambda: not session.busy and self.workspace.map.view.is_ready)
        self.workspace.steps.choose("parameters")
        self.open_sections(*self.workspace.parameters.sections)
        self.take("3-parameters-open")
        session.edit("Privacy", relation=Relation.VALUES, unit=Unit.VEHICLE)
        session.edit("Population", population="City buses", confirmed=True)
        self.rest()
        self.show_layer("typical-error")
        self.open_sections("grids")
        self.take("4-parameters-chosen")
        self.beside.of_before()
        self.beside.refused_input()
        self.verdicts()
        session.preview.begin()
        wait_until(lambda: session.release.preview is not None)
        self.take("4-preview")
        session.preview.end()
        self.workspace.map.layer.setCurrentIndex(2)
        self.beside.card("card")
        SlotScreens(self.window, self.theme, self.folder).walk()
        self.pinned()
        self.city()
        self.several_queries()
        RegionScreens(self.window, self.theme, self.folder).walk()
        ShareScreens(self.window, self.theme, self.folder).walk()
        overview = session.overview
        assert overview is not None
        busiest = int(overview.vehicles.argmax())
        session.chosen.choose_hat(overview.cells[busiest], int(overview.slots[busiest]))
        self.workspace.steps.choose("errors")
        wait_until(lambda: self.workspace.error_views.release.complete)
        self.take("5-errors")
        self.compared_methods()
        self.distributions()
        self.workspace.tabs.setCurrentWidget(self.workspace.table)
        self.take("6-table")
        session.chosen.choose_hat(None)
        self.workspace.steps.choose("release")
        self.workspace.tabs.setCurrentWidget(self.workspace.map)
        self.take("7-release")
        self.beside.practice()
        self.workspace.steps.choose("parameters")
        self.beside.over_budget()
        self.workspace.steps.choose("verify")
        self.take("8-verify")
        self.window.log_dock.show()
        self.take("9-log")
        self.window.log_dock.hide()
        ReleaseScreens(self.window, self.theme, self.folder).walk(PASSPHRASE)
        UserScreens(self.window, self.theme, self.folder).walk(PASSPHRASE)
        self.dialogs()

    def rest(self) -> None:
        """Until all is computed, advice too, which waits until nobody has changed anything for a while."""
        pause(900)
        session, offer = self.workspace.session, self.workspace.parameters.changes.offer
        wait_until(lambda: not (session.busy or session.planning.smoothing or offer.running))

    def verdicts(self) -> None:
        """A rough one and one of no use, with what to change; and a release that the limit does not allow."""
        session, before = self.workspace.session, self.workspace.session.draft
        session.edit("Fine", resolution=8, slot_minutes=60)
        self.rest()
        self.take("4-rough")
        self.show_protected()
        with self.epsilon_that_tells_little():
            self.rest()
            self.take("4-parameters-warned")
            self.workspace.tabs.setCurrentWidget(self.workspace.table)
            self.take("4-warned-table", SCREENS[1:])
            self.workspace.tabs.setCurrentWidget(self.workspace.map)
        session.apply(before)
        self.rest()

    def show_protected(self) -> None:
        """The section that a person who signs asks about."""
        self.scroll_to(self.workspace.parameters.protected)
        self.take("4-protected")
        self.open_sections("grids")

    def pinned(self) -> None:
        """A beside B, in the panel and on the map."""
        session, decide = self.workspace.session, self.workspace.decide
        before = session.draft
        wait_until(
            lambda: not session.busy and not session.planning.smoothing
        )  # A is kept with all of its figures
        decide.pin.click()
        session.edit("Selection", threshold=10)
        session.set_budget("Epsilon", Budget(total=Decimal(3)))
        wait_until(lambda: not session.busy and not session.planning.smoothing)
        decide.comparison.on_map.click()
        self.take("4-pinned")
        session.pins.unpin()
        session.apply(before)
        wait_until(lambda: not session.busy)
        self.show_layer("typical-error")

    def city(self) -> None:
        """All HATs under one total: figures, layers and columns of it, and Gaussian noise without a delta."""
        session, page = self.workspace.session, self.workspace.parameters
        session.set_mechanism("Mechanism", "tokens", {})
        wait_until(lambda: not session.busy and not session.planning.smoothing)
        self.scroll_to(page.options)
        self.take("4-tokens")
        self.compared_grids()
        self.scroll_to(page.options)
        self.workspace.tabs.setCurrentWidget(self.workspace.table)
        self.workspace.table.selected_only.setChecked(True)
        self.take("4-tokens-table")
        self.workspace.table.selected_only.setChecked(False)
        self.workspace.tabs.setCurrentWidget(self.workspace.map)
        session.edit_query("Noise", parameters={"noise": "gauss"})
        wait_until(lambda: not session.busy)
        self.scroll_to(page.options)
        self.take("4-tokens-no-delta")
        Ledger.open(session.home.ledger).set_limit(
            "City buses", per_vehicle=Decimal(50), delta=Decimal("0.000001")
        )
        session.ledger.read()
        wait_until(lambda: bool(session.ledger.delta) and not session.busy and not session.planning.smoothing)
        self.take("4-tokens-gaussian")
        session.edit_query("Noise", parameters={})
        wait_until(lambda: not session.busy and not session.planning.smoothing)

    def compared_grids(self) -> None:
        """What else the total would buy; and at so little that nothing is recommended."""
        session, grids = self.workspace.session, self.workspace.parameters.grids
        budget = session.draft.leading.budget
        for name, total in (("4-grids-too-little", Decimal("0.1")), ("4-grids", budget.total)):
            session.set_budget("Epsilon", Budget(total=total))
            wait_until(lambda: not session.busy and not session.planning.smoothing)
            grids.start()
            wait_until(lambda: not grids.job.running)
            self.take(name)
        self.taken_grid()

    def taken_grid(self) -> None:
        """The first row of the list: what it brought along."""
        session, grids = self.workspace.session, self.workspace.parameters.grids
        grids.rows.setCurrentRow(0)
        grids.rows.itemActivated.emit(grids.rows.item(0))
        wait_until(lambda: not session.busy and not session.planning.smoothing)
        self.take("4-grids-taken")
        session.undo_stack.undo()
        wait_until(
            lambda: not session.busy and not session.planning.smoothing and self.workspace.map.view.is_ready
        )

    def compared_methods(self) -> None:
        """Every method at the draft's total: predicted, and after the confirmation true as well."""
        session = self.workspace.session
        self.workspace.show_methods()
        methods = self.workspace.methods
        assert methods is not None
        wait_until(lambda: methods.plot.complete)
        self.take_dialog("5-methods-plot", methods)
        section = methods.city
        methods.sections.setCurrentWidget(section)
        self.take_dialog("5-methods-open", methods)
        section.compare.click()
        wait_until(lambda: not section.job.running)
        self.take_dialog("5-methods-predicted", methods)
        section.reveal.click()
        dialog = section.dialog
        assert dialog is not None
        self.take_dialog("5-methods-asked", dialog)
        if wanted("5-methods-true"):  # a minute and more of every method at work
            dialog.show_errors.click()
            wait_until(lambda: bool(session.ledger.evaluated) and not section.job.running)
            self.take_dialog("5-methods-true", methods)
        else:  # the one that was confirmed is gone
            dialog.reject()
        methods.close()

    def open_sections(self, *names: str) -> None:
        """These, and no other."""
        for name, section in self.workspace.parameters.sections.items():
            section.head.setChecked(name in names)

    def several_queries(self) -> None:
        """Three statistics: the second with its total divided optimally, the third with its limits."""
        session, page = self.workspace.session, self.workspace.parameters
        before = session.draft.queries
        for key in ("query1", "query2"):
            chosen = next(action for action in page.published.add.menu().actions() if action.data() == key)
            chosen.trigger()
        page.published.rows.setCurrentRow(1)
        page.options.budget.optimal.click()
        session.set_budget("Epsilon", Budget(noise_scale=Decimal(1)), number=2)
        wait_until(lambda: not session.busy and not page.options.budget.savings.isHidden())
        self.take("m-several")
        page.published.rows.setCurrentRow(2)
        self.scroll_to(page.options)
        self.take("n-several-limits")
        self.workspace.steps.choose("errors")
        wait_until(lambda: self.workspace.error_views.release.complete)
        self.take("p-several-errors")
        self.workspace.steps.choose("parameters")
        session.edit("Queries", queries=before)
        wait_until(lambda: not session.busy)

    def distributions(self) -> None:
        """The grids that are compared at first, and all of them."""
        session, section = self.workspace.session, self.workspace.distributions.resolutions
        self.workspace.tabs.setCurrentWidget(self.workspace.distributions)
        wait_until(lambda: section.complete and section.plot.ready)
        self.take("k-distributions")
        for check in (*section.checks.resolutions.values(), *section.checks.lengths.values()):
            check.setChecked(True)
        wait_until(lambda: section.complete)
        section.shown.setCurrentIndex(5)
        self.take("l-distributions-all")
        before = session.draft.queries
        session.edit_query(  # of a total that is shared out nobody leaves
            "Mechanism",
            mechanism="array-averaging",
            parameters={"m_ub": "optimal-p4"},
            budget=Budget(per_hat=Decimal(1)),
        )
        curve = QueryDraft(id="curve", statistic="cdf", budget=Budget(per_hat=Decimal(1)))
        session.edit("Queries", queries=(*session.draft.queries, curve))
        self.suppression()
        self.cdf()
        session.edit("Queries", queries=before)
        wait_until(lambda: not session.busy)

    def suppression(self) -> None:
        """Complete, and while relation and unit are open."""
        session, tab = self.workspace.session, self.workspace.distributions
        relation, unit = session.draft.relation, session.draft.unit
        tab.sections.setCurrentWidget(tab.suppression)
        wait_until(lambda: not session.busy and tab.suppression.complete)
        self.take("m-suppression")
        session.edit("Privacy", relation=None, unit=None)
        wait_until(lambda: not session.busy)
        self.take("n-suppression-open")
        session.edit("Privacy", relation=relation, unit=unit, confirmed=True)
        wait_until(lambda: not session.busy)

    def cdf(self) -> None:
        """The replica, and nothing released yet."""
        tab = self.workspace.distributions
        tab.sections.setCurrentWidget(tab.cdf)
        wait_until(lambda: tab.cdf.complete)
        self.take("o-cdf")
        tab.cdf.released.setChecked(True)
        self.take("p-cdf-nothing-released")
        tab.cdf.replica.setChecked(True)

    def dialogs(self) -> None:
        """Dialogs that open from buttons and menus, and what else is no step."""
        self.beside.project()
        self.beside.dialogs()
        self.beside.menus()
        ImportPhotographer(self.window, self.theme, self.folder).walk()
        for name, made in (
            ("g-limit", LimitDialog(self.workspace.session, self.window)),
            ("h-glossary", GlossaryDialog(self.window)),
            ("h-tour", TourDialog(self.window)),
            ("i-shortcuts", ShortcutsDialog(self.window)),
            ("j-about", AboutDialog(self.workspace.session.home, self.window)),
        ):
            made.show()
            self.take_dialog(name, made)
            made.close()
        self.beside.small_screen()
        self.beside.public_page(PASSPHRASE)
        PlaceScreens(self.window, self.theme, self.folder).walk(PASSPHRASE)
        TableScreens(self.window, self.theme, self.folder).walk()


def main(arguments: Sequence[str] | None = None) -> None:
    """arguments: those of the command line where they are not given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", default=SOURCE_LANGUAGE)
    parser.add_argument("--only", default="", help="one look, such as 1920-dark: a third of the time")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="how names of pictures begin, such as 4-; none: all")
    asked = parser.parse_args(arguments)
    folder, Camera.only, Camera.names = asked.folder, asked.only, tuple(asked.names)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        # Qt's own offscreen screen is square and small, and dialogs keep within their screen
        os.environ["QT_QPA_PLATFORM"] = screens(*SCREENS[0], Path(place))
        take_pictures(folder, asked.language)
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


def take_pictures(folder: Path, language: str) -> None:
    """Of a window with a home of its own, in a language."""
    prepare_process()
    app = QApplication(sys.argv[:1])
    speak(app, catalogue_of(language))
    app.setCursorFlashTime(0)  # two looks at a page at rest are the same
    theme = Theme(app, Mode.LIGHT)
    if any(map(wanted, FIRST_NAMES)):
        with tempfile.TemporaryDirectory() as place, shown(Home(Path(place)), theme) as window:
            FirstScreens(window, theme, folder).walk()
    with tempfile.TemporaryDirectory() as place:
        home = Home(Path(place))
        ledger = Ledger.open(home.ledger)
        ledger.set_limit("City buses", per_vehicle=Decimal(50))
        ledger.set_limit("Route buses", per_vehicle=Decimal(50))
        ledger.set_limit("City taxis", per_vehicle=Decimal(50), delta=Decimal("1e-6"))
        generate_key(home.default_key.with_suffix(""), PASSPHRASE)
        with shown(home, theme) as window:
            Photographer(window, theme, folder).walk()


@contextlib.contextmanager
def shown(home: Home, theme: Theme) -> Iterator[MainWindow]:
    """A window with its pages."""
    window = MainWindow(home, Settings(home), theme)
    window.show()
    window.prepare()
    wait_until(lambda: window.workspace is not None)
    yield window
    window.leave()
    window.dispose()


if __name__ == "__main__":
    main()
