"""A signing key as words and back: misread ones, or none of the word list (method 18.4).

Each word stands for 16 bits by consonants and vowels in turn, so that it can be read aloud and needs no list:
the scheme is the proquint of D. S. Wilkerson (arXiv:0901.4016). Two words more are a sum of the others, which
finds a word that was misread or misplaced. The words are the key itself, without any passphrase.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.counted import count_of
from core.errors import InputError
from core.keys.signing_key import SigningKey, write_key
from core.texts import joined, text_of

_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"
_KEY_BYTES = 32
_SUM_BYTES = 4
_WORDS = (_KEY_BYTES + _SUM_BYTES) // 2


def words_of(key: SigningKey) -> str:
    """The 18 words of a key, six on a line."""
    raw = key.private.private_bytes_raw()
    data = raw + _sum(raw)
    words = [_word(int.from_bytes(data[place : place + 2], "big")) for place in range(0, len(data), 2)]
    return "\n".join(" ".join(words[place : place + 6]) for place in range(0, len(words), 6))


def restore_key(stem: Path, words: str, passphrase: str) -> SigningKey:
    """Make the key file anew from its words, under a new passphrase.

    Raises InputError as `generate_key` does, and for words that are not those of a key.
    """
    given = words.lower().split()
    if len(given) != _WORDS:
        raise _no_key(
            text_of(
                "{counted_words_were} given instead of {words}.",
                counted_words_were=count_of(len(given), "word was", "words were"),
                words=_WORDS,
            )
        )
    numbers = [_number(word) for word in given]
    wrong = [place for place, number in enumerate(numbers, 1) if number is None]
    if wrong:
        raise _no_key(
            text_of(
                "These words are not in the word list: {value}",
                value=joined(", ", (text_of("the {place}.", place=place) for place in wrong)),
            )
        )
    data = b"".join((number or 0).to_bytes(2, "big") for number in numbers)
    raw = data[:_KEY_BYTES]
    if _sum(raw) != data[_KEY_BYTES:]:
        raise _no_key("A word was misread or is in the wrong place: the last two are a sum of the others.")
    return write_key(stem, Ed25519PrivateKey.from_private_bytes(raw), passphrase)


def _sum(raw: bytes) -> bytes:
    return hashlib.blake2b(raw, digest_size=_SUM_BYTES, person=b"hexveil-words").digest()


def _word(number: int) -> str:
    """Consonant, vowel, consonant, vowel, consonant: 4 + 2 + 4 + 2 + 4 bits."""
    return (
        _CONSONANTS[number >> 12]
        + _VOWELS[number >> 10 & 3]
        + _CONSONANTS[number >> 6 & 15]
        + _VOWELS[number >> 4 & 3]
        + _CONSONANTS[number & 15]
    )


def _number(word: str) -> int | None:
    if len(word) != 5:
        return None
    number = 0
    for place, letter in enumerate(word):
        letters, bits = (_VOWELS, 2) if place % 2 else (_CONSONANTS, 4)
        if letter not in letters:
            return None
        number = number << bits | letters.index(letter)
    return number


def _no_key(what: str) -> InputError:
    return InputError(what, where="words", mend="compare each word with the paper, in its order")
