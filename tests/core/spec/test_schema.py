from __future__ import annotations

import pytest

from core.spec.schema import Key, Rule, Sub, Table, When
from core.spec.value_kinds import Flag, Text, Whole

INNER = Table(help="Inner.", entries=(Key(name="deep", kind=Whole(), help="Deep."),))
RULE = Rule(says="Nothing.", check=lambda *_: None)
OUTER = Table(
    help="Outer.",
    entries=(
        Key(name="on", kind=Flag(), help="On.", default=False),
        RULE,
        Key(
            name="how",
            kind=Text(),
            help="How.",
            field="manner",
            only=When(says="with `on`", holds=lambda given: bool(given["on"])),
        ),
        Key(name="inner", kind=Sub(INNER), help="More."),
    ),
)


def test_keys_and_rules_stand_in_their_order() -> None:
    assert [key.name for key in OUTER.keys] == ["on", "how", "inner"]
    assert OUTER.rules == (RULE,)
    assert [path for path, _ in OUTER.walk()] == ["on", "how", "inner", "inner.deep"]


def test_a_key_is_found_by_its_path() -> None:
    assert OUTER.key("inner.deep") is INNER.keys[0]
    assert OUTER.table("inner") is INNER
    for path in ("off", "on.deep", "inner.shallow"):
        with pytest.raises(KeyError):
            OUTER.key(path)
    for path in ("on", "inner.deep"):
        with pytest.raises(KeyError):
            OUTER.table(path)


def test_a_key_is_carried_under_its_own_name_unless_it_says_another() -> None:
    assert [key.carried for key in OUTER.keys] == ["on", "manner", "inner"]


def test_a_condition_refuses_a_key_or_takes_its_meaning() -> None:
    how = OUTER.key("how")
    assert (how.applies({"on": True}), how.means_something({"on": True})) == (True, True)
    assert (how.applies({"on": False}), how.means_something({"on": False})) == (False, False)
    assert how.only is not None
    mild = When(says=how.only.says, holds=how.only.holds, refused=False)
    how = OUTER.with_key("how", only=mild).key("how")
    assert (how.applies({"on": False}), how.means_something({"on": False})) == (True, False)
    assert OUTER.key("on").means_something({})


def test_a_copy_differs_where_it_was_told_to() -> None:
    changed = OUTER.with_table("inner", help="Changed.")
    assert changed.table("inner").help == "Changed."
    assert changed.entries[:3] == OUTER.entries[:3]
    assert OUTER.table("inner").help == "Inner."
    assert OUTER.with_table("", help="Root.").help == "Root."
    assert OUTER.with_key("on", required=True).key("on").required
    with pytest.raises(KeyError):
        OUTER.with_table("on", help="No table.")
