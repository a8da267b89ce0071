"""A state that was stored goes on as if every event were read again."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.ledger_events import Evaluated, Event, Linked, Noticed, Published
from core.accounting.ledger_fold import StateDraft, fold, resumed
from core.accounting.ledger_report import summarise_populations
from core.accounting.ledger_state import Place
from tests.core.accounting.ledger_cases import DAY, NEXT, ZONE, charge_of, drawn, reserved_of, start_of

NOTICE = Noticed(entry=1, bundle="b-1.0.0", notice="withdrawn", replaced_by="", on=DAY)
EVENTS: list[Event] = [
    *start_of("a", "b", delta="1e-6"),
    reserved_of(1, charge_of({DAY: "1"}), population="a", zone="", new_vehicles=["1", "2"]),
    drawn(1, '{"zone": "Asia/Kolkata"}', old=True),
    reserved_of(2, charge_of({DAY: "1"}), population="a", zone="", new_vehicles=["3"]),
    Published(entry=1, bundle="b-1.0.0", manifest_sha256="0" * 64),
    Evaluated(population="b", on=DAY),
    reserved_of(3, charge_of({DAY: "0.50", NEXT: "0.25"}, rho={NEXT: "0.125"}), population="b", zone=ZONE),
    drawn(3, "{}", old=False),
    Linked(populations=("a", "b")),
    NOTICE,
    Published(entry=3, bundle="b-1.0.1", manifest_sha256="1" * 64),
    reserved_of(4, charge_of({NEXT: "0.250"}), population="b", zone=ZONE),
    start_of("b", per_vehicle="7")[2],
]


def _draft(events: list[Event], draft: StateDraft | None = None, first: int = 1) -> StateDraft:
    draft = draft or StateDraft()
    for seq, event in enumerate(events, start=first):
        draft.apply(event, Place(seq, f"hash of {seq}"))
    return draft


@given(st.lists(st.integers(0, len(EVENTS)), max_size=3).map(sorted))
def test_a_stored_state_goes_on_as_all_events_do(stops: list[int]) -> None:
    draft, done = StateDraft(), 0
    for stop in stops:
        draft = resumed(_draft(EVENTS[done:stop], draft, done + 1).stored())
        done = stop
    draft, whole = _draft(EVENTS[done:], draft, done + 1), _draft(EVENTS)
    assert draft.stored() == whole.stored()
    assert summarise_populations(draft.state()) == summarise_populations(fold(EVENTS))
    assert [*draft.state().entries] == [*whole.state().entries]


def test_only_the_entries_that_events_change_are_read() -> None:
    stored = _draft(EVENTS).stored()
    unreadable = [*stored[:2], "no text of an entry", *stored[3:]]
    draft = resumed(unreadable)
    draft.apply(Published(entry=3, bundle="b-1.0.2", manifest_sha256="2" * 64))
    assert draft.stored()[2] == "no text of an entry"
    assert draft.state().spent_per_vehicle("a").pure == Decimal("3.00")


def test_a_state_is_no_longer_changed_by_later_events() -> None:
    draft = _draft(EVENTS[:-2])
    before = draft.state()
    draft.apply(EVENTS[-2])
    assert (len(before.entries), len(draft.state().entries)) == (3, 4)
    assert before.spent_per_vehicle("b") != draft.state().spent_per_vehicle("b")


@pytest.mark.parametrize("texts", [["[]"], ["no JSON"], ['{"count": "one"}'], []])
def test_other_texts_are_refused(texts: list[str]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        resumed(texts)
