"""Everything inside the frame, imported after it is shown; marks to clear, files to open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QToolButton, QWidget

from core.draft.project_file import PROJECT_SUFFIX, Project
from core.draft.recovery import LeftBehind
from core.evaluate.compared_curves import all_series
from core.selection.registry import all_rules
from core.signed.bundle_names import MANIFEST, SIGNATURE
from core.statistics.registry import all_statistics
from ui.budget.decide_column import DecideColumn, NextButtons
from ui.budget.decide_panel import DecidePanel
from ui.data.page import DataPage
from ui.distributions.page import DistributionsTab
from ui.errors.error_tabs import ErrorTabs
from ui.errors.methods_window import MethodsWindow
from ui.errors.page import ErrorsPage
from ui.kit.signals import on_any
from ui.kit.tips import in_lines
from ui.language.translation import translator
from ui.layout.boxes import in_column
from ui.layout.scroll_areas import scrolling
from ui.layout.tab_pages import TabPages
from ui.layout.window_columns import WindowColumns
from ui.ledger.page import LedgerPage
from ui.map.bundle_tab import BundleTab
from ui.map.difference_layer import PIN_DIFFERENCE
from ui.map.layer_picture import PictureOffer
from ui.map.map_overlays import ONLY_LAYERS
from ui.map.page import MapTab
from ui.map.preview_banner import PreviewBanner
from ui.parameters.page import ParametersPage
from ui.release.page import ReleasePage
from ui.session.known_bundles import is_bundle
from ui.session.session import Session
from ui.session.steps import Step, steps_of
from ui.shell.compare_place import ComparePlace
from ui.shell.main_window import MainWindow
from ui.shell.menus_and_shortcuts import make_menus
from ui.shell.newcomer_card import NewcomerCard
from ui.shell.open_project import SPEC_ENDING, OpenProject
from ui.shell.places import Places
from ui.shell.project_questions import ProjectQuestions
from ui.shell.recovery_bar import RecoveryBar
from ui.shell.settings_dialog import SettingsDialog
from ui.shell.step_list import StepList
from ui.table.page import TableTab
from ui.verify.page import Checked, VerifyPage

_tr = translator("Workspace")
_WITHOUT_DECIDE = ("data", "verify")
"""Steps on which the decide panel is folded away at first."""
_OLD_STEPS = {"hexagons": "parameters"}
"""Of projects of earlier versions."""


class MarksButton(QToolButton):
    """Seen while more is marked than the chosen HAT; pressed, it clears all marks."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setToolTip(
            in_lines(self.tr("Marks only highlight; they do not change what is released. Press to clear."))
        )
        self.clicked.connect(session.chosen.clear_marks)
        on_any(self._show, session.marked.changed, session.hat_chosen, session.slot_changed)
        self._show()

    def _show(self) -> None:
        text = self._session.marked.text(self._session.chosen.slot)
        self.setText(self.tr("{marked}  ✕").format(marked=text))
        self.setAccessibleName(self.tr("{marked}: clear").format(marked=text))
        self.setVisible(self._session.chosen.marks_stand_out)


