"""core.spec.release_keys: texts for people, which change nothing of what is published in numbers."""

from __future__ import annotations

from core.spec.keys import SPEC
from core.spec.release_keys import PLACES_TABLE, RELEASE_TABLE
from core.spec.schema import Key
from core.spec.value_kinds import Text

KEYS = [entry for entry in RELEASE_TABLE.entries if isinstance(entry, Key)]


def test_the_texts_are_a_section_of_the_spec() -> None:
    assert SPEC.key("release").inner is RELEASE_TABLE


def test_all_are_asked_for_and_none_makes_another_request() -> None:
    texts = [key for key in KEYS if isinstance(key.kind, Text)]
    assert len(texts) == 6
    assert all(key.required and key.label for key in texts)
    assert not any(key.place for key in KEYS)


def test_the_policy_is_there_where_somebody_wants_it() -> None:
    policy = SPEC.key("release.policy")
    assert policy.default is False
    assert not policy.required
    assert policy.label


def test_places_are_named_by_whoever_wants_them_and_make_no_other_request() -> None:
    """The same draws may be published again with names beside them, at no cost."""
    inner = {key.name: key for key in KEYS if key.inner is not None}
    assert inner["places"].inner is PLACES_TABLE
    assert list(inner) == ["registry", "handling", "places"]
    assert not any(key.required or key.place for key in inner.values())
    assert not any(key.place for one in inner.values() for _, key in one.inner.walk())  # type: ignore[union-attr]
