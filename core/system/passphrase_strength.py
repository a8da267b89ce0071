"""How hard a passphrase is to guess: too short below 12 characters, bits, years of a thousand machines."""

from __future__ import annotations

import math
import re

from core.counted import count_of
from core.errors import InputError
from core.texts import text_of

LEAST_LENGTH = 12
"""Characters. Shorter ones can all be tried: eight letters at random take a thousand machines three years at
half a second a guess, and what people think of is guessed far sooner."""
_LETTERS, _WORD, _DIGIT, _SIGN, _AGAIN = math.log2(26), 11.0, math.log2(10), 5.0, 1.0
"""Bits of a letter at random, of a word out of two thousand (and so of any run of letters at most), of a
digit, of a sign, and of what was there before."""
_PIECE = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_")
_GUESSES_A_SECOND = 2_000.0
"""Guesses of a passphrase by a thousand machines, at half a second each (`passphrase_key.COST`)."""
_YEAR = 365.25 * 86_400
_LONG = 1_000_000
"""Years that a passphrase withstands of which nobody needs to know how many they are."""


def require_length(passphrase: str, *, where: str) -> None:
    """Raise InputError for a passphrase shorter than `LEAST_LENGTH`."""
    if len(passphrase) < LEAST_LENGTH:
        raise InputError(
            "The passphrase is too short: {passphrase}",
            passphrase=strength_text(passphrase),
            where=where,
            mend="choose several words that do not belong together",
        )


def strength_bits(passphrase: str) -> float:
    """Bits of a passphrase for somebody who knows that it is made of words: rather too few than too many."""
    bits, seen = 0.0, set()
    for piece in _PIECE.findall(passphrase):
        kind = _DIGIT if piece.isdigit() else min(_WORD, _LETTERS * len(piece)) if piece.isalpha() else _SIGN
        bits += _AGAIN if piece.casefold() in seen else kind
        seen.add(piece.casefold())
    return bits


def strength_text(passphrase: str) -> str:
    """What a person reads while choosing one."""
    if len(passphrase) < LEAST_LENGTH:
        return text_of(
            "{passphrase} of at least {least_length} characters: shorter ones can all be tried.",
            passphrase=len(passphrase),
            least_length=LEAST_LENGTH,
        )
    bits = strength_bits(passphrase)
    years = 2.0 ** (bits - 1) / _GUESSES_A_SECOND / _YEAR
    word = "strong" if years >= 1000 else "fair: add a word" if years >= 1 else "weak: add words"
    if years >= _LONG:
        time = "more than a million years"
    else:
        time = (
            text_of("about {counted_years}", counted_years=count_of(round(years), "year"))
            if years >= 1
            else "less than a year"
        )
    return text_of(
        "{value}{word} ({bits} bits; {time} for a thousand machines with the key file).",
        value=word[0].upper(),
        word=word[1:],
        bits=f"{bits:.0f}",
        time=time,
    )
