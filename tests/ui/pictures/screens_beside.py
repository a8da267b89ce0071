"""What the walk through the steps does not pass: refusals, questions, a first try, a small screen."""

from __future__ import annotations

import datetime as dt
import shutil
from decimal import Decimal

import shiboken6
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWebEngineCore import QWebEngineSettings
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QLineEdit, QMenu, QTabBar

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.draft.project_file import PROJECT_SUFFIX, save_project
from core.keys.signing_key import load_key
from core.release.prepare_publish import prepare, publish
from core.signed.bundle_names import MAP_PAGE
from core.spec import load_spec
from core.system.paths import resources
from tests.published_pair import write_pair
from tests.ui.ledger_story import BUSES, TAXIS, TRAMS
from tests.ui.pictures.camera import SCREENS, Camera, painted, pause, wait_until, wanted
from tests.ui.pictures.screens_of_places import PERIODS
from ui.kit.spec_words import caption_of
from ui.ledger.policy_dialog import PolicyDialog
from ui.ledger.population_list import PopulationList
from ui.parameters.periods_dialog import PeriodsDialog
from ui.parameters.zones_dialog import ZonesDialog
from ui.release.key_dialog import KeyDialog
from ui.release.key_paper_dialog import KeyPaperDialog
from ui.shell.settings_dialog import SettingsDialog

_SMALL = ((960, 500),)
_TYPED = "a word"
_PAGE = (1240, 850)
_NAMED = """subject = "bus"
subject_plural = "buses"

[release.places]
file = "surat-synthetic-places.geojson"
name_field = "name"
"""
"""What the sample's spec does not say, for the page of its release."""
_HALF_INK_MS = 160
"""After a change: its figures are not there yet, and those of before have become faint."""


