"""The keys with Alt of what is on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QGroupBox, QLabel, QMenuBar, QTabBar, QWidget


def mnemonics(texts: Iterable[str]) -> dict[str, list[str]]:
    """Keys that lead to more than one of these texts, each with those."""
    found: dict[str, list[str]] = {}
    for text in texts:
        if key := QKeySequence.mnemonic(text).toString():
            found.setdefault(key, []).append(text)
    return {key: named for key, named in found.items() if len(named) > 1}


def labelled(window: QWidget) -> Iterator[str]:
    """Every text on the screen that a key with Alt may lead to."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        buddy = widget.buddy() if isinstance(widget, QLabel) else None
        if isinstance(widget, QAbstractButton) or (buddy is not None and buddy.isVisible()):
            yield widget.text()
        elif isinstance(widget, QTabBar):
            yield from (widget.tabText(number) for number in range(widget.count()))
        elif isinstance(widget, QMenuBar):
            yield from (action.text() for action in widget.actions())
        elif isinstance(widget, QGroupBox):
            yield widget.title()
