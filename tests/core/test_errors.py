"""The tree of errors."""

from __future__ import annotations

import pickle

import pytest

from core import errors
from core.errors import HexveilError, InputError, InputErrors

CODES = {
    "InputError": 2,
    "BudgetRefused": 3,
    "LedgerError": 1,
    "ReleaseAborted": 1,
}


@pytest.mark.parametrize("name", CODES)
def test_each_error_has_its_exit_code(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, HexveilError)
    assert kind.exit_code == CODES[name]


def test_every_error_of_the_tree_is_known_here() -> None:
    assert {kind.__name__ for kind in HexveilError.__subclasses__()} >= set(CODES)


def test_the_text_holds_what_where_and_how_to_mend() -> None:
    assert str(InputError("Wrong.", where="here", mend="do this")) == "Wrong.\nwhere: here\nfix:   do this"
    assert str(InputError("Wrong.")) == "Wrong."


def test_unusable_input_is_also_a_value_error() -> None:
    assert issubclass(InputError, ValueError)


def test_an_error_survives_the_way_between_processes() -> None:
    error = pickle.loads(pickle.dumps(InputError("Wrong.", where="here", mend="do this")))
    assert (error.what, error.where, error.mend) == ("Wrong.", "here", "do this")


def test_several_are_told_a_line_each_and_survive_that_way_too() -> None:
    several = InputErrors(
        "Two.", [InputError("A.", where="a.x", mend="write a"), InputError("B.", where="a.y", mend="write b")]
    )
    assert str(several) == "Two.\nwhere: a\nfix:   a.x: A. Write a.\n       a.y: B. Write b."
    again = pickle.loads(pickle.dumps(several))
    assert (str(again), [problem.where for problem in again.problems]) == (str(several), ["a.x", "a.y"])


def test_a_bug_of_ours_is_no_error_of_the_user() -> None:
    assert not issubclass(errors.InternalError, HexveilError)
