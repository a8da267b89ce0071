"""Framed groups and flowing texts of pages that scroll."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QLabel, QLayout, QSizePolicy, QWidget

from ui.kit.labels import label, let_flow
from ui.layout.boxes import in_column


def flowing(text: str = "", look: str = "", parent: QWidget | None = None) -> QLabel:
    """A wrapping label that asks for no more height than its text takes at the width it gets.

    A label that insists on its preferred height makes a scrolling page taller than its content.
    """
    made = label(text, look, parent)
    let_flow(made, QSizePolicy.Policy.Preferred)
    return made


def card(parent: QWidget, look: str, *items: QWidget | QLayout, spacing: int = 6) -> QFrame:
    """A frame in one of the theme's looks around widgets and layouts, one below the other."""
    frame = QFrame(parent)
    frame.setProperty("look", look)
    in_column(frame, *items, margins=(12, 10, 12, 10), spacing=spacing)
    return frame
