"""Contrast of WCAG 2 between colours, and colours as a widget paints them."""

from __future__ import annotations

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

LEAST = 3.0
"""Between parts of a picture that are to be told apart (WCAG 1.4.11)."""


def luminance(colour: QColor) -> float:
    """Relative luminance."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    """From 1, the same, to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def painted(widget: QWidget, x: float, y: float) -> QColor:
    """What is seen at a place of a widget."""
    return widget.grab().toImage().pixelColor(round(x), round(y))


def row_of(widget: QWidget, y: int) -> list[QColor]:
    """What is seen along a line, from left to right."""
    image = widget.grab().toImage()
    return [image.pixelColor(x, y) for x in range(image.width())]
