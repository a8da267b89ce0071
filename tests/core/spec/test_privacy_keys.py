"""core.spec.privacy_keys: who is protected is chosen and confirmed by a person, never by a default."""

from __future__ import annotations

from core.spec.keys import SPEC, default_of
from core.spec.privacy_keys import PRIVACY_TABLE


def test_the_protection_is_a_section_of_the_spec() -> None:
    assert SPEC.key("privacy").inner is PRIVACY_TABLE


def test_nothing_is_chosen_or_confirmed_by_default() -> None:
    assert all(SPEC.key(f"privacy.{name}").required for name in ("population", "relation", "unit"))
    assert default_of("privacy.confirmed") is False
