"""ui.session.constant_request: what is asked about the constants, and what is missing for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.prior.public_prior import PublicPrior
from core.privacy import Relation
from core.progress import Progress, silent
from tests.ui.taxi_story import rest, user_session
from ui.kit.message_bar import Message
from ui.session.constant_request import ConstantRequest, choice_for, constant_request, outlook_of
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return user_session(qtbot, tmp_path)


def asked(session: Session) -> ConstantRequest:
    request = constant_request(session)
    assert isinstance(request, ConstantRequest)
    return request


def test_the_answer_follows_from_what_is_typed(session: Session) -> None:
    request = asked(session)
    outlook = outlook_of(request, silent)
    assert outlook.total == 10
    assert outlook.choice(4, "auto") is not None
    assert outlook.hats_of_one == pytest.approx(21 * 20 / 60)
    found = choice_for(request, 5.0, silent)
    assert found.error_kmh <= 5.0


def test_both_answers_say_how_far_they_are(session: Session) -> None:
    """Beyond the reading of public counts, which typed ones do not need: so they can be stopped."""
    request, told = asked(session), [0, 0, 0]

    def heard(number: int) -> Progress:
        def count(_done: float, _text: str = "") -> None:
            told[number] += 1

        return count

    request.city(heard(0))
    outlook_of(request, heard(1))
    choice_for(request, 5.0, heard(2))
    assert min(told[1:]) > told[0]


def test_the_same_question_is_equal_and_another_is_not(qtbot: QtBot, session: Session) -> None:
    request = asked(session)
    assert asked(session) == request
    session.edit("C", hats_per_vehicle=5)
    assert asked(session) != request
    rest(qtbot, session)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"zone": ""}, "time zone"),
        ({"date_ranges": ()}, "dates"),
        ({"cells_file": ""}, "candidate hexagons"),
        ({"unit": None}, "How much of a vehicle"),
        ({"prior": PublicPrior()}, "Public estimates"),
        ({"prior": PublicPrior(vehicles=20)}, "Public estimates"),
    ],
)
def test_what_is_missing_is_told(qtbot: QtBot, session: Session, changes: dict[str, Any], told: str) -> None:
    session.edit("change", **changes)
    found = constant_request(session)
    assert isinstance(found, Message)
    assert told in found.what
    rest(qtbot, session)


def test_there_is_nothing_to_ask_in_relation_values_nor_of_a_plan(qtbot: QtBot, session: Session) -> None:
    session.set_mechanism("Mechanism", "plan-and-enforce", {})
    assert isinstance(constant_request(session), Message)
    rest(qtbot, session)
    session.choose_relation("Relation", Relation.VALUES)
    assert isinstance(constant_request(session), Message)
    rest(qtbot, session)


def test_a_list_that_cannot_be_read_is_told(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    session.edit("File", cells_file=str(tmp_path / "gone.txt"))
    found = constant_request(session)
    assert isinstance(found, Message)
    assert "gone.txt" in found.where
    rest(qtbot, session)
