"""The hash, against a few lines of plain integers, and its fairness."""

from __future__ import annotations

import numpy as np

from core.bounding.keyed_hash import keyed_words, pair_hashes
from tests.bounding import KEY, mixed, word


def test_it_is_exactly_what_is_documented() -> None:
    vehicles, hats = [f"bus {number}" for number in range(50)], [f"09 {number:x}" for number in range(50)]
    found = pair_hashes(keyed_words(KEY, "vehicle", vehicles), keyed_words(KEY, "hat", hats))
    assert found.dtype == np.uint64
    assert found.tolist() == [
        mixed(mixed(word("vehicle", vehicle)) ^ word("hat", hat))
        for vehicle, hat in zip(vehicles, hats, strict=True)
    ]


def test_no_texts_have_no_words() -> None:
    assert keyed_words(KEY, "hat", []).size == 0


def test_kinds_and_keys_keep_apart() -> None:
    words = [keyed_words(key, kind, ["7"])[0] for key in (KEY, KEY[::-1]) for kind in ("vehicle", "date")]
    assert len(set(words)) == 4


def test_every_hat_comes_first_equally_often() -> None:
    """Chi-square over 30 HATs and 20,000 vehicles; and the first two are as good as independent."""
    vehicles = keyed_words(KEY, "vehicle", (str(number) for number in range(20_000)))
    hats = keyed_words(KEY, "hat", (str(number) for number in range(30)))
    order = np.argsort(np.stack([pair_hashes(vehicles, np.full_like(vehicles, hat)) for hat in hats]), axis=0)
    for cells, choices in ((order[0], 30), (order[0] * 30 + order[1], 30 * 29)):
        counted = np.bincount(cells, minlength=30)
        counted = counted[counted > 0]
        expected = vehicles.size / choices
        assert counted.size == choices
        chi_square = float(((counted - expected) ** 2 / expected).sum())
        assert abs(chi_square - choices) < 6 * (2 * choices) ** 0.5
