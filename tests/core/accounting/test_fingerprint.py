"""The keyed hash of parts: the same for whole parts and for pieces of them."""

from __future__ import annotations

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from core.accounting.fingerprint import Pieces, keyed_hash

KEY = b"k" * 32


@given(st.lists(st.binary(max_size=20), max_size=4))
def test_it_is_the_hash_of_lengths_and_parts(parts: list[bytes]) -> None:
    message = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    assert keyed_hash(KEY, *parts) == hmac.new(KEY, message, hashlib.sha256).hexdigest()


@given(st.lists(st.lists(st.binary(max_size=6), max_size=4), min_size=1, max_size=3))
def test_pieces_hash_as_what_they_make_up(parts: list[list[bytes]]) -> None:
    whole = [b"".join(pieces) for pieces in parts]
    cut = [Pieces(len(one), pieces) for one, pieces in zip(whole, parts, strict=True)]
    assert keyed_hash(KEY, *cut) == keyed_hash(KEY, *whole)


def test_parts_and_key_matter() -> None:
    hashes = {
        keyed_hash(KEY, b"ab", b"c"),
        keyed_hash(KEY, b"a", b"bc"),
        keyed_hash(KEY, b"abc"),
        keyed_hash(bytes(32), b"abc"),
    }
    assert len(hashes) == 4
