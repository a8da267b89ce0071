"""ui.kit.letting_go: very many objects are freed part by part, and the window answers in between."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from ui.kit.letting_go import AT_ONCE, let_go
from ui.kit.next_slice import next_slice

PARTS = 3


class Counted:
    """Says when it is freed."""

    def __init__(self, freed: list[int]) -> None:
        self._freed = freed

    def __del__(self) -> None:
        self._freed[0] += 1


def many(freed: list[int]) -> tuple[Counted, ...]:
    return tuple(Counted(freed) for _ in range(PARTS * AT_ONCE))


def test_an_event_frees_one_part(qtbot: QtBot) -> None:
    owner, freed, seen = QObject(), [0], list[int]()
    let_go(owner, list(many(freed)))
    assert freed == [0]

    def look() -> None:
        seen.append(freed[0])
        if freed[0] < PARTS * AT_ONCE:
            next_slice(owner, look)

    next_slice(owner, look)
    qtbot.waitUntil(lambda: freed[0] == PARTS * AT_ONCE)
    qtbot.waitUntil(lambda: seen[-1] == PARTS * AT_ONCE)
    steps = [after - before for before, after in zip([0, *seen], seen, strict=False)]
    assert max(steps) == AT_ONCE


def test_what_is_held_elsewhere_stays(qtbot: QtBot) -> None:
    owner, freed = QObject(), [0]
    kept, held = many(freed), list[object]()
    held.extend(kept)
    let_go(owner, held)
    qtbot.waitUntil(lambda: not held)
    assert freed == [0]
    assert len(kept) == PARTS * AT_ONCE


def test_all_of_it_is_freed_with_the_owner(qtbot: QtBot) -> None:
    owner, freed = QObject(), [0]
    let_go(owner, list(many(freed)))
    shiboken6.delete(owner)
    qtbot.waitUntil(lambda: freed[0] == PARTS * AT_ONCE)
