"""A keyed hash of pairs such as (vehicle, HAT), for whole tables of them (method 12.2).

Each text is hashed once by HMAC-SHA256 under the population's key; the first 64 bits of two such hashes are
then mixed by a fixed bijection. Privacy does not rest on the hash: any function of a vehicle's own records,
of constants and of the key would do. It only has to be fair, which vehicles' HATs it keeps.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

HashWords = NDArray[np.uint64]
_WORD = 8
_FACTORS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


def keyed_words(key: bytes, kind: str, texts: Iterable[str]) -> HashWords:
    """The first 64 bits of HMAC-SHA256(key, kind, zero byte, text), big-endian; shape (texts,).

    kind: what the texts are, so that a vehicle never hashes like a date; without zero bytes.
    """
    head = kind.encode() + b"\0"
    found = [hmac.digest(key, head + text.encode(), hashlib.sha256)[:_WORD] for text in texts]
    return np.frombuffer(b"".join(found), ">u8").astype(np.uint64)


def pair_hashes(first: HashWords, second: HashWords) -> HashWords:
    """A hash of each pair of words; shapes (n,). For one `first` different `second` never hash alike."""
    return _mixed(_mixed(first) ^ second)


def _mixed(words: HashWords) -> HashWords:
    """The bijection of 64 bits that splitmix64 ends with: exclusive shifts and products modulo 2^64."""
    mixed = (words ^ (words >> _SHIFTS[0])) * _FACTORS[0]
    mixed = (mixed ^ (mixed >> _SHIFTS[1])) * _FACTORS[1]
    return mixed ^ (mixed >> _SHIFTS[2])
