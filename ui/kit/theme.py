"""Light and dark: one palette of named colours, from which Qt's palette and style sheet are made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from core.paths import resources


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
    """Borders and separators."""
    text: str
    muted: str
    """Secondary text; still 4.5:1 on `surface`."""
    accent: str
    on_accent: str
    accent_soft: str
    """Background of a selected row."""
    good: str
    warning: str
    bad: str
    bad_soft: str
    warning_soft: str
    good_soft: str


LIGHT = Colours(
    dark=False,
    window="#f3f5f7",
    surface="#ffffff",
    raised="#eef1f4",
    line="#d5dbe1",
    text="#18212b",
    muted="#566473",
    accent="#0f6e68",
    on_accent="#ffffff",
    accent_soft="#d9eeec",
    good="#1f7a3d",
    warning="#8a5a00",
    bad="#b3261e",
    bad_soft="#fbe4e2",
    warning_soft="#fdf0d5",
    good_soft="#e0f3e5",
)
DARK = Colours(
    dark=True,
    window="#12161b",
    surface="#1a2027",
    raised="#242c35",
    line="#35404b",
    text="#e7ebef",
    muted="#9eabb8",
    accent="#3fc1b5",
    on_accent="#06201e",
    accent_soft="#173d3a",
    good="#6cc788",
    warning="#e3b25c",
    bad="#f2857d",
    bad_soft="#43211f",
    warning_soft="#3d3017",
    good_soft="#19361f",
)


class Theme(QObject):
    """Applies a theme to the application and tells when it changed."""

    changed = Signal()

    def __init__(self, app: QApplication, mode: Mode = Mode.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._mode = mode
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self._apply()

    @property
    def mode(self) -> Mode:
        return self._mode

    @property
    def colours(self) -> Colours:
        if self._mode is Mode.SYSTEM:
            dark = self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
            return DARK if dark else LIGHT
        return DARK if self._mode is Mode.DARK else LIGHT

    def set_mode(self, mode: Mode) -> None:
        """Choose light, dark or the system's."""
        if mode is not self._mode:
            self._mode = mode
            self._apply()
            self.changed.emit()

    @Slot()
    def _on_system_changed(self) -> None:
        if self._mode is Mode.SYSTEM:
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        self._app.setPalette(qt_palette(self.colours))
        sheet = style_sheet(self.colours)
        if self._app.styleSheet() != sheet:  # Qt polishes every widget again, even for the same
            self._app.setStyleSheet(sheet)


def qt_palette(colours: Colours) -> QPalette:
    """The colours under Qt's names."""
    palette = QPalette()
    role = QPalette.ColorRole
    for key, colour in {
        role.Window: colours.window,
        role.WindowText: colours.text,
        role.Base: colours.surface,
        role.AlternateBase: colours.raised,
        role.Text: colours.text,
        role.Button: colours.raised,
        role.ButtonText: colours.text,
        role.BrightText: colours.bad,
        role.Highlight: colours.accent,
        role.HighlightedText: colours.on_accent,
        role.Link: colours.accent,
        role.ToolTipBase: colours.surface,
        role.ToolTipText: colours.text,
        role.PlaceholderText: colours.muted,
        role.Mid: colours.line,
        role.Midlight: colours.line,
        role.Dark: colours.line,
        role.Light: colours.surface,
        role.Shadow: colours.line,
        role.Accent: colours.accent,
    }.items():
        palette.setColor(key, QColor(colour))
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(colours.muted))
    return palette


