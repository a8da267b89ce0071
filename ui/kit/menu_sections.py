"""Parts of a menu that have a heading."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu


def start_section(menu: QMenu, heading: str) -> None:
    """A line and a heading that cannot be chosen. Qt's own section shows no words below a style sheet."""
    if not menu.isEmpty():
        menu.addSeparator()
    menu.addAction(heading).setEnabled(False)
