"""The versions of the software that a release was made with, for `privacy.json` (method 14)."""

from __future__ import annotations

import importlib.metadata
import platform
from functools import cache

from core import __version__

STATED_DISTRIBUTIONS = ("opendp", "h3")
"""Installed packages whose versions are stated; the built program carries their metadata for it."""


def software_versions() -> dict[str, str]:
    """Name -> version: Hexveil, each of `STATED_DISTRIBUTIONS`, Python."""
    return {
        "hexveil": __version__,
        **_installed(),
        "python": platform.python_version(),
    }


@cache
def _installed() -> dict[str, str]:
    """Read once: they are looked for in every folder of the program."""
    return {name: importlib.metadata.version(name) for name in STATED_DISTRIBUTIONS}
