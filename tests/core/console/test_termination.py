"""core.console.termination: the signal is heard while a command runs, and once."""

from __future__ import annotations

import signal
import threading

import pytest

from core.console.termination import AskedToEnd, ends_in_order


def test_it_is_raised_once_and_everything_is_as_before() -> None:
    before, cleaned = signal.getsignal(signal.SIGTERM), False
    with pytest.raises(AskedToEnd), ends_in_order():  # noqa: PT012 - what cleans up is a part of it
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGTERM)  # whoever asks twice interrupts no cleaning
            cleaned = True
    assert cleaned
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_thread_that_may_ask_for_no_signals_runs_commands_too() -> None:
    before, ran = signal.getsignal(signal.SIGTERM), []

    def work() -> None:
        with ends_in_order():
            ran.append(signal.getsignal(signal.SIGTERM) is before)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ran == [True]
