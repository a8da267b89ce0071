"""Population, consent and mark, as `evaluate` and `figures` share them."""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.console.true_values import (
    add_population,
    agreed_on,
    mark_evaluated,
    population_of,
)
from core.errors import InputError
from tests.core.console.test_consent import Terminal


def options(home: Path, *given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path)
    add_population(parser)
    return parser.parse_args(["--home", str(home), *given])


def test_without_a_population_there_is_nothing_to_mark(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no population is given"):
        population_of(options(tmp_path))
    assert not any(tmp_path.iterdir())


def test_consent_is_given_once_by_option_or_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert agreed_on(options(tmp_path, "--yes"), "Buses")
    monkeypatch.setattr("sys.stdin", Terminal("no\n"))
    assert not agreed_on(options(tmp_path), "Buses")
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    with pytest.raises(InputError, match="needs your consent"):
        agreed_on(options(tmp_path), "Buses")


def test_the_mark_is_in_the_ledger(tmp_path: Path) -> None:
    given = options(tmp_path, "--population", "Buses")
    assert population_of(given) == "Buses"
    mark_evaluated(given, "Buses")
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        assert ledger.was_evaluated("Buses")
