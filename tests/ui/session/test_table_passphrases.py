"""ui.session.table_passphrases: a worker waits for an answer, which is kept for its table alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.contributions.encryption import AskPassphrase, WrongPassphrase
from core.progress import Cancelled, Progress, silent
from ui.kit.jobs import Job
from ui.session.table_passphrases import PassphraseRequest, TablePassphrases

TABLE, RIGHT = Path("table.parquet"), "right"


def _open(passphrase: AskPassphrase) -> str:
    given = passphrase(TABLE)
    if given != RIGHT:
        raise WrongPassphrase("It does not open.", where=str(TABLE), mend="type another")
    return passphrase(TABLE)


@pytest.mark.usefixtures("qapp")
def test_it_is_asked_until_it_opens_and_then_no_more() -> None:
    found, asked = TablePassphrases(), []
    answers = iter(("wrong", "wrong again", RIGHT))

    def answer(request: PassphraseRequest) -> None:
        asked.append((request.table, request.wrong))
        request.answer(next(answers))

    found.wanted.connect(answer)
    assert found.with_passphrase(_open, silent) == RIGHT
    assert asked == [(TABLE, False), (TABLE, True), (TABLE, True)]
    assert found.with_passphrase(_open, silent) == RIGHT
    assert len(asked) == 3


@pytest.mark.usefixtures("qapp")
def test_no_answer_and_a_stop_end_the_work() -> None:
    found = TablePassphrases()
    found.wanted.connect(lambda request: request.answer(None))
    with pytest.raises(Cancelled):
        found.with_passphrase(_open, silent)

    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        TablePassphrases().with_passphrase(_open, stop)


def test_a_worker_waits_while_the_window_goes_on(qtbot: QtBot) -> None:
    found, asked = TablePassphrases(), []
    found.wanted.connect(asked.append)

    def work(progress: Progress) -> str:
        return found.with_passphrase(_open, progress)

    job = Job(work)
    with qtbot.waitSignal(found.wanted):
        job.start()
    qtbot.waitUntil(lambda: bool(asked))
    with qtbot.waitSignal(job.succeeded) as done:
        asked[0].answer(RIGHT)
    assert done.args == [RIGHT]
