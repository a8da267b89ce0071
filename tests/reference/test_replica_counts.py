"""The generator of the bundled counts: it meets the facts and gives the bundled file."""

from __future__ import annotations

import numpy as np

from core.system.paths import resources
from tests.reference import replica_counts as facts
from tests.reference.replica_counts import make_counts


def test_the_generator_gives_the_bundled_file() -> None:
    text = "".join(f"{count}\n" for count in make_counts().tolist())
    assert (resources() / "replica" / "counts.txt").read_text("utf-8") == text


def test_counts_are_non_increasing_and_add_up() -> None:
    counts = make_counts()
    assert np.all(np.diff(counts) <= 0)
    assert (counts.size, counts[0], counts[-1]) == (facts.USERS, facts.REPLICA_MOST, facts.LEAST)
    assert counts.sum() == facts.REPLICA_RECORDS
