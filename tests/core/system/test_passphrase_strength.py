"""What is told of a passphrase while it is chosen."""

from __future__ import annotations

import pytest

from core.system.passphrase_strength import LEAST_LENGTH, strength_bits, strength_text


@pytest.mark.parametrize(
    ("passphrase", "told"),
    [
        ("", f"0 of at least {LEAST_LENGTH} characters"),
        ("k" * 11, f"11 of at least {LEAST_LENGTH}"),
        ("aaaaaaaaaaaa", "Weak"),
        ("word word word word", "Weak"),
        ("correct horse", "Weak"),
        ("correct horse battery", "Weak"),
        ("correct horse battery staple", "Fair"),
        ("correct horse battery staple 71%", "Strong"),
        ("Straße Bäckerei Zürich Äpfel grün Öl", "Strong"),
    ],
)
def test_strength_is_told_in_years_of_a_thief(passphrase: str, told: str) -> None:
    assert strength_text(passphrase).startswith(told)


def test_more_is_never_weaker_and_repeats_count_little() -> None:
    text = "correct horse 7 battery!"
    bits = [strength_bits(text[:end]) for end in range(len(text) + 1)]
    assert bits[0] == 0.0
    assert strength_bits(text) == max(bits)
    assert strength_bits("horse horse horse") < strength_bits("horse battery")


def test_what_is_told_of_a_long_one_stays_short() -> None:
    assert "more than a million years" in strength_text("correct horse battery staple 71% " * 9)
