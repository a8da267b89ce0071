"""Dims what is still to be seen, but of before."""

from __future__ import annotations

from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

_DIMMED = 0.5
"""How much is still seen: enough to be read."""


def dim(widget: QWidget, *, dimmed: bool) -> None:
    """Show a widget dimmed, or as ever; its place and its size stay."""
    effect = widget.graphicsEffect()
    if effect is None and dimmed:
        effect = QGraphicsOpacityEffect(widget)
        effect.setOpacity(_DIMMED)
        widget.setGraphicsEffect(effect)
    if effect is not None:
        effect.setEnabled(dimmed)
