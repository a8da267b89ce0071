"""Figures at half ink while they are interim: of the choices before, or not smoothed yet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QGraphicsOpacityEffect, QWidget

_AFTER_MS = 80
"""What is planned sooner does not flicker, and nobody reads it meanwhile."""
HALF_INK = 0.5


class HalfInk(QObject):
    """Asks whether figures are interim, whenever `follow` is called; `changed(bool)` where they become so.

    Back in full ink immediately.
    """

    changed = Signal(bool)

    def __init__(self, is_interim: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_interim = is_interim
        self.on = False
        self._soon = QTimer(self, singleShot=True, interval=_AFTER_MS)
        self._soon.timeout.connect(lambda: self._set(self._is_interim()))

    def follow(self) -> None:
        """Something has changed."""
        if not self._is_interim():
            self._soon.stop()
            self._set(False)
        elif not self.on and not self._soon.isActive():
            self._soon.start()

    def _set(self, on: bool) -> None:
        if on is not self.on:
            self.on = on
            self.changed.emit(on)


class Ages(Protocol):
    """What figures come from."""

    @property
    def is_interim(self) -> bool:
        """Others will take their place."""

    def on_aged(self, slot: Callable[[], object]) -> None:
        """Call it whenever that may have changed."""


class AgesWithCounts(Ages, Protocol):
    """What figures come from, and the counts beside them."""

    @property
    def counts_stay(self) -> bool:
        """The counts are of before, and no others take their place."""


def ink_of(source: Ages, parent: QObject, *faint: QWidget) -> HalfInk:
    """These widgets at half ink while the figures are interim."""
    return _followed(source, HalfInk(lambda: source.is_interim, parent), *faint)


def ink_of_counts(source: AgesWithCounts, parent: QObject, *faint: QWidget) -> HalfInk:
    """The same for what shows counts too."""
    return _followed(source, HalfInk(lambda: source.is_interim or source.counts_stay, parent), *faint)


def _followed(source: Ages, ink: HalfInk, *faint: QWidget) -> HalfInk:
    source.on_aged(ink.follow)
    for widget in faint:
        ink.changed.connect(partial(draw_faintly, widget))
    return ink


def draw_faintly(widget: QWidget, faint: bool) -> None:
    """At half ink, or in full; for no widget that holds a page of the web engine or a scene."""
    effect = widget.graphicsEffect()
    if effect is None and faint:
        made = QGraphicsOpacityEffect(widget)
        made.setOpacity(HALF_INK)
        widget.setGraphicsEffect(made)
    elif effect is not None:
        effect.setEnabled(faint)
