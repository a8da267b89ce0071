"""Start and end of the window's program, and a language that is not there."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from core import __version__
from core.store.working_folders import sweep_working_folders
from core.system.open_home import close_to_others
from core.system.paths import find_home, resources
from ui.kit.garbage_collection import GarbageCollector
from ui.kit.message_bar import message_of
from ui.kit.theme import Theme
from ui.kit.wheel_guard import WheelGuard
from ui.language.translation import catalogue_of, language_of, languages, speak
from ui.layout.scroll_areas import FocusFollower
from ui.session.settings import Settings
from ui.shell.exception_handler import ExceptionHandler
from ui.shell.graphics_probe import draw_by_software_where_needed
from ui.shell.main_window import MainWindow
from ui.web_map.app_scheme import register_scheme
from ui.web_map.web_engine import engine

_SWITCH_SECONDS = 0.0001


def prepare_process() -> None:
    """What must happen before the application object exists."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Chromium refuses its sandbox to root; everybody else keeps it
        os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")
    draw_by_software_where_needed()
    # while workers compute, the window's thread gets Python's lock back sooner
    sys.setswitchinterval(_SWITCH_SECONDS)
    # folium brings urllib3, which would try out an IPv6 socket when it is imported
    socket.has_ipv6 = False
    QCoreApplication.setOrganizationName("Hexveil")
    QCoreApplication.setApplicationName("Hexveil")
    QCoreApplication.setApplicationVersion(__version__)
    register_scheme()


def _stop(window: MainWindow) -> None:
    """The system asks the program to end; Python hears it with the next tick of the garbage collector."""
    window.stop()
    QApplication.quit()


def run(*, home: str | None = None, opened: str | None = None, language: str | None = None) -> int:
    """Open the window with `opened` (records, a spec or a bundle), else the sample; returns the exit code.

    language: in place of the one in the settings, for this run.
    """
    if language is not None and language not in languages():
        print(
            f"error: There is no language {language!r}.\nwhere: --language\n"
            f"fix:   choose one of: {', '.join(languages())}",
            file=sys.stderr,
        )
        return 2
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    prepare_process()
    app = QApplication(sys.argv[:1])
    app.setWindowIcon(QIcon(str(resources() / "icons" / "hexveil.svg")))
    garbage = GarbageCollector(app)
    wheel = WheelGuard(app)
    FocusFollower(app)
    place = find_home(home)
    place.sweep()
    said = close_to_others(place)
    sweep_working_folders(place.cache)
    engine.remember_in(place.folder)
    settings = Settings(place)
    speak(app, catalogue_of(language_of(language or settings.language)))
    theme = Theme(app, settings.theme)
    window = MainWindow(place, settings, theme, opened=Path(opened).absolute() if opened else None)
    handler = ExceptionHandler(app)
    handler.caught.connect(window.show_fault)
    handler.warned.connect(window.log_dock.note)
    handler.install()
    if said is not None:
        window.faults.show_message(message_of(said), look="warning")
    window.show()
    wheel.watch()
    # Python hears it amid any line, perhaps while a job is being started: the loop ends the window
    signal.signal(signal.SIGTERM, lambda *_: QTimer.singleShot(0, window, lambda: _stop(window)))
    # the frame is painted first; the engine and the pages follow
    QTimer.singleShot(0, window.prepare)
    # modules and pages stay: a full collection looks at a third as many objects, in 60 ms instead of 175
    window.prepared.connect(gc.freeze)
    code = app.exec()
    window.dispose()
    handler.uninstall()
    garbage.stop()
    return code
