"""What a guess of a passphrase costs."""

from __future__ import annotations

from pathlib import Path

from core.system import passphrase_key
from core.system.passphrase_key import KEY_BYTES, SALT_BYTES, derived_key


def test_a_guess_costs_128_mebibytes() -> None:
    """128 bytes times N times r; the tests themselves derive keys with a smaller N."""
    source = Path(passphrase_key.__file__).read_text("utf-8")
    assert "\nCOST = 1 << 17\n" in source
    assert 128 * (1 << 17) * passphrase_key.BLOCK == 128 << 20


def test_the_key_follows_from_passphrase_salt_and_cost() -> None:
    salt = bytes(SALT_BYTES)
    key = derived_key(b"words", salt, 4)
    assert len(key) == KEY_BYTES
    assert key == derived_key(b"words", salt, 4)
    assert len({key, derived_key(b"word", salt, 4), derived_key(b"words", b"x" * 16, 4)}) == 3
    assert key != derived_key(b"words", salt, 8)
