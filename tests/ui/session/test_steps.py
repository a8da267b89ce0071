"""ui.session.steps: how far each step has come, told by sign and word."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.draft.draft import DataSource
from core.privacy import Relation, Unit
from core.release.prepare_publish import PublishedRelease
from core.signed.notices import NoticeKind
from core.system.paths import find_home
from tests.records import rules, write_csv
from tests.ui.release_story import city_session
from tests.ui.small_city import TIMEOUT, add_queries, edit, loaded_session, pings
from tests.ui.taxi_story import rest, user_session
from ui.session.session import Session
from ui.session.steps import GLYPHS, State, Step, VerifiedBundle, steps_of


def steps(session: Session) -> dict[str, Step]:
    return {step.key: step for step in steps_of(session)}


def states(session: Session) -> dict[str, State]:
    return {key: step.state for key, step in steps(session).items()}


@pytest.mark.usefixtures("qapp")
def test_without_data_all_but_data_and_verify_are_blocked() -> None:
    session = Session(find_home())
    assert steps(session)["data"].note == "open records first"
    assert steps(session)["verify"].note == "check any bundle"
    found = states(session)
    assert list(found) == ["data", "parameters", "errors", "release", "verify"]
    assert found.pop("data") is State.OPEN
    assert found.pop("verify") is State.OPEN
    assert set(found.values()) == {State.BLOCKED}


@pytest.mark.usefixtures("qapp")
def test_verify_tells_what_the_last_check_came_to() -> None:
    session = Session(find_home())
    for holds, state, said in ((True, State.DONE, "is valid"), (False, State.FAILED, "is NOT valid")):
        step = steps_of(session, VerifiedBundle(name="a", holds=holds))[-1]
        assert (step.key, step.state, step.why) == ("verify", state, f"a {said}")
        assert step.note == ("the bundle is valid" if holds else "is NOT valid"), "a name is too long"
    step = steps_of(session, VerifiedBundle(name="a", holds=True, trusted=False))[-1]
    assert (step.state, step.note) == (State.ATTENTION, "signer not checked"), "anybody may have signed it"
    assert step.why == "a is valid; signer not checked"
    for kind in NoticeKind:
        step = steps_of(session, VerifiedBundle(name="a", holds=False, notice=kind))[-1]
        assert (step.state, step.note, step.why) == (State.FAILED, f"was {kind.value}", f"a was {kind.value}")
    step = steps_of(session, VerifiedBundle(name="a", holds=False, practice=True))[-1]
    assert (step.state, step.note) == (State.ATTENTION, "a practice release")
    assert step.why == "a is a practice release"


def test_while_a_plan_is_being_made_the_error_of_the_one_before_is_not_said(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = city_session(qtbot, tmp_path)
    assert "error" in steps(session)["parameters"].note
    before = steps_of(session, of_before=True)[1]
    assert (before.state, before.note) == (State.DONE, "confirmed")


def test_the_tick_of_verify_is_for_this_window_s_release(qtbot: QtBot, tmp_path: Path) -> None:
    """Somebody took that of another bundle for the end of the job."""
    session = loaded_session(qtbot, tmp_path)
    step = steps_of(session, VerifiedBundle(name="a", holds=True))[-1]
    assert (step.state, step.note, step.why) == (State.OPEN, "another release is valid", "a is valid")
    assert steps_of(session, VerifiedBundle(name="a", holds=False))[-1].state is State.FAILED
    session.release.published = cast(PublishedRelease, SimpleNamespace(bundle=tmp_path / "a"))
    assert steps_of(session, VerifiedBundle(name="a", holds=True))[-1].state is State.DONE


def test_every_state_has_a_sign_of_its_own() -> None:
    assert set(GLYPHS) == set(State)
    assert len(set(GLYPHS.values())) == len(GLYPHS)


def test_data_tells_records_and_vehicles(qtbot: QtBot, tmp_path: Path) -> None:
    step = steps(loaded_session(qtbot, tmp_path))["data"]
    assert (step.state, step.note) == (State.DONE, "62 records")


def test_data_many_of_whose_rows_are_of_no_use_call_for_a_look(qtbot: QtBot, tmp_path: Path) -> None:
    session = Session(find_home())
    path = write_csv(tmp_path / "city.csv", pings())
    with path.open("a") as file:
        file.writelines("B,2022-01-03T09:10:00+05:30,21.1,72.8,fast\n" for _ in range(62))
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.load(DataSource(files=(path,), rules=rules()))
    step = steps(session)["data"]
    assert (step.state, step.note) == (State.ATTENTION, "50\u00a0% of rows not used")
    assert step.complete
    assert states(session)["parameters"] is not State.BLOCKED


def generous(qtbot: QtBot, folder: Path) -> Session:
    """A session whose numbers tell more than one constant would."""
    session = city_session(qtbot, folder, limit="200", key=False)
    edit(qtbot, session, budget=Budget(total=Decimal(90)))
    return session


def test_a_draft_that_is_complete_is_ready_to_release(qtbot: QtBot, tmp_path: Path) -> None:
    session = generous(qtbot, tmp_path)
    found = states(session)
    assert [found[key] for key in ("data", "parameters")] == [State.DONE] * 2
    assert (found["errors"], found["release"]) == (State.OPEN, State.OPEN)


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"relation": None}, "choose who is protected"),
        ({"unit": None}, "choose how much of a vehicle"),
        ({"confirmed": False}, "confirm the sentence"),
        ({"population": ""}, "choose a population"),
        ({"population": "Trams"}, "set a limit for Trams"),
    ],
)
def test_what_is_still_open_is_named(qtbot: QtBot, tmp_path: Path, change: dict[str, Any], note: str) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    session.edit("change", **change)
    assert (steps(session)["parameters"].state, steps(session)["parameters"].note) == (State.ATTENTION, note)
    assert states(session)["release"] is State.BLOCKED
    qtbot.waitUntil(lambda: not session.busy, timeout=TIMEOUT)


def test_a_constant_that_is_not_typed_is_named_in_a_few_words(qtbot: QtBot, tmp_path: Path) -> None:
    session = user_session(qtbot, tmp_path)
    session.edit("C", hats_per_vehicle=None)
    rest(qtbot, session)
    found = steps(session)
    assert (found["parameters"].state, found["parameters"].note) == (
        State.ATTENTION,
        "type how many hexagon slots count",
    )
    assert found["release"].why == "Parameters: type how many hexagon slots count"


def test_the_word_of_the_least_useful_statistic_stands_below(qtbot: QtBot, tmp_path: Path) -> None:
    session = generous(qtbot, tmp_path)
    assert steps(session)["parameters"].note.startswith("Good, error ")
    add_queries(qtbot, session, "query1", "cdf")
    step = steps(session)["parameters"]
    assert (step.state, step.warned) == (State.ATTENTION, True)
    assert step.note.startswith("Rough, error ")
    assert step.note.endswith(" points")


def test_what_tells_no_more_than_a_constant_needs_attention_and_may_be_released(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = generous(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(total=Decimal("0.1")))
    step = steps(session)["parameters"]
    assert (step.state, step.note) == (State.ATTENTION, "No use, error 65 km/h")
    release = steps(session)["release"]
    assert (release.state, release.note) == (State.ATTENTION, "no use as it is")
    assert step.complete
    assert release.complete


def test_counts_that_tell_nothing_need_attention_too(qtbot: QtBot, tmp_path: Path) -> None:
    session = generous(qtbot, tmp_path)
    for total, state in (("0.1", State.ATTENTION), ("900", State.DONE)):
        edit(qtbot, session, statistic="query2", parameters={}, budget=Budget(total=Decimal(total)))
        step = steps(session)["parameters"]
        assert (step.state, step.note.startswith("Good")) == (state, state is State.DONE)


@pytest.mark.parametrize("change", [{"threshold": 99}, {"hours": ("12:00", "10:00")}])
def test_hexagons_that_do_not_fit_block_the_release(
    qtbot: QtBot, tmp_path: Path, change: dict[str, Any]
) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    edit(qtbot, session, **change)
    assert session.planning.problem is not None
    step = steps(session)["parameters"]
    assert (step.state, step.note) == (State.ATTENTION, session.planning.problem.what)
    assert states(session)["release"] is State.BLOCKED
    assert states(session)["errors"] is State.BLOCKED


def test_a_budget_that_leaves_nothing_is_a_matter_of_parameters(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    edit(qtbot, session, budget=Budget(total=Decimal("0.000001")))
    found = steps(session)
    assert found["parameters"].state is State.ATTENTION
    assert "leaves nothing" in found["parameters"].note


def test_a_release_is_done_until_the_hexagons_change(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, key=False)
    published = cast(PublishedRelease, SimpleNamespace(bundle=Path("test-speed-1.0.0"), release=None))
    session.release.set_published(published)
    assert (steps(session)["release"].state, steps(session)["release"].note) == (
        State.DONE,
        "test-speed-1.0.0",
    )
    edit(qtbot, session, resolution=6)
    assert states(session)["release"] is not State.DONE


@pytest.mark.parametrize("change", ["statistic", "epsilon", "threshold", "minimum", "population"])
def test_a_release_is_not_that_of_a_draft_that_asks_for_something_else(
    qtbot: QtBot, tmp_path: Path, change: str
) -> None:
    """The old one stays on the map, and says so there; the step tells what is still to be done."""
    session = city_session(qtbot, tmp_path, key=False)
    published = cast(PublishedRelease, SimpleNamespace(bundle=Path("test-speed-1.0.0"), release=None))
    session.release.set_published(published)
    if change == "statistic":
        add_queries(qtbot, session, "query1")
    elif change == "epsilon":
        edit(qtbot, session, budget=Budget(total=Decimal(3)))
    elif change == "population":
        session.edit("Population", population="Others")
    else:
        edit(qtbot, session, **{"threshold": {"threshold": 3}, "minimum": {"minimum_vehicles": 1}}[change])
    assert states(session)["release"] is not State.DONE
    assert "test-speed" not in steps(session)["release"].note
    session.undo_stack.undo()
    rest(qtbot, session)
    assert (steps(session)["release"].state, steps(session)["release"].note) == (
        State.DONE,
        "test-speed-1.0.0",
    )


def test_what_is_still_to_be_done_of_another_release_is_to_review_and_sign(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = generous(qtbot, tmp_path)
    published = cast(PublishedRelease, SimpleNamespace(bundle=Path("test-speed-1.0.0"), release=None))
    session.release.set_published(published)
    edit(qtbot, session, budget=Budget(total=Decimal(91)))
    session.edit("Confirmed", confirmed=True)
    assert (steps(session)["release"].state, steps(session)["release"].note) == (
        State.OPEN,
        "review and sign",
    )
    assert steps(session)["errors"].note == "see what epsilon buys"


def test_a_later_step_tells_the_real_reason_and_where_it_is_mended(qtbot: QtBot, tmp_path: Path) -> None:
    session = loaded_session(qtbot, tmp_path)
    assert steps(session)["errors"].note == "waits for Parameters"
    assert steps(session)["release"].note == "waits for Parameters"
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=1000)
    found = steps(session)
    assert found["parameters"].note == "The threshold leaves no hexagon slot."
    assert found["errors"].note == "The threshold leaves no hexagon slot."
    edit(qtbot, session, threshold=3)
    assert steps(session)["release"].why == "Parameters: confirm the sentence"


def test_nobody_is_asked_to_confirm_what_is_not_told_yet(qtbot: QtBot, tmp_path: Path) -> None:
    """The sentence follows from the hexagons: until they are selected its box is grey."""
    session = loaded_session(qtbot, tmp_path)
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=1000)
    told = "The threshold leaves no hexagon slot."
    notes = [steps(session)[key].why for key in ("parameters", "release")]
    assert notes == [told, f"Parameters: {told}"]
    session.choose_relation("Relation", Relation.USER)
    rest(qtbot, session)
    assert [steps(session)[key].why for key in ("parameters", "errors", "release")] == [
        "type the time zone",
        "type the time zone",
        "Parameters: type the time zone",
    ]
    assert states(session)["parameters"] is State.ATTENTION


def test_what_the_ledger_would_refuse_blocks_the_release(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path, limit="5", key=False)
    release = steps(session)["release"]
    assert (release.state, release.note) == (State.BLOCKED, "costs more than is left")
