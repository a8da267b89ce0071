"""The other process: the same results, stops and errors; and here, whenever it cannot be there."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.city.split import search_logits
from core.errors import InputError
from core.progress import Cancelled, silent
from core.system.own_process import OWN_PROCESS, OwnProcess, in_this_process
from tests import own_work

PROGRAM = (sys.executable, str(Path(__file__).resolve().parents[3] / "main.py"), OWN_PROCESS)


@pytest.fixture(scope="module")
def apart() -> Iterator[OwnProcess]:
    made = OwnProcess()
    made.start()
    made.prepare(search_logits)
    assert made(own_work.process_id, progress=silent) != os.getpid()
    yield made
    made.close()


def other_id(apart: OwnProcess) -> int:
    return apart(own_work.process_id, progress=silent)


def test_one_other_process_does_all_works_and_tells_their_progress(apart: OwnProcess) -> None:
    told: list[tuple[float, str]] = []
    found = apart(own_work.counted_steps, 3, progress=lambda done, text="": told.append((done, text)))
    assert found == other_id(apart) != os.getpid()
    assert told == [(0.0, str(found)), (1 / 3, str(found)), (2 / 3, str(found))]


def test_it_knows_neither_qt_nor_the_window(apart: OwnProcess) -> None:
    assert apart(own_work.loaded_windows, progress=silent) == []


def test_what_is_printed_there_disturbs_nothing(apart: OwnProcess) -> None:
    assert apart(own_work.loud, progress=silent) == "done"


def test_an_error_of_ours_comes_back_as_it_is(apart: OwnProcess) -> None:
    with pytest.raises(InputError) as caught:
        apart(own_work.refused, progress=silent)
    error = caught.value
    assert (error.what, error.where, error.mend) == ("There is no such town.", "query.town", "name another")


def test_what_fails_there_is_tried_here(apart: OwnProcess) -> None:
    assert apart(own_work.broken_outside, os.getpid(), progress=silent) == os.getpid()


def test_a_stop_is_taken_and_the_process_stays(apart: OwnProcess) -> None:
    before = other_id(apart)

    def stop(done: float, *_: object) -> None:
        if done > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        apart(own_work.endless, progress=stop)
    assert other_id(apart) == before


def test_who_waits_for_the_process_may_stop_waiting(apart: OwnProcess) -> None:
    outcomes: list[str] = []

    def stopped(*_: object) -> None:
        raise Cancelled

    def another() -> None:
        try:
            apart(own_work.process_id, progress=stopped)
        except Cancelled:
            outcomes.append("stopped")

    def meanwhile(*_: object) -> None:
        second = threading.Thread(target=another)
        second.start()
        second.join()

    assert apart(own_work.counted_steps, 1, progress=meanwhile) == other_id(apart)
    assert outcomes == ["stopped"]


def test_where_the_process_is_killed_the_work_is_done_here(apart: OwnProcess) -> None:
    told: list[float] = []

    def kill(done: float, text: str = "") -> None:
        told.append(done)
        if int(text) != os.getpid():
            os.kill(int(text), signal.SIGTERM)

    assert apart(own_work.counted_steps, 100_000, progress=kill) == os.getpid()
    assert told == sorted(told)
    assert other_id(apart) != os.getpid()


@pytest.mark.parametrize("command", [("no such program",), (sys.executable, "-c", "print('hello')")])
def test_what_cannot_be_started_is_not_needed(command: tuple[str, ...]) -> None:
    apart = OwnProcess(command)
    for _ in range(2):
        apart.start()
        assert apart(own_work.process_id, progress=silent) == os.getpid()


def test_it_leaves_amid_its_work_when_nobody_is_left() -> None:
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stdout.readline()
        pickle.dump((1, pickle.dumps((own_work.endless, ()))), running.stdin)
        running.stdin.flush()
        pickle.load(running.stdout)
        # as the system does for a process that is killed; nobody reads, and so it hangs in its telling
        running.stdin.close()
        assert running.wait(30) == 0


def test_here_is_nothing_but_a_call() -> None:
    assert in_this_process(own_work.process_id, progress=silent) == os.getpid()
