"""Texts for people outside of widgets, whose own `tr` names their class as context."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication


def translator(context: str) -> Callable[[str], str]:
    """What translates the texts of a module at the moment they are asked for: `_tr = translator("Steps")`."""
    return partial(QCoreApplication.translate, context)
