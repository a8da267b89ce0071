"""The style sheet in CSS: frames, tips, arrows, tabs, every look by the palette's roles."""

from __future__ import annotations

from functools import cache

from core.system.paths import resources

Tint = tuple[int, int, int, float]
"""Red, green, blue, and how much of it covers the ground."""

TINTS: dict[str, Tint] = {
    "bad": (209, 58, 48, 0.16),
    "warning": (217, 147, 0, 0.17),
    "good": (31, 160, 80, 0.15),
}
"""Grounds of messages, over a light surface and over a dark one."""


@cache
def style_sheet() -> str:
    """What `QApplication.setStyleSheet` takes; roles: `theme.qt_palette`.

    Widgets choose a look by a dynamic property: `look` = title, heading, muted, figure, card,
    primary, flat, section, chip, info, badge, error, warning, good.
    """
    icons = (resources() / "icons").as_posix()
    bad, warning, good = (f"rgba{TINTS[name]}" for name in ("bad", "warning", "good"))
    return f"""
QToolTip {{
    background: palette(base); color: palette(text); border: 1px solid palette(dark); padding: 4px 6px;
}}
QLabel[look="title"] {{ font-size: 14pt; font-weight: 700; }}
QLabel[look="heading"] {{ font-weight: 700; }}
QLabel[look="muted"] {{ color: palette(placeholder-text); }}
QLabel[look="range"] {{ font-size: 13pt; font-weight: 700; }}
QLabel[look="figure"] {{ font-size: 16pt; font-weight: 700; }}
QLabel[look="badge"], QLabel[look="tag"] {{
    background: {warning}; color: palette(link-visited); border: 1px solid palette(link-visited);
    border-radius: 4px; padding: 1px 6px; font-weight: 700; font-size: 9pt;
}}
QLabel[look="tag"] {{
    background: transparent; color: palette(placeholder-text); border-color: palette(dark);
}}
QFrame[look="card"] {{ background: palette(base); border: 1px solid palette(mid); border-radius: 8px; }}
QFrame[look="error"] {{ background: {bad}; border: 1px solid palette(bright-text); border-radius: 6px; }}
QFrame[look="warning"] {{
    background: {warning}; border: 1px solid palette(link-visited); border-radius: 6px;
}}
QFrame[look="good"] {{ background: {good}; border: 1px solid palette(shadow); border-radius: 6px; }}
QFrame[look="error"] QLabel, QFrame[look="warning"] QLabel, QFrame[look="good"] QLabel {{
    background: transparent; border: none; color: palette(text);
}}
VerifyResult > QFrame:focus {{ border: 3px solid palette(highlight); }}
QLabel[look="error"], QLabel[look="warning"], QLabel[look="good"] {{
    background: transparent; border: none; border-radius: 0;
}}
QLabel[look="error"] {{ color: palette(bright-text); }}
QLabel[look="warning"] {{ color: palette(link-visited); }}
QLabel[look="good"] {{ color: palette(shadow); }}
QPushButton, QToolButton {{
    background: palette(button); border: 1px solid palette(dark); border-radius: 5px; padding: 5px 12px;
}}
QToolButton {{ padding: 4px 8px; }}
QToolButton[autoRaise="true"] {{ background: transparent; border-color: transparent; }}
QPushButton:hover, QToolButton:hover {{ border-color: palette(highlight); }}
QPushButton:pressed, QToolButton:pressed {{ background: palette(mid); }}
QPushButton:disabled, QToolButton:disabled {{
    color: palette(placeholder-text); background: palette(window); border-color: palette(mid);
}}
QPushButton:focus {{ border: 2px solid palette(highlight); padding: 4px 11px; }}
QToolButton:focus {{ border: 2px solid palette(highlight); padding: 3px 7px; }}
QPushButton[look="primary"] {{
    background: palette(highlight); color: palette(highlighted-text); border-color: palette(highlight);
    font-weight: 700;
}}
QPushButton[look="primary"]:disabled {{
    background: palette(button); color: palette(placeholder-text); border-color: palette(mid);
}}
QPushButton[look="primary"]:focus {{
    background: palette(base); color: palette(highlight); border: 2px solid palette(highlight);
}}
QPushButton[look="flat"] {{
    background: transparent; border: 2px solid transparent; border-radius: 5px; color: palette(highlight);
    padding: 2px;
}}
QPushButton[look="flat"]:disabled {{ color: palette(placeholder-text); }}
QPushButton[look="flat"]:focus {{ border-color: palette(highlight); }}
KnobLine QPushButton[look="flat"] {{ padding: 0 2px; border-width: 1px; }}
QPushButton[look="section"], QPushButton[look="section"]:pressed {{
    background: transparent; border: 2px solid transparent; border-top-color: palette(mid); border-radius: 0;
    padding: 0;
}}
QPushButton[look="section"]:focus {{ border-color: palette(highlight); border-radius: 5px; }}
QPushButton[look="choice"] {{ padding: 0; }}
QPushButton[look="chip"] {{ border-radius: 11px; padding: 2px 9px; background: palette(base); }}
QPushButton[look="chip"]:checked {{
    background: palette(midlight); border-color: palette(highlight); font-weight: 700;
}}
QToolButton[look="info"] {{ border-radius: 10px; padding: 0; font-weight: 700; color: palette(highlight); }}
QToolButton[look="info"]:focus {{ padding: 0; }}
QLineEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox, QComboBox, QDateEdit, QTimeEdit {{
    background: palette(base); border: 1px solid palette(dark); border-radius: 5px; padding: 4px 6px;
    selection-background-color: palette(highlight); selection-color: palette(highlighted-text);
}}
QSpinBox, QDoubleSpinBox {{ padding-left: 10px; }}
QSpinBox, QDoubleSpinBox {{ qproperty-alignment: 'AlignRight | AlignVCenter'; }}
QLineEdit:focus, QPlainTextEdit:focus, QComboBox:focus, QDateEdit:focus, QTimeEdit:focus {{
    border: 2px solid palette(highlight); padding: 3px 5px;
}}
QSpinBox:focus, QDoubleSpinBox:focus {{
    border: 2px solid palette(highlight); padding: 3px 5px 3px 9px;
}}
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled, QDateEdit:disabled {{
    background: palette(window); color: palette(placeholder-text); border-color: palette(mid);
}}
/* else the last entry of a list is cut */
QComboBox {{ combobox-popup: 0; }}
QComboBox::drop-down, QDateEdit::drop-down {{ border: none; width: 22px; }}
QComboBox::down-arrow, QDateEdit::down-arrow, QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {{
    image: url({icons}/down.svg); width: 12px; height: 12px;
}}
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {{
    image: url({icons}/up.svg); width: 12px; height: 12px;
}}
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {{
    border: none; background: transparent; width: 20px;
}}
QRadioButton, QCheckBox {{ border: 2px solid transparent; border-radius: 5px; padding: 0 2px; }}
QRadioButton:focus, QCheckBox:focus {{ border-color: palette(highlight); }}
QRadioButton::indicator, QCheckBox::indicator, QListView::indicator {{
    width: 14px; height: 14px; border: 1px solid palette(dark); background: palette(base);
}}
QRadioButton::indicator {{ border-radius: 8px; }}
QCheckBox::indicator, QListView::indicator {{ border-radius: 3px; }}
QRadioButton::indicator:hover, QCheckBox::indicator:hover {{ border-color: palette(highlight); }}
QRadioButton::indicator:checked {{ width: 6px; height: 6px; border: 5px solid palette(highlight); }}
QCheckBox::indicator:checked, QListView::indicator:checked {{
    background: palette(light); border-color: palette(light); image: url({icons}/check.svg);
}}
QRadioButton::indicator:disabled, QCheckBox::indicator:disabled {{
    border-color: palette(mid); background: palette(window);
}}
QCheckBox::indicator:checked:disabled {{ background: palette(dark); }}
QSlider {{ border: 2px solid transparent; border-radius: 6px; }}
QSlider:focus {{ border-color: palette(highlight); }}
QSlider:horizontal {{ min-height: 22px; }}
QSlider::groove:horizontal {{ height: 4px; background: palette(dark); border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: palette(highlight); border-radius: 2px; }}
QSlider::handle:horizontal {{
    width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
    background: palette(base); border: 2px solid palette(highlight);
}}
QSlider::handle:horizontal:hover {{ background: palette(midlight); }}
QSlider::handle:horizontal:disabled {{ border-color: palette(mid); }}
QSlider::sub-page:horizontal:disabled, QSlider::groove:horizontal:disabled {{ background: palette(mid); }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: palette(dark); border-radius: 4px; margin: 1px; }}
QScrollBar::handle:vertical {{ min-height: 28px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; }}
QScrollBar::handle:hover {{ background: palette(placeholder-text); }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
    background: transparent; border: none; width: 0; height: 0;
}}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QAbstractItemView {{
    background: palette(base); alternate-background-color: palette(window); border: 1px solid palette(mid);
    margin: 1px; selection-background-color: palette(midlight); selection-color: palette(text);
}}
QListView[look="flat"] {{ background: transparent; border-color: transparent; }}
QAbstractItemView:focus, QTextEdit:focus {{ border: 2px solid palette(highlight); margin: 0; }}
QComboBox QAbstractItemView, QComboBox QAbstractItemView:focus {{
    border: 1px solid palette(mid); margin: 0;
}}
QComboBox QAbstractItemView::item {{ min-height: 23px; }}
QTextEdit {{ background: palette(base); border: 1px solid palette(mid); margin: 1px; }}
QTableView::item:selected, QTableView::item:focus {{ background: palette(midlight); color: palette(text); }}
QHeaderView {{ border: none; margin: 0; }}
QHeaderView::section {{ background: palette(button); color: palette(text); border: none;
    border-right: 1px solid palette(mid); border-bottom: 1px solid palette(mid); padding: 5px 8px; }}
QTableCornerButton::section {{ background: palette(button); border: none; }}
QTabWidget::pane {{
    border: 1px solid palette(mid); border-radius: 6px; background: palette(base); top: -1px;
}}
QTabBar::tab {{
    padding: 3px 14px; min-height: 1.3em; border: 2px solid transparent; border-radius: 0;
    color: palette(placeholder-text);
}}
QTabBar::tab:selected {{ color: palette(text); border-bottom-color: palette(highlight); }}
QTabBar::tab:selected:focus {{ border: 2px solid palette(highlight); border-radius: 5px; }}
QTabBar::tab:hover {{ color: palette(text); }}
QTabBar::scroller {{ width: 44px; }}
QTabBar QToolButton {{ padding: 0; border-radius: 0; }}
QTabBar QToolButton::left-arrow {{ image: url({icons}/left.svg); width: 12px; height: 12px; }}
QTabBar QToolButton::right-arrow {{ image: url({icons}/right.svg); width: 12px; height: 12px; }}
QStatusBar QToolButton, QStatusBar QToolButton:focus {{ padding: 1px 8px; }}
QToolButton:checked {{ background: palette(midlight); border-color: palette(highlight); }}
QMenuBar, QMenu, QStatusBar {{ background: palette(window); }}
QMenu {{ border: 1px solid palette(dark); }}
QMenu::item:selected, QMenuBar::item:selected {{ background: palette(midlight); color: palette(text); }}
QMenu::separator {{ height: 1px; background: palette(mid); margin: 4px 0; }}
QDockWidget {{ titlebar-close-icon: url({icons}/close.svg); titlebar-normal-icon: url({icons}/float.svg); }}
QDockWidget::title {{ background: palette(button); padding: 5px 8px; }}
QScrollArea {{ border: none; background: transparent; }}
QScrollArea > QWidget > QWidget {{ background: transparent; }}
QSplitter::handle {{ background: palette(window); }}
QProgressBar {{
    border: 1px solid palette(dark); border-radius: 4px; background: palette(base); text-align: center;
    max-height: 14px; font-size: 8pt;
}}
QProgressBar::chunk {{ background: palette(highlight); border-radius: 3px; }}
QGroupBox {{ border: 1px solid palette(mid); border-radius: 6px; margin-top: 10px; padding-top: 8px; }}
QGroupBox::title {{
    subcontrol-origin: margin; left: 10px; padding: 0 4px; min-height: 1.3em; font-weight: 700;
}}
"""
