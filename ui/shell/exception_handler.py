"""The one place that receives what nobody caught: in slots, threads and destructors, and Qt's messages.

Everything is logged without a value; the window shows it and lives on.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
from types import TracebackType
from typing import Any

from PySide6.QtCore import QMessageLogContext, QObject, QtMsgType, Signal, qInstallMessageHandler

from core.system.fault_report import fault_report
from ui.kit.message_bar import log

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_NO_VULKAN = re.compile(
    r"(Failed to load|Failed to create|QVulkan(Default)?Instance: Failed to)\b.*\bvulkan\b", re.IGNORECASE
)
"""What Qt says where there is no driver of this kind: it draws without one, and nothing is amiss."""


class ExceptionHandler(QObject):
    """From `install` to `uninstall`; its signals may come from any thread."""

    caught = Signal(object)
    """An exception that nobody expected."""
    warned = Signal(str)
    """What Qt complains of, one line."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._busy = threading.local()
        self._before: tuple[Any, ...] | None = None

    def install(self) -> None:
        """Take the places of Python's hooks and of Qt's message handler."""
        hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._on_exception
        threading.excepthook = lambda args: self.receive(args.exc_value)
        sys.unraisablehook = lambda args: self.receive(args.exc_value)
        self._before = (*hooks, qInstallMessageHandler(self._on_qt_message))

    def uninstall(self) -> None:
        """Give every place back."""
        if self._before is not None:
            sys.excepthook, threading.excepthook, sys.unraisablehook, messages = self._before
            qInstallMessageHandler(messages)
            self._before = None

    def receive(self, error: BaseException | None) -> None:
        """Log an exception, and tell the window."""
        if error is None or getattr(self._busy, "on", False):
            return  # reported already: to show it has failed
        self._busy.on = True
        try:
            log.error("%s", fault_report(error))
            self.caught.emit(error)
        finally:
            self._busy.on = False

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.receive(error.with_traceback(trace))

    def _on_qt_message(self, kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        if getattr(self._busy, "on", False):
            return
        level = logging.DEBUG if _NO_VULKAN.match(text) else _LEVELS.get(kind, logging.WARNING)
        log.log(level, "Qt: %s", text)
        if level >= logging.WARNING:
            self._busy.on = True
            try:
                self.warned.emit(text)
            finally:
                self._busy.on = False
