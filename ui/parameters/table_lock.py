"""What a contribution table has decided is shown, and cannot be chosen."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtWidgets import QWidget

from ui.kit.tips import in_lines
from ui.language.translation import translator

_tr = translator("TableTexts")


def lock(editors: Mapping[QWidget, str], *, locked: bool, open_ones: Collection[QWidget] = ()) -> None:
    """editors: with their usual tooltips; open_ones: those that leave a choice all the same."""
    made_for = _tr("The contribution table was made for this. For another choice make another table.")
    for editor, usual in editors.items():
        decided = locked and editor not in open_ones
        editor.setEnabled(not decided)
        editor.setToolTip(in_lines(made_for if decided else usual))
        editor.setAccessibleDescription(made_for if decided else "")
