"""ui.map.slot_player: the next slot waits for its time and for the picture; it ends or begins anew."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from ui.map.slot_player import SlotPlayer


class Played:
    """A player whose clock the test moves."""

    def __init__(self) -> None:
        self.player = SlotPlayer()
        self.player.set_speed(10**6)
        self.slots: list[int] = []
        self.player.stepped.connect(self.slots.append)

    def pass_time(self) -> None:
        self.player._timer.stop()
        self.player._step()


@pytest.fixture
def played(qtbot: QtBot) -> Played:
    assert qtbot is not None
    return Played()


def test_a_slot_waits_for_time_and_picture(played: Played) -> None:
    played.player.start(range(9, 13), 10)
    played.player.note_seen()
    assert played.slots == []
    played.pass_time()
    assert played.slots == [11]
    played.pass_time()
    assert played.slots == [11], "the map has not painted it yet"
    played.player.note_seen()
    assert played.slots == [11, 12]
    played.player.note_seen()
    assert played.slots == [11, 12], "its time is not over"


def test_it_stops_at_the_end_or_begins_anew(played: Played) -> None:
    told: list[bool] = []
    played.player.changed.connect(lambda: told.append(played.player.running))
    played.player.start(range(9, 11), 9)
    played.pass_time()
    played.player.note_seen()
    played.pass_time()
    assert (played.slots, played.player.running, told) == ([10], False, [True, False])
    played.player.repeat = True
    played.player.start(range(9, 11), 10)
    assert played.slots == [10, 9], "from the last one it begins with the first"
    for _ in range(2):
        played.player.note_seen()
        played.pass_time()
    assert played.slots == [10, 9, 10, 9]
    played.player.stop()
    played.player.note_seen()
    played.pass_time()
    assert played.slots == [10, 9, 10, 9]


def test_it_goes_on_from_a_slot_that_a_person_chose(played: Played) -> None:
    played.player.start(range(9, 20), 9)
    played.player.note_slot(15)
    played.pass_time()
    assert played.slots == [16]


def test_one_slot_is_not_played(played: Played) -> None:
    played.player.start(range(9, 10), 9)
    assert not played.player.running
