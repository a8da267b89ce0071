"""ui.kit.style_sheet: one sheet for every theme, with every picture that it names."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtGui import QPalette

from ui.kit.style_sheet import style_sheet
from ui.kit.theme import LIGHT, qt_palette


def test_it_names_no_colour_of_its_own() -> None:
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", style_sheet())
    named = set(re.findall(r"palette\(([a-z-]+)\)", style_sheet()))
    known = {re.sub("(?<=[a-z])(?=[A-Z])", "-", role.name).lower() for role in QPalette.ColorRole}
    assert named <= known
    assert len(named) > 10


def test_each_role_that_tells_something_has_a_colour_of_its_own() -> None:
    palette = qt_palette(LIGHT)
    roles = QPalette.ColorRole
    telling = (roles.Highlight, roles.BrightText, roles.LinkVisited, roles.Shadow, roles.Dark, roles.Mid)
    assert len({palette.color(role).name() for role in telling}) == len(telling)


def test_every_picture_that_it_names_exists() -> None:
    named = re.findall(r"url\(([^)]+)\)", style_sheet())
    assert len(named) >= 3
    for path in named:
        assert Path(path).is_file(), path
