"""The corpus of `make fuzz`, and inputs that every reader may meet: each is read, or refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.bench_hostile_input import MANY_MEMBERS, many_in_tar, million_members, tried
from tests.bounded import processor_seconds
from tests.fire.fuzz_targets import PLAIN, TARGETS, run_target
from tests.fire.fuzzing import CORPUS

MOST_BYTES, MOST_SECONDS = 240_000, 30.0


@pytest.mark.parametrize("name", TARGETS)
def test_every_input_of_the_corpus_is_read_or_refused_in_words(name: str, tmp_path: Path) -> None:
    """One seed is read: otherwise the fuzzer would never come behind the first check."""
    seeds = [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]
    assert seeds
    were_read = []
    for content in [*seeds, *PLAIN.values()]:
        with processor_seconds(MOST_SECONDS):
            were_read.append(run_target(name, tmp_path, content))
    assert any(were_read[: len(seeds)]) or name in ("bundle", "keys")


@pytest.mark.parametrize(("name", "make"), [("tar", many_in_tar), ("zip", million_members)])
def test_thousands_of_members_are_read_in_the_time_that_grows_with_them(
    name: str, make: Callable[[Path, int], Path], tmp_path: Path
) -> None:
    (made := tmp_path / "made").mkdir()
    content = make(made, 3).read_bytes()
    with processor_seconds(MOST_SECONDS):
        TARGETS[name](tmp_path, content)


@pytest.mark.audit
@pytest.mark.parametrize("name", MANY_MEMBERS)
def test_a_million_members_are_read_or_refused_in_words(name: str) -> None:
    assert tried(name)


def test_the_corpus_is_small_and_has_no_target_without_seeds() -> None:
    files = [path for path in CORPUS.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    assert {path.parent.name for path in files} == set(TARGETS)
