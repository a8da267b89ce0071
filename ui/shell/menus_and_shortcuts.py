"""Menus and shortcuts. Everything that a mouse can do has a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from ui.kit.menu_sections import start_section
from ui.kit.signals import on_any
from ui.kit.theme import Mode
from ui.kit.tips import in_lines
from ui.language.translation import translator
from ui.session.session import Session
from ui.shell.help import AboutDialog, GlossaryDialog, ShortcutsDialog, TourDialog
from ui.shell.main_window import MainWindow
from ui.shell.step_action import redo_action, undo_action
from ui.shell.text_field_keys import MenuKeys

_tr = translator("Menus")

if TYPE_CHECKING:
    from ui.shell.workspace import Workspace

_Key = QKeySequence.StandardKey


def make_menus(window: MainWindow, workspace: Workspace) -> None:
    """Fill the menu bar."""
    bar = window.menuBar()
    bar.clear()
    menus = [bar.addMenu(title) for title in (_tr("&File"), _tr("&Edit"), _tr("&View"), _tr("&Help"))]
    of_file, of_edit, of_view, of_help = menus
    _file_menu(of_file, window, workspace)
    _edit_menu(of_edit, workspace)
    _view_menu(of_view, window, workspace)
    _help_menu(of_help, window, workspace)
    MenuKeys([action for menu in menus for action in menu.actions()], bar)


def _add(
    menu: QMenu, text: str, run: Callable[[], object], key: QKeySequence.StandardKey | str | None = None
) -> QAction:
    action = menu.addAction(text)
    if key is not None:
        action.setShortcut(QKeySequence(key))
    action.triggered.connect(lambda: run())
    return action


def _file_menu(menu: QMenu, window: MainWindow, workspace: Workspace) -> None:
    _add(menu, _tr("Open pro&ject…"), workspace.ask_project, "Ctrl+Alt+P")
    _add(menu, _tr("&Save project"), workspace.questions.save_project, _Key.Save)
    _add(menu, _tr("Save project &as…"), workspace.questions.save_project_as, "Ctrl+Shift+S")
    menu.addSeparator()
    _add(menu, _tr("&Open records…"), workspace.ask_records, _Key.Open)
    _add(menu, _tr("Open a &folder…"), workspace.ask_folder, "Ctrl+Alt+O")
    recent = menu.addMenu(_tr("Open &recent"))
    recent.aboutToShow.connect(lambda: _fill_recent(recent, window, workspace))
    _add(menu, _tr("Open the sa&mple"), workspace.open_sample)
    menu.addSeparator()
    _add(menu, _tr("R&elease…"), workspace.ask_release, "Ctrl+E")
    _add(menu, _tr("Verif&y a bundle…"), workspace.ask_bundle, "Ctrl+Shift+V")
    menu.addSeparator()
    _picture_action(menu, workspace)
    menu.addSeparator()
    _add(menu, _tr("Se&ttings…"), workspace.ask_settings, "Ctrl+,")
    menu.addSeparator()
    _add(menu, _tr("&Quit"), window.close, _Key.Quit)


def _picture_action(menu: QMenu, workspace: Workspace) -> None:
    """In the menu it is grey where there is no picture, with the reason; its key says the reason as well."""
    action = _add(menu, _tr("E&xport picture…"), workspace.ask_picture, "Ctrl+Shift+E")
    menu.setToolTipsVisible(True)

    def show() -> None:
        refusal = workspace.picture().refusal
        action.setEnabled(not refusal)
        action.setToolTip(in_lines(_tr("No picture: {reason}.").format(reason=refusal) if refusal else ""))

    menu.aboutToShow.connect(show)
    menu.aboutToHide.connect(lambda: action.setEnabled(True))


def _fill_recent(menu: QMenu, window: MainWindow, workspace: Workspace) -> None:
    """Projects, records and bundles, each under its heading."""
    menu.clear()
    settings = window.settings
    records = [(_together(files), list(files)) for files in settings.recent_files]
    projects, bundles = (
        [(path.name, [path]) for path in settings.recent(kind)] for kind in ("project", "bundle")
    )
    for heading, found in (
        (_tr("Projects"), projects),
        (_tr("Records"), records),
        (_tr("Bundles"), bundles),
    ):
        if found:
            start_section(menu, heading)
        for name, paths in found:
            action = _add(menu, name.replace("&", "&&"), partial(workspace.open_dropped, paths))
            action.setToolTip(in_lines(str(paths[0])))
            action.setEnabled(paths[0].exists())
    menu.setToolTipsVisible(True)
    if menu.isEmpty():
        menu.addAction(_tr("nothing yet")).setEnabled(False)


def _together(files: Sequence[Path]) -> str:
    more = _tr(" and {count} more").format(count=len(files) - 1) if len(files) > 1 else ""
    return files[0].name + more


def _edit_menu(menu: QMenu, workspace: Workspace) -> None:
    stack = workspace.session.undo_stack
    undo = undo_action(stack, menu)
    undo.setShortcut(QKeySequence(_Key.Undo))
    redo = redo_action(stack, menu)
    redo.setShortcuts([QKeySequence(_Key.Redo), QKeySequence("Ctrl+Y")])
    menu.addActions([undo, redo])
    menu.addSeparator()
    _add(menu, _tr("&Mark the hexagons in view"), workspace.map.view.mark_in_view, "Ctrl+M")
    _escape_actions(menu, workspace.session)


def _escape_actions(menu: QMenu, session: Session) -> None:
    """One key for both: what runs is stopped first, and where nothing does, marks are cleared."""
    stop = _add(menu, _tr("&Stop the running work"), session.cancel, _Key.Cancel)
    clear = _add(menu, _tr("&Clear the marks"), session.chosen.clear_marks, _Key.Cancel)

    def follow() -> None:
        stop.setEnabled(session.busy)
        clear.setEnabled(not session.busy and (session.chosen.hat is not None or bool(session.marked.hats)))

    on_any(follow, session.busy_changed, session.hat_chosen, session.marked.changed)
    follow()


def _view_menu(menu: QMenu, window: MainWindow, workspace: Workspace) -> None:
    for number, key in enumerate(workspace.pages, start=1):
        title = next(step.title for step in workspace.current_steps() if step.key == key)
        named = _tr("Step {name}").format(name=title)
        _add(menu, named, partial(workspace.choose_step, key), f"Ctrl+{number}")
    menu.addSeparator()
    for number in range(workspace.tabs.count()):
        named = _tr("Tab {name}").format(name=workspace.tabs.tabText(number))
        _add(menu, named, partial(workspace.choose_tab, number), f"Alt+{number + 1}")
    menu.addSeparator()
    _add(menu, _tr("Show &all hexagons"), workspace.show_all_hexagons, "Ctrl+0")
    _add(menu, _tr("&Play the slots"), workspace.play_slots, "Ctrl+T")
    _add(menu, _tr("All slots side &by side"), workspace.show_all_slots, "Ctrl+Shift+T")
    _add(menu, _tr("&Find on the map"), workspace.find_on_map, _Key.Find)
    _add(menu, _tr("La&yers of the map"), workspace.show_layers, "Ctrl+Shift+L")
    _add(menu, _tr("&Decide panel"), workspace.places.show_decide, "Ctrl+B")
    _add(menu, _tr("Led&ger"), workspace.places.to_ledger.toggle, "Ctrl+L")
    _add(menu, _tr("Compa&re"), workspace.places.to_compare.toggle, "Ctrl+D")
    menu.addAction(window.log_dock.toggleViewAction())
    _theme_menu(menu.addMenu(_tr("&Theme")), window)
    _add(menu, _tr("Reset &layout"), workspace.reset_layout)


def _theme_menu(menu: QMenu, window: MainWindow) -> None:
    group = QActionGroup(menu)
    actions: dict[Mode, QAction] = {}
    names = {Mode.SYSTEM: _tr("As the &system"), Mode.LIGHT: _tr("&Light"), Mode.DARK: _tr("&Dark")}
    for mode, name in names.items():
        action = _add(menu, name, partial(_choose_theme, window, mode))
        action.setCheckable(True)
        action.setChecked(window.theme.mode is mode)
        group.addAction(action)
        actions[mode] = action
    menu.aboutToShow.connect(lambda: actions[window.theme.mode].setChecked(True))


def _choose_theme(window: MainWindow, mode: Mode) -> None:
    window.theme.set_mode(mode)
    window.settings.theme = mode


def _help_menu(menu: QMenu, window: MainWindow, workspace: Workspace) -> None:
    _add(menu, _tr("&Tour"), lambda: _open(TourDialog(window)))
    _add(menu, _tr("&Glossary"), lambda: _open(GlossaryDialog(window)), _Key.HelpContents)
    _add(menu, _tr("&Keyboard shortcuts"), lambda: _open(ShortcutsDialog(window)), "Ctrl+?")
    _add(menu, _tr("&Methods compared"), workspace.show_methods)
    menu.addSeparator()
    _add(menu, _tr("&About Hexveil"), lambda: _open(AboutDialog(workspace.session.home, window)))


def _open(dialog: TourDialog | GlossaryDialog | ShortcutsDialog | AboutDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
