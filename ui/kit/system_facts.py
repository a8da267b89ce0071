"""Versions and platform, as a report of a fault begins."""

from __future__ import annotations

import platform

from PySide6 import __version__ as qt_version
from PySide6.QtCore import QCoreApplication


def system_facts() -> str:
    """Versions and platform: no folder, no name, nothing of data."""
    return "\n".join(
        (
            f"Hexveil {QCoreApplication.applicationVersion()}",
            f"Python {platform.python_version()}, Qt {qt_version}",
            f"{platform.system()} {platform.release()} {platform.machine()}",
        )
    )
