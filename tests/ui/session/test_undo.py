"""Undo steps: done, undone, merged, and never deleted twice."""

from __future__ import annotations

import dataclasses
import gc
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtGui import QUndoStack

from core.accounting.budgets import Budget
from core.draft.draft import Draft
from ui.session import undo
from ui.session.undo import EditDraft, push_edit

ROOT = Path(__file__).resolve().parents[3]
DRAFTS = [dataclasses.replace(Draft(), threshold=number) for number in range(4)]


class Applied:
    """Remembers what was applied."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []

    def apply(self, draft: Draft) -> None:
        self.drafts.append(draft)


def step(to: Applied, before: int, after: int, *, dragging: bool = False) -> EditDraft:
    return EditDraft(to.apply, "Threshold", DRAFTS[before], DRAFTS[after], dragging=dragging)


@pytest.mark.usefixtures("qapp")
def test_a_step_is_done_undone_and_done_again() -> None:
    stack, applied = QUndoStack(), Applied()
    push_edit(stack, step(applied, 0, 1))
    stack.undo()
    stack.redo()
    assert applied.drafts == [DRAFTS[1], DRAFTS[0], DRAFTS[1]]


@pytest.mark.usefixtures("qapp")
def test_steps_of_a_drag_become_one_and_none_where_it_ends_as_it_began() -> None:
    stack, applied = QUndoStack(), Applied()
    for before, after in ((0, 1), (1, 2), (2, 3)):
        push_edit(stack, step(applied, before, after, dragging=True))
    assert stack.count() == 1
    stack.undo()
    assert applied.drafts[-1] == DRAFTS[0]
    stack.redo()
    push_edit(stack, step(applied, 3, 0, dragging=True))
    assert stack.count() == 0


@pytest.mark.parametrize(
    ("change", "chooses"),
    [
        ({"mechanism": "levy"}, True),
        ({"parameters": {"m_ub": 3}}, True),
        ({"id": "speed"}, False),
        ({"budget": Budget(per_hat=Decimal(1))}, False),
        ({"statistic": "query1"}, False),
    ],
)
def test_a_step_knows_whether_it_chooses_the_mean_s_mechanism(change: dict[str, Any], chooses: bool) -> None:
    before = Draft()
    after = dataclasses.replace(before, queries=(dataclasses.replace(before.leading, **change),))
    made = EditDraft(Applied().apply, "Query", before, after, dragging=False)
    assert made.chooses_mechanism is chooses


@pytest.mark.usefixtures("qapp")
def test_a_step_keeps_nobody_alive_and_survives_its_owner() -> None:
    stack, applied = QUndoStack(), Applied()
    push_edit(stack, step(applied, 0, 1))
    del applied
    gc.collect()
    stack.undo()
    assert stack.index() == 0


@pytest.mark.usefixtures("qapp")
def test_steps_of_stacks_that_are_gone_are_let_go() -> None:
    first, applied = QUndoStack(), Applied()
    for _ in range(3):
        push_edit(first, step(applied, 0, 1))
    old = [retained for retained in undo._stored if shiboken6.isValid(retained)]
    assert len(old) >= 3
    first.clear()
    push_edit(QUndoStack(), step(applied, 0, 1))
    assert all(shiboken6.isValid(retained) for retained in undo._stored[:-1])


def test_a_session_that_is_garbage_goes_without_a_crash(tmp_path: Path) -> None:
    """Collected together, Python used to delete the steps before their stack did."""
    code = (
        "import gc, os, sys\n"
        "from pathlib import Path\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from core.system.paths import find_home\n"
        "from ui.session.session import Session\n"
        "app = QApplication([])\n"
        "gc.disable()\n"
        "for round in range(40):\n"
        "    home = Path(sys.argv[1], str(round))\n"
        "    home.mkdir()\n"
        "    session = Session(find_home(str(home)))\n"
        "    session.me = session\n"
        "    for number in range(1, 6):\n"
        "        session.edit('Threshold', threshold=number + round)\n"
        "    session.undo_stack.undo()\n"
        "    del session\n"
        "    if round % 5 == 4:\n"
        "        gc.collect()\n"
        "gc.collect()\n"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