def style_sheet(colours: Colours) -> str:
    """The application's style sheet.

    Widgets choose a look by a dynamic property: `look` = title, heading, muted, figure, card,
    primary, flat, badge, error, warning, good.
    """
    c = colours
    icons = (resources() / "icons").as_posix()
    name = "dark" if c.dark else "light"
    return f"""
* {{ font-size: 10pt; }}
QToolTip {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.line}; padding: 4px 6px; }}
QLabel[look="title"] {{ font-size: 14pt; font-weight: 600; }}
QLabel[look="heading"] {{ font-weight: 600; }}
QLabel[look="muted"] {{ color: {c.muted}; }}
QLabel[look="figure"] {{ font-size: 16pt; font-weight: 600; }}
QLabel[look="badge"] {{
    background: {c.warning_soft}; color: {c.warning}; border: 1px solid {c.warning};
    border-radius: 4px; padding: 1px 6px; font-weight: 600; font-size: 9pt;
}}
QFrame[look="card"] {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: 8px; }}
QFrame[look="error"] {{ background: {c.bad_soft}; border: 1px solid {c.bad}; border-radius: 6px; }}
QFrame[look="warning"] {{ background: {c.warning_soft}; border: 1px solid {c.warning}; border-radius: 6px; }}
QFrame[look="good"] {{ background: {c.good_soft}; border: 1px solid {c.good}; border-radius: 6px; }}
QFrame[look="error"] QLabel, QFrame[look="warning"] QLabel, QFrame[look="good"] QLabel {{
    background: transparent; border: none; color: {c.text};
}}
QLabel[look="error"], QLabel[look="warning"], QLabel[look="good"] {{
    background: transparent; border: none; border-radius: 0;
}}
QLabel[look="error"] {{ color: {c.bad}; }}
QLabel[look="warning"] {{ color: {c.warning}; }}
QLabel[look="good"] {{ color: {c.good}; }}
QPushButton, QToolButton {{
    background: {c.raised}; border: 1px solid {c.line}; border-radius: 5px; padding: 5px 12px;
}}
QToolButton {{ padding: 4px 8px; }}
QPushButton:hover, QToolButton:hover {{ border-color: {c.accent}; }}
QPushButton:pressed, QToolButton:pressed {{ background: {c.line}; }}
QPushButton:disabled, QToolButton:disabled {{ color: {c.muted}; background: {c.window}; }}
QPushButton:focus, QToolButton:focus {{ border: 2px solid {c.accent}; padding: 4px 11px; }}
QPushButton[look="primary"] {{
    background: {c.accent}; color: {c.on_accent}; border-color: {c.accent}; font-weight: 600;
}}
QPushButton[look="primary"]:disabled {{ background: {c.raised}; color: {c.muted}; border-color: {c.line}; }}
QPushButton[look="primary"]:focus {{ border: 2px solid {c.text}; }}
QPushButton[look="flat"] {{ background: transparent; border: none; color: {c.accent}; padding: 4px; }}
QPushButton[look="flat"]:focus {{ border: 1px solid {c.accent}; padding: 3px; }}
QLineEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox, QComboBox, QDateEdit, QTimeEdit {{
    background: {c.surface}; border: 1px solid {c.line}; border-radius: 5px; padding: 4px 6px;
    selection-background-color: {c.accent}; selection-color: {c.on_accent};
}}
QLineEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus,
QDateEdit:focus, QTimeEdit:focus {{ border: 1px solid {c.accent}; }}
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {{
    background: {c.window}; color: {c.muted};
}}
QSpinBox, QDoubleSpinBox {{ padding-left: 10px; }}
QComboBox::drop-down, QDateEdit::drop-down {{ border: none; width: 22px; }}
QComboBox::down-arrow, QDateEdit::down-arrow, QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {{
    image: url({icons}/down-{name}.svg); width: 12px; height: 12px;
}}
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {{
    image: url({icons}/up-{name}.svg); width: 12px; height: 12px;
}}
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {{
    border: none; background: transparent; width: 20px;
}}
QRadioButton::indicator, QCheckBox::indicator {{
    width: 14px; height: 14px; border: 1px solid {c.muted}; background: {c.surface};
}}
QRadioButton::indicator {{ border-radius: 8px; }}
QCheckBox::indicator {{ border-radius: 3px; }}
QRadioButton::indicator:hover, QCheckBox::indicator:hover, QRadioButton::indicator:focus,
QCheckBox::indicator:focus {{ border-color: {c.accent}; }}
QRadioButton::indicator:checked {{ width: 6px; height: 6px; border: 5px solid {c.accent}; }}
QCheckBox::indicator:checked {{
    background: {c.accent}; border-color: {c.accent}; image: url({icons}/check-{name}.svg);
}}
QRadioButton::indicator:disabled, QCheckBox::indicator:disabled {{
    border-color: {c.line}; background: {c.window};
}}
QRadioButton:focus, QCheckBox:focus {{ text-decoration: underline; }}
QSlider:horizontal {{ min-height: 22px; }}
QSlider::groove:horizontal {{ height: 4px; background: {c.line}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {c.accent}; border-radius: 2px; }}
QSlider::handle:horizontal {{
    width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
    background: {c.surface}; border: 2px solid {c.accent};
}}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus {{ background: {c.accent_soft}; }}
QSlider::handle:horizontal:disabled {{ border-color: {c.line}; }}
QSlider::sub-page:horizontal:disabled {{ background: {c.line}; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {c.line}; border-radius: 4px; margin: 1px; }}
QScrollBar::handle:vertical {{ min-height: 28px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; }}
QScrollBar::handle:hover {{ background: {c.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
    background: transparent; border: none; width: 0; height: 0;
}}
QAbstractItemView {{ background: {c.surface}; alternate-background-color: {c.window};
    border: 1px solid {c.line}; selection-background-color: {c.accent_soft}; selection-color: {c.text}; }}
QHeaderView::section {{ background: {c.raised}; color: {c.text}; border: none;
    border-right: 1px solid {c.line}; border-bottom: 1px solid {c.line}; padding: 5px 8px; }}
QTableCornerButton::section {{ background: {c.raised}; border: none; }}
QTabWidget::pane {{ border: 1px solid {c.line}; border-radius: 6px; background: {c.surface}; top: -1px; }}
QTabBar::tab {{ padding: 7px 16px; border: none; border-bottom: 2px solid transparent; color: {c.muted}; }}
QTabBar::tab:selected {{ color: {c.text}; border-bottom: 2px solid {c.accent}; }}
QTabBar::tab:hover {{ color: {c.text}; }}
QMenuBar, QMenu, QStatusBar {{ background: {c.window}; }}
QMenu {{ border: 1px solid {c.line}; }}
QMenu::item:selected, QMenuBar::item:selected {{ background: {c.accent_soft}; color: {c.text}; }}
QDockWidget::title {{ background: {c.raised}; padding: 5px 8px; }}
QScrollArea {{ border: none; background: transparent; }}
QScrollArea > QWidget > QWidget {{ background: transparent; }}
QSplitter::handle {{ background: {c.window}; }}
QProgressBar {{ border: 1px solid {c.line}; border-radius: 4px; background: {c.surface}; text-align: center;
    max-height: 14px; font-size: 8pt; }}
QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
QGroupBox {{ border: 1px solid {c.line}; border-radius: 6px; margin-top: 10px; padding-top: 8px; }}
QGroupBox::title {{ subcontrol-origin: margin; left: 10px; padding: 0 4px; font-weight: 600; }}
"""