class Workspace(QObject):
    """Builds the pages around one session and connects them."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.session = Session(window.home, self)
        self.project = OpenProject(
            self.session, self._current_page, self, compared=lambda: self.compare.paths
        )
        self.questions = ProjectQuestions(
            window, self.session, self.project, commit=lambda: self.release.texts.commit()
        )
        self.methods: MethodsWindow | None = None
        """Made when it is first asked for."""
        self._check_note = ""
        """What the foot of the window said of the last check of a bundle."""

    def stages(self) -> tuple[Callable[[], None], ...]:
        """What builds the pages, one after the other: between two of them the window may answer."""
        return (
            self._build_map,
            self._build_errors,
            self._build_tabs,
            self._build_first_pages,
            self._build_last_pages,
            self._build_frame,
            self._place_steps,
            self._place_map,
            self._place_tabs,
            self._place_others,
            self._connect,
        )

    def _build_map(self) -> None:
        self.map = MapTab(self.session, self.window.theme)

    def _build_errors(self) -> None:
        self.error_views = ErrorTabs(self.session, self.window.theme)

    def _build_tabs(self) -> None:
        self.distributions = DistributionsTab(self.session, self.window.theme)
        self.table = TableTab(self.session, self.window.theme)
        self.tabs = TabPages()
        self.bundle = BundleTab(self.window.theme, self.tabs)  # theirs before it is shown: it goes with them
        self.bundle.hide()

    def _build_first_pages(self) -> None:
        self.data = DataPage(self.session, keep_first=self.questions.keep_first)
        self.parameters = ParametersPage(self.session)

    def _build_last_pages(self) -> None:
        self.errors = ErrorsPage()
        self.release = ReleasePage(self.session)
        self.verify = VerifyPage(self.session)
        self.steps = StepList(self.window.theme)
        self.decide = DecidePanel(self.session)
        self.budget = self.decide.budget
        self.ledger = LedgerPage(self.session, self.window.theme)
        self.compare = ComparePlace(self.session, self.window.theme)
        self.pages: dict[str, DataPage | ParametersPage | ErrorsPage | ReleasePage | VerifyPage] = {
            "data": self.data,
            "parameters": self.parameters,
            "errors": self.errors,
            "release": self.release,
            "verify": self.verify,
        }

    def _build_frame(self) -> None:
        """What holds the pages, hidden in the window before they come.

        Wherever a widget is put, the style looks at it anew, and at all that it holds.
        """
        self.frame = QWidget(self.window.centralWidget())
        self.frame.hide()
        self.side = DecideColumn(self.frame)
        self.stack = QStackedWidget()
        left = QWidget()
        self.widget = WindowColumns(left)
        self.places = Places(self.widget, self.side)
        self.newcomer = NewcomerCard(self.window.settings, left)
        in_column(left, self.steps, 1, self.newcomer, *self.places.buttons, margins=(0, 2, 0, 2))
        self.places.left.connect(lambda: self.window.drop_note(self._check_note))
        on_any(self.open_dropped, self.ledger.verify_wanted, self.release.verify_wanted)
        self.marks = MarksButton(self.session)
        self.window.statusBar().addPermanentWidget(self.marks)
        self.recovery = RecoveryBar()
        in_column(self.frame, self.recovery, (self.places, 1), spacing=0)

    def _place_steps(self) -> None:
        for page in self.pages.values():
            area = scrolling()
            self.stack.addWidget(area)
            area.setWidget(page)

    def _place_map(self) -> None:
        result, self.next = QWidget(), NextButtons(self.session)
        self.widget.add(self.stack, self.side, result)
        self.decide.take(self.parameters.changes)
        self.side.take(self.decide, self.next)  # before the tabs: Tab goes as one reads
        in_column(result, PreviewBanner(self.session), (self.tabs, 1))
        self.places.begin(self.window.width())
        self.tabs.add_page(self.tr("Map"), self.map)
        self.tabs.add_page(self.tr("Errors"), self.error_views)

    def _place_tabs(self) -> None:
        self.tabs.add_page(self.tr("Distributions"), self.distributions)
        self.tabs.add_page(self.tr("Table"), self.table)

    def _place_others(self) -> None:
        self.places.take(self.ledger, self.compare)

    def choose_step(self, key: str) -> None:
        """Go to a step, from wherever one is."""
        self.places.show_result(shown=False)
        self._enter(key)

    def _enter(self, key: str) -> None:
        """Go to a step to work there: the keyboard goes to where its page begins."""
        self.steps.choose(key)
        self.steps.setFocus()  # where the page has nothing to use yet
        self.pages[key].begin()

    def choose_tab(self, number: int) -> None:
        """Show a tab, from wherever one is."""
        self.places.show_result()
        self.tabs.setCurrentIndex(number)

    def _connect(self) -> None:
        make_menus(self.window, self)
        session = self.session
        for signal in (
            session.data_changed,
            session.draft_changed,
            session.forecast_changed,
            session.published_changed,
            session.ledger_changed,
            session.refused.changed,
        ):
            signal.connect(self._show_steps)
        self.decide.ink.changed.connect(self._show_steps)
        session.data_changed.connect(self._show_data)
        self._connect_project()
        self.steps.chosen.connect(self._show_page)
        self.map.outlined.connect(self._lead)
        self.verify.checked.connect(self._show_bundle)
        self.verify.cleared.connect(self._forget_bundle)
        release = self.error_views.release
        release.shown.connect(self.errors.show_curve)
        on_any(lambda: self.errors.fade_with(release), release.ink.changed, session.forecast_changed)
        self.errors.chosen.connect(release.choose)
        self.decide.comparison.map_wanted.connect(self._show_difference)
        self.data.parameters_wanted.connect(lambda: self._enter("parameters"))
        self.next.release_wanted.connect(lambda: self._enter("release"))
        self.steps.entered.connect(self._enter)
        self.next.map_wanted.connect(lambda wanted: self.places.show_result(shown=wanted))
        self._show_steps()
        self.steps.choose("data")

    def _lead(self, outlined: bool) -> None:
        """Of places without outlines the table shows what the map cannot."""
        shown, wanted = (self.table, self.map) if outlined else (self.map, self.table)
        if self.tabs.currentWidget() is shown:
            self.tabs.setCurrentWidget(wanted)

    def _connect_project(self) -> None:
        project = self.project
        project.changed.connect(self._show_title)
        project.opened.connect(self._on_project)
        project.failed.connect(self.session.failed)
        project.found_left.connect(self.recovery.offer)
        self.recovery.recover.connect(self._recover)
        self.recovery.discard.connect(project.discard)
        self.data.sample_opened.connect(project.begin_anew)
        self.data.dropped.connect(self.open_dropped)
        self._show_title()

    def _show_title(self) -> None:
        name = self.project.name or self.tr("Untitled")
        self.window.setWindowTitle(self.tr("{name}[*] – Hexveil").format(name=name))
        self.window.setWindowModified(self.project.modified)

    def _current_page(self) -> str:
        return list(self.pages)[self.stack.currentIndex()]

    def _on_project(self, project: Project) -> None:
        self.places.show_steps()
        page = _OLD_STEPS.get(project.page, project.page)
        self.steps.choose(page if page in self.pages else "data")
        self.compare.open_bundles(project.compared)

    def ask_project(self) -> None:
        """Choose a project to open."""
        path, _ = QFileDialog.getOpenFileName(
            self.window,
            self.tr("Open project"),
            str(self.window.settings.folder_for("project")),
            self.tr("Projects and specs (*{project} *{spec});;All files (*)").format(
                project=PROJECT_SUFFIX, spec=SPEC_ENDING
            ),
        )
        if path:
            self.open_dropped([Path(path)])

    def ask_settings(self) -> None:
        """Decide what new releases begin with, and how the window looks."""
        dialog = SettingsDialog(self.window.settings, self.window.theme, self.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._take_settings)
        dialog.open()

    def _take_settings(self) -> None:
        self.release.take_settings()
        self.session.fill_open_texts(self.window.settings.publisher_texts)

    def _recover(self, left: LeftBehind) -> None:
        """Open what another window left behind; it stays on offer until unsaved work here is answered for."""

        def recover() -> None:
            self.recovery.hide()
            self.project.recover(left)

        self.questions.keep_first(recover)
        if self.questions.question is not None:
            self.recovery.offer(left)

    def begin(self, opened: Path | None = None) -> None:
        """Read the ledger, then open what was asked for, else the sample: a newcomer sees a city."""
        self.data.begin()
        self.session.fill_open_texts(self.window.settings.publisher_texts)
        self.session.ledger.read()
        self.project.look_for_left()
        if opened is None or bundle_of(opened) is not None:
            self.data.open_sample()
        if opened is not None:
            self.open_dropped([opened])

    def current_steps(self) -> tuple[Step, ...]:
        """The steps as they stand."""
        return steps_of(self.session, self.verify.verified, of_before=self.decide.ink.on)

    def _show_steps(self) -> None:
        self.steps.show_steps(self.current_steps())

    def _show_page(self, key: str) -> None:
        self.stack.setCurrentIndex(list(self.pages).index(key))
        self.next.show_step(key)
        if key != "verify":
            self.window.drop_note(self._check_note)
        self.places.to_result.setChecked(key == "errors")
        self.places.enter(decides=key not in _WITHOUT_DECIDE)
        if key == "errors":
            self.tabs.setCurrentWidget(self.error_views)

    def _show_data(self) -> None:
        """A person who opens other data looks at them, not at the bundle that was verified before."""
        if self.tabs.currentWidget() is self.bundle and self._current_page() != "verify":
            self.tabs.setCurrentWidget(self.map)

    def _show_bundle(self, checked: Checked) -> None:
        """The map of what was verified is its own, never that of the loaded data; its tab comes with it."""
        if checked.values is None:
            self.bundle.explain(checked.why_unseen)
        else:
            self.bundle.show_bundle(checked.values)
        self.tabs.add_page(self.tr("Verified bundle"), self.bundle)
        self.tabs.setCurrentWidget(self.bundle)
        self._show_steps()
        step = self.current_steps()[-1]
        self._check_note = step.why or step.note
        self.session.noted.emit(self._check_note)

    def _forget_bundle(self) -> None:
        """Of the one before nothing is shown beside another one, or beside why that is none."""
        self.bundle.clear()
        self.window.drop_note(self._check_note)
        self._show_steps()

    def show_methods(self) -> None:
        """The papers' methods, in a window beside this one."""
        if self.methods is None:
            self.methods = MethodsWindow(self.session, self.window.theme, self.window)
            self.methods.true_errors_gone.connect(
                lambda: self.window.drop_note(self.session.ledger.evaluation_note)
            )
        self.methods.show()
        self.methods.raise_()
        self.methods.activateWindow()

    def _show_difference(self) -> None:
        self._show_map()
        self.map.show_layer(PIN_DIFFERENCE)

    def open_dropped(self, paths: list[Path]) -> None:
        """A bundle is verified, several compared; a project or spec opened with its data, else data."""
        bundles = [found for found in map(bundle_of, paths) if found is not None]
        if len(bundles) > 1 and len(bundles) == len(paths):
            self.places.to_compare.setChecked(True)
            self.compare.open_bundles(bundles)
            return
        self.places.show_steps()
        bundle = bundle_of(paths[0]) if len(paths) == 1 else None
        if bundle is not None:
            self.window.settings.add_recent_path("bundle", bundle)
            self.steps.choose("verify")
            self.verify.verify(bundle)
            return
        if len(paths) == 1 and paths[0].name.endswith((PROJECT_SUFFIX, SPEC_ENDING)):
            self.questions.keep_first(partial(self.project.open, paths[0]))
            return
        if all(path.suffix.lower() in ONLY_LAYERS for path in paths):
            self._show_map()
            self.map.overlays.add_files(paths)
            return
        self.steps.choose("data")
        self.data.open_paths(paths)

    def show_all_hexagons(self) -> None:
        """On the map that is seen, the bundle's where its tab is."""
        if not self.bundle.isVisible():
            self._show_map()
            self.map.view.fit()
        elif self.bundle.view is not None:
            self.bundle.view.fit()

    def play_slots(self) -> None:
        """On the map, or stop it."""
        self._show_map()
        self.map.strip.toggle()

    def show_all_slots(self) -> None:
        """Side by side, or one map again."""
        self._show_map()
        self.map.strip.all_slots.toggle()

    def find_on_map(self) -> None:
        """Type a place, a hexagon or coordinates."""
        self._show_map()
        self.map.search.setFocus()
        self.map.search.selectAll()

    def show_layers(self) -> None:
        """Open the panel of layers, or close it."""
        self._show_map()
        self.map.overlays.button.toggle()

    def _show_map(self) -> None:
        self.places.show_result()
        self.tabs.setCurrentWidget(self.map)

    def ask_records(self) -> None:
        """Choose files to open."""
        self.places.show_steps()
        self.steps.choose("data")
        self.data.ask_files()

    def ask_folder(self) -> None:
        """Choose a folder of files."""
        self.choose_step("data")
        self.data.ask_folder()

    def open_sample(self) -> None:
        """Open the bundled sample, once unsaved work is saved or given up."""
        self.questions.keep_first(self._open_sample)

    def _open_sample(self) -> None:
        self.places.show_steps()
        self.steps.choose("data")
        self.data.open_sample()

    def ask_release(self) -> None:
        """Go to the release and review it, if everything is chosen."""
        self.choose_step("release")
        self.release.review()

    def ask_bundle(self) -> None:
        """Choose a bundle, and verify it."""
        self.choose_step("verify")
        self.verify.ask_bundle()

    def picture(self) -> PictureOffer:
        """Of the map that is seen: the bundle's where its tab is, else that of the loaded data."""
        return (self.bundle if self.tabs.currentWidget() is self.bundle else self.map).picture()

    def ask_picture(self) -> None:
        """Choose a file for a picture of the map, or hear why there is none."""
        self.map.export.ask(self.picture())

    def reset_layout(self) -> None:
        """Columns and log as on the first day."""
        self.places.begin(self.window.width())
        self.window.log_dock.setFloating(False)
        self.window.log_dock.hide()

    def dispose(self) -> None:
        """Before the application ends."""
        self.map.view.dispose()
        self.bundle.dispose()
        self.compare.dispose()


def warm_up() -> None:
    """What is found by importing it is found in the worker that calls this, not while pages are built."""
    all_series()
    all_rules()
    all_statistics()


def bundle_of(path: Path) -> Path | None:
    """The bundle that a folder or zip is, or whose signature a file is; None for anything else."""
    found = path.parent if path.name in (MANIFEST, SIGNATURE) else path
    return found if is_bundle(found) else None
