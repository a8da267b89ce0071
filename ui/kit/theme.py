"""Light and dark: named colours that become Qt's palette, and one style sheet that only names its roles.

The style sheet is set once: Qt takes seconds to apply one to a window that is built. Another theme is another
palette, and every widget is polished anew: those that are visible immediately (10 ms), the others in
slices (150 ms).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from ui.kit.style_sheet import TINTS, Tint, style_sheet

_POINTS = 10.0
_SLICE_S = 0.015
"""Of polishing, between two looks at what the person does."""


class Mode(StrEnum):
    """What the person chose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """Named colours of one theme."""

    dark: bool
    window: str
    """Behind everything."""
    surface: str
    """Panels and inputs."""
    raised: str
    """Buttons, headers, hovered rows."""
    line: str
    """Of cards and between rows: nothing depends on seeing it."""
    outline: str
    """Of what can be typed in, ticked or pressed; 3:1 on every ground."""
    text: str
    muted: str
    """Secondary text; still 4.5:1 on `surface`."""
    accent: str
    on_accent: str
    ticked: str
    """Ground of a check mark, which is white."""
    accent_soft: str
    """Background of a selected row."""
    good: str
    warning: str
    bad: str

    @property
    def warning_soft(self) -> str:
        """Ground of a warning, and of what is confidential."""
        return _over(TINTS["warning"], self.surface)


def _over(tint: Tint, ground: str) -> str:
    """A tint on a ground, as `#rrggbb`."""
    *parts, share = tint
    below = QColor(ground)
    pairs = zip(parts, (below.red(), below.green(), below.blue()), strict=True)
    return QColor(*(round(share * top + (1 - share) * under) for top, under in pairs)).name()


LIGHT = Colours(
    dark=False,
    window="#f3f5f7",
    surface="#ffffff",
    raised="#eef1f4",
    line="#d5dbe1",
    outline="#7d8a97",
    text="#18212b",
    muted="#566473",
    accent="#0f6e68",
    on_accent="#ffffff",
    ticked="#0f6e68",
    accent_soft="#d9eeec",
    good="#1f7a3d",
    warning="#8a5a00",
    bad="#b3261e",
)
DARK = Colours(
    dark=True,
    window="#12161b",
    surface="#1a2027",
    raised="#242c35",
    line="#35404b",
    outline="#7c8894",
    text="#e7ebef",
    muted="#9eabb8",
    accent="#3fc1b5",
    on_accent="#06201e",
    ticked="#1f8f86",
    accent_soft="#173d3a",
    good="#6cc788",
    warning="#e3b25c",
    bad="#f2857d",
)


class Theme(QObject):
    """Applies a theme to the application and tells when it changed."""

    changed = Signal()

    def __init__(self, app: QApplication, mode: Mode = Mode.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._mode = mode
        self._unpolished: list[QWidget] = []
        self._polishing = QTimer(self)
        self._polishing.timeout.connect(self._polish_some)
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self._apply()
        self._polish_all()

    @property
    def mode(self) -> Mode:
        return self._mode

    @property
    def colours(self) -> Colours:
        if self._mode is Mode.SYSTEM:
            dark = self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
            return DARK if dark else LIGHT
        return DARK if self._mode is Mode.DARK else LIGHT

    @property
    def polishing(self) -> bool:
        """Some widgets still have the colours of the theme before."""
        return bool(self._unpolished)

    def set_mode(self, mode: Mode) -> None:
        """Choose light, dark or the system's."""
        if mode is not self._mode:
            self._mode = mode
            self._apply()
            self.changed.emit()

    def _on_system_changed(self) -> None:
        if self._mode is Mode.SYSTEM:
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        palette = qt_palette(self.colours)
        if self._app.styleSheet() != style_sheet():
            self._app.setStyle("Fusion")
            self._app.setPalette(palette)
            font = self._app.font()
            font.setPointSizeF(_POINTS)
            self._app.setFont(font)
            self._app.setStyleSheet(style_sheet())
            return
        if self._app.palette() == palette:  # all that is polished has these colours
            return
        self._app.setPalette(palette)
        self._unpolished = []
        for widget in self._app.allWidgets():
            if widget.isVisible():
                _polish(widget)
            else:
                self._unpolished.append(widget)
        self._polishing.start(0)

    def _polish_all(self) -> None:
        """Immediately: before a window is built there is hardly anything."""
        while self._unpolished:
            self._polish_some()

    def _polish_some(self) -> None:
        """Some widgets, until the slice is used up."""
        end = time.monotonic() + _SLICE_S
        while self._unpolished and time.monotonic() < end:
            widget = self._unpolished.pop()
            if shiboken6.isValid(widget):
                _polish(widget)
        if not self._unpolished:
            self._polishing.stop()


def _polish(widget: QWidget) -> None:
    """The style keeps the colours of its first look at the palette."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def qt_palette(colours: Colours) -> QPalette:
    """The colours under Qt's names, as the style sheet asks for them.

    Qt has no names for a good, a warning or a ticked box: they take roles that the style draws nothing with.
    """
    palette = QPalette()
    role = QPalette.ColorRole
    for key, colour in {
        role.Window: colours.window,
        role.WindowText: colours.text,
        role.Base: colours.surface,
        role.AlternateBase: colours.window,
        role.Text: colours.text,
        role.Button: colours.raised,
        role.ButtonText: colours.text,
        role.BrightText: colours.bad,
        role.Highlight: colours.accent,
        role.HighlightedText: colours.on_accent,
        role.Accent: colours.accent,
        role.Link: colours.accent,
        role.LinkVisited: colours.warning,
        role.PlaceholderText: colours.muted,
        role.Mid: colours.line,
        role.Dark: colours.outline,
        role.Midlight: colours.accent_soft,
        role.Light: colours.ticked,
        role.Shadow: colours.good,
        role.ToolTipBase: colours.surface,
        role.ToolTipText: colours.text,
    }.items():
        palette.setColor(key, QColor(colour))
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(colours.muted))
    return palette
