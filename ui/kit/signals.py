"""One slot of several signals."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import SignalInstance


def on_any(slot: Callable[..., object], *signals: SignalInstance) -> None:
    """Whichever of these is emitted, the slot is called."""
    for signal in signals:
        signal.connect(slot)
