"""A promise that released weights refute is said to be wrong wherever it stands."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from pathlib import Path

import pytest

from core.bundle.contradicted_promise import ContradictedPromise, contradicted_counts, contradicted_promise
from core.bundle.query_facts import ErrorFigures
from core.keys.signing_key import generate_key
from core.release.prepare_publish import PublishedRelease
from tests.builders import make_release
from tests.taxis import ENFORCED, ledger_in, released, write_taxis

TOO_MANY = (*ENFORCED, ("fleet = 60\nvehicles = 20", "fleet = 600\nvehicles = 200"), ('"40"', '"400"'))
"""About 23 records in a hexagon slot, where 600 are typed."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> PublishedRelease:
    folder = tmp_path_factory.mktemp("taxis")
    key = generate_key(folder / "key", "correct horse")
    spec = write_taxis(folder / "city", edits=TOO_MANY)
    return released(spec, ledger_in(folder / "home"), key, folder / "out")


def test_readme_report_and_statement_say_how_wrong_the_counts_were(release: PublishedRelease) -> None:
    (query,) = release.release.queries
    promise = contradicted_promise(query, release.release)
    assert promise is not None
    assert promise.typical_error is not None
    assert 10 < promise.factor < 60
    assert query.facts is not None
    assert promise.typical_error.median > 2 * query.facts.measures[0].typical_error.median
    for name in ("README.md", "report.html"):
        told = " ".join((release.bundle / name).read_text("utf-8").split())
        assert f"the public counts {promise.counts}: they promised" in told
    statement = json.loads((release.bundle / "privacy.json").read_text("utf-8"))
    assert statement["queries"][0]["counts_contradicted"] == f"{promise.factor:f}"
    (measure,) = statement["accuracy"][0]["measures"]
    assert measure["typical_error"]["median"] == str(promise.typical_error.median)


def test_the_sentence_for_the_analyst_names_the_factor_either_way(release: PublishedRelease) -> None:
    (told,) = contradicted_counts(release.release)
    assert told.startswith("Your counts were about ")
    assert "times too large. A typical published number is off by about " in told
    few = ContradictedPromise(factor=Decimal("0.25"), typical_error=ErrorFigures(Decimal("1.26"), Decimal(3)))
    assert few.sentence("km/h") == (
        "Your counts were about 4 times too small. A typical published number is off by about 1.3 km/h, the "
        "least accurate by about 3."
    )
    for factor, said in ((Decimal("0.25"), "4 times too small"), (Decimal("2.1"), "2.1 times too large")):
        rest = dataclasses.replace(few, factor=factor, at_least=True).sentence("km/h")
        assert rest.startswith(f"Your counts were at least {said}. A typical ")
    none = dataclasses.replace(few, typical_error=None)
    assert none.sentence("km/h") == "Your counts were about 4 times too small: no number is published."


def test_a_table_as_empty_as_noise_makes_one_shows_the_least_factor_alone(tmp_path: Path) -> None:
    few = (*ENFORCED, ("fleet = 60\nvehicles = 20", "fleet = 60000\nvehicles = 20000"), ('"40"', '"1"'))
    key = generate_key(tmp_path / "key", "correct horse")
    spec = write_taxis(tmp_path / "city", edits=few)
    found = released(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out")
    (said,) = contradicted_counts(found.release)
    assert said.startswith("Your counts were at least ")
    readme = " ".join((found.bundle / "README.md").read_text("utf-8").split())
    assert "the public counts were at least " in readme


def test_draws_from_before_the_counts_were_stored_say_nothing(release: PublishedRelease) -> None:
    (query,) = release.release.queries
    assert query.bounding is not None
    assert query.bounding.enforcement is not None
    before = dataclasses.replace(query.bounding.enforcement, expected=())
    older = dataclasses.replace(query, bounding=dataclasses.replace(query.bounding, enforcement=before))
    assert contradicted_promise(older, release.release) is None
    assert contradicted_counts(make_release()) == ()