class BesideTheWalk(Camera):
    """Each state is left as it was found."""

    def layers(self) -> None:
        """The panel of layers, one that cannot be read, and a place that was searched for."""
        tab = self.workspace.map
        wait_until(lambda: bool(self.workspace.session.own_layers.places))
        self.workspace.show_layers()
        self.take("2-hexagons-layers")
        tab.overlays.add_files([self.window.home.folder / "gone.gpkg"])
        wait_until(tab.overlays.panel.problem.isVisible)
        self.take("2-hexagons-layers-gone")
        self.workspace.show_layers()
        tab.search.setText("Neem Bagh")
        tab.search.returnPressed.emit()
        self.rest()
        self.take("2-hexagons-found")
        tab.search.clear()
        self.workspace.session.chosen.choose_hat(None)
        tab.view.fit()

    def kinds_of_day(self) -> None:
        """Weekdays, and the days of a file."""
        page, session = self.workspace.parameters, self.workspace.session
        before = session.draft
        page.dates.days.setCurrentIndex(1)
        page.dates.days.activated.emit(1)
        self.rest()
        self.take("2-hexagons-weekdays")
        holidays = self.window.home.folder / "holidays.txt"
        holidays.write_text("2022-01-05\n2022-01-08\n", encoding="utf-8")
        page.dates.days.take_file(holidays)
        wait_until(lambda: session.draft.date_ranges[0][0] == dt.date(2022, 1, 5))
        self.rest()
        self.take("2-hexagons-holidays")
        session.apply(before)
        self.rest()

    def card(self, name: str) -> None:
        """A busy hexagon, one that is not published, and none again."""
        session = self.workspace.session
        assert session.overview is not None
        slot = session.chosen.slot
        there = session.overview.slots == slot
        busiest = max(there.nonzero()[0].tolist(), key=session.overview.vehicles.__getitem__)
        session.chosen.choose_hat(session.overview.cells[busiest], slot)
        self.take(name)
        idlest = min(there.nonzero()[0].tolist(), key=session.overview.vehicles.__getitem__)
        session.chosen.choose_hat(session.overview.cells[idlest], slot)
        self.take(f"{name}-idle")
        session.chosen.choose_hat(None)

    def of_before(self) -> None:
        """Figures at half ink, while those of a choice that was never planned are on their way."""
        session = self.workspace.session
        looks = [(size, mode) for size in SCREENS for mode in self.modes_on(size[0])]
        for number, (size, mode) in enumerate(looks if wanted("4-stale") else ()):
            self.fill_screen(*size)
            self.theme.set_mode(mode)
            self.rest()
            painted(self.window)
            session.edit("Finer", resolution=9, threshold=number + 3)
            pause(_HALF_INK_MS)
            self.window.grab().save(str(self.folder / f"4-stale-{size[0]}-{mode}.png"))
            self.rest()
            session.undo_stack.undo()
            self.rest()

    def refused_input(self) -> None:
        """Figures of before a text that is no number: in every place of the window."""
        views = self.workspace.error_views
        self.type_no_number()
        pause(_HALF_INK_MS)
        self.take("4-refused-input")
        self.workspace.tabs.setCurrentWidget(self.workspace.table)
        self.take("4-refused-table")
        self.workspace.parameters.knobs.refresh()
        self.workspace.steps.choose("errors")
        wait_until(lambda: views.release.complete)
        self.type_no_number()
        pause(_HALF_INK_MS)
        self.take("4-refused-errors")
        self.workspace.parameters.knobs.refresh()
        self.workspace.steps.choose("parameters")
        self.workspace.tabs.setCurrentWidget(self.workspace.map)

    def type_no_number(self) -> None:
        """Where an epsilon is asked for."""
        epsilon = self.workspace.parameters.knobs.epsilon
        (field,) = epsilon.findChildren(QLineEdit)
        field.setText(_TYPED)
        field.editingFinished.emit()

    def over_budget(self) -> None:
        """More than the ledger grants: where it is chosen, and where it would be released."""
        session = self.workspace.session
        before = session.draft.leading.budget
        session.set_budget("Epsilon", Budget(total=Decimal(80)))
        self.rest()
        self.take("refused-parameters")
        self.workspace.steps.choose("release")
        self.take("refused-release")
        session.set_budget("Epsilon", before)
        self.rest()

    def practice(self) -> None:
        """The first try with the sample: what came of it, and on the map."""
        page, session = self.workspace.release, self.workspace.session
        page.folder.setText(str(session.home.folder / "practice"))
        page.practice.start.click()
        wait_until(lambda: page.practice.dialog is not None)
        dialog = page.practice.dialog
        assert dialog is not None
        self.take_dialog("practice-result", dialog)
        dialog.reject()
        self.take("practice-map")

    def public_page(self, passphrase: str) -> None:
        """What the public sees of a release of the sample whose hexagons have names."""
        if not wanted("public-page"):
            return
        folder = self.window.home.folder / "page"
        shutil.copytree(resources() / "sample", folder)
        spec = folder / "sample.toml"
        text = spec.read_text(encoding="utf-8").replace("confirmed = true\n", f"confirmed = true\n{_NAMED}")
        text = text.replace("by hexagon and part of the day (synthetic sample)", "of a made-up city")
        spec.write_text(text.replace("Hexveil contributors", "City"), encoding="utf-8")
        ledger = Ledger.open(folder / "ledger.sqlite")
        ledger.set_limit("Sample buses", per_vehicle=Decimal(10))
        key = load_key(self.window.home.default_key, passphrase)
        made = publish(
            prepare(load_spec(spec), ledger), ledger, key=key, out=folder, now=dt.datetime.now(dt.UTC)
        )
        page, loaded = QWebEngineView(), list[bool]()
        page.settings().setAttribute(QWebEngineSettings.WebAttribute.ShowScrollBars, False)
        page.resize(*_PAGE)
        page.loadFinished.connect(loaded.append)
        page.load(QUrl.fromLocalFile(str(made.bundle / MAP_PAGE)))
        page.show()
        wait_until(lambda: bool(loaded))
        self.keep_in_themes(page, "public-page")
        shiboken6.delete(page)

    def broken_bundle(self) -> None:
        """One whose numbers somebody has changed."""
        published = self.workspace.session.release.published
        assert published is not None
        broken = self.window.home.folder / published.bundle.name
        shutil.copytree(published.bundle, broken)
        table = next((broken / "data").glob("*.csv"))
        table.write_text(table.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        self.workspace.open_dropped([broken])
        wait_until(lambda: self.workspace.verify.result is not None)
        self.take("e-verified-broken")
        # the steps of what follows are to tell of no broken one
        self.workspace.open_dropped([published.bundle])
        wait_until(lambda: self.workspace.verify.result is not None)

    def ledger(self) -> None:
        """A year of buses with the plan of a series, one over its limit, and a correction."""
        page = self.workspace.ledger
        names = page.findChild(PopulationList)
        assert names is not None
        for name, population, example in (
            ("t-ledger-year", BUSES, "bus-speed-2022-05-1.1.0"),
            ("t-ledger-over", TRAMS, "trams-1.0.0"),
            ("t-ledger-nothing", TAXIS, ""),
        ):
            shown = [names.item(row).text().splitlines()[0] for row in range(names.count())]
            names.setCurrentRow(shown.index(population))
            wait_until(lambda wanted=population: page.spending.population.name == wanted)  # type: ignore[union-attr,misc]
            like = page.series.like
            if example:
                like.setCurrentIndex(like.findText(example, Qt.MatchFlag.MatchStartsWith))
            self.take(name)

    def policy(self) -> None:
        """The page of a population, for the public."""
        page = self.workspace.ledger
        page.limits.policy.click()
        dialog = page.limits.findChild(PolicyDialog)
        assert dialog is not None
        dialog.contact.setText("opendata@city.example")
        self.take_dialog("t-ledger-policy", dialog)
        dialog.reject()

    def compare(self) -> None:
        """Nothing yet, two releases of a year apart as map and table, and on a small screen."""
        if not any(map(wanted, ("t-compare", "t-compare-empty", "t-compare-table", "small-compare"))):
            return
        workspace = self.workspace
        workspace.places.to_compare.setChecked(True)
        wait_until(lambda: workspace.compare.page is not None)
        page = workspace.compare.page
        assert page is not None
        self.take("t-compare-empty")
        page.open_bundles(write_pair(self.window.home.folder / "pair"))
        wait_until(lambda: page.found is not None and page.map.view.is_ready)
        self.take("t-compare")
        page.tabs.setCurrentIndex(1)
        page.table.selectRow(3)
        self.take("t-compare-table")
        self.take("small-compare", _SMALL)
        page.tabs.setCurrentIndex(0)
        workspace.places.show_steps()

    def project(self) -> None:
        """The question on closing, work left by a crash, and a mistake of the program."""
        workspace = self.workspace
        workspace.session.edit(caption_of("release.title"), title="Taxi speeds of January")
        assert workspace.questions.asks_to_stay()
        assert workspace.questions.question is not None
        self.take_dialog("project-question", workspace.questions.question)
        workspace.questions.question.reject()
        folder = self.window.home.recovery
        folder.mkdir(exist_ok=True)
        left = folder / f"{0:016x}{PROJECT_SUFFIX}"  # named as a window names it
        save_project(workspace.project.project, left)
        workspace.project.look_for_left()
        wait_until(workspace.recovery.isVisible)
        self.take("project-left-by-a-crash")
        workspace.recovery.throw.click()
        try:
            raise ZeroDivisionError
        except ZeroDivisionError as error:
            self.window.show_fault(error)
        self.take("error-copy-details")
        self.window.faults.hide()

    def dialogs(self) -> None:
        """Settings, keys, and what is asked of periods and zones."""
        key = KeyDialog(self.workspace.session.home, self.window)
        key.passphrase.setText(_TYPED)
        for name, made in (
            ("i-settings", SettingsDialog(self.window.settings, self.theme, self.window)),
            ("i-new-key", key),
            ("i-key-on-paper", KeyPaperDialog(self.window.home.default_key, self.window)),
            ("i-periods", PeriodsDialog(PERIODS, ("06:00", "20:00"), self.window)),
            ("i-zones", ZonesDialog(None, self.window)),
        ):
            made.show()
            self.take_dialog(name, made)
            made.close()

    def menus(self) -> None:
        """Each menu of the bar, opened."""
        self.fill_screen(1366, 768)
        for action in self.window.menuBar().actions():
            menu, name = action.menu(), f"menu-{action.text().replace('&', '').lower()}"
            if isinstance(menu, QMenu) and wanted(name):
                menu.popup(self.window.mapToGlobal(self.window.rect().topLeft()))
                self.keep_in_themes(menu, name)
                menu.close()

    def small_screen(self) -> None:
        """Every step and tab where there is hardly room."""
        workspace = self.workspace
        for key in workspace.pages:
            workspace.choose_step(key)
            self.take(f"small-step-{key}", _SMALL)
        bar = workspace.tabs.findChild(QTabBar)
        for number in range(bar.count() if bar else 0):
            workspace.choose_tab(number)
            self.take(f"small-tab-{number}", _SMALL)
        workspace.places.to_ledger.setChecked(True)
        self.take("small-ledger", _SMALL)
        workspace.places.to_ledger.setChecked(False)

    def rest(self) -> None:
        """Until everything is planned and the map is drawn."""
        session = self.workspace.session
        wait_until(
            lambda: not session.busy and not session.planning.smoothing and self.workspace.map.view.is_ready
        )
