"""core.release.former_spreads: the newest release foretells errors of the next; no plan follows it."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest

from core.advice.smoothed import with_expected_error
from core.bundle.query_facts import ErrorFigures
from core.bundle.smoothed_facts import SmoothedFacts
from core.codec import to_json
from core.keys.signing_key import generate_key
from core.quantity import SPEED
from core.release.former_spreads import FormerSpreads, former_spreads
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from tests.city import PASSPHRASE, POPULATION, TOKENS, write_city
from tests.region_bundles import open_ledger

NOW = dt.datetime(2026, 1, 5, 12, tzinfo=dt.UTC)


def test_the_next_release_is_foretold_by_the_spreads_of_the_last_and_planned_as_ever(tmp_path: Path) -> None:
    first, second = (
        load_spec(write_city(tmp_path / total, edit=(*TOKENS, ('total = "6"', f'total = "{total}"'))))
        for total in ("6", "7")
    )
    with open_ledger(tmp_path) as ledger, open_ledger(tmp_path / "other") as of_another_city:
        assert former_spreads(ledger, POPULATION) == FormerSpreads()
        key = generate_key(tmp_path / "key", PASSPHRASE)
        made = publish(prepare(first, ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
        stated = json.loads((made.bundle / "privacy.json").read_text(encoding="utf-8"))
        fitted = tuple(map(float, stated["queries"][0]["smoothing"]["spreads"].values()))
        former = former_spreads(ledger, POPULATION)
        assert former.by_statistic == (("mean", fitted),)
        (alone,), (after,) = prepare(second, of_another_city).plans, prepare(second, ledger).plans
    assert (alone.query.former_spreads, after.query.former_spreads) == ((), fitted)
    scales = [[one.lead.noise_scale for one in plan.plans] for plan in (alone, after)]
    assert scales[0] == pytest.approx(scales[1])  # each ledger puts vehicles in an order of its own
    foretold = with_expected_error(alone.foretold_by(fitted)).smoothed_errors
    assert after.smoothed_errors == pytest.approx(foretold)
    assert after.smoothed_errors != pytest.approx(alone.smoothed_errors)
    assert alone.foretold_by(()) is alone
    assert former.sentence_of(after.query) == "Foretold by the release of 2022-01-03 to 2022-01-04."
    assert (FormerSpreads().sentence_of(alone.query), former.sentence_of(alone.query)) == ("", "")


@pytest.mark.parametrize("ranges", [0, 3])
def test_of_shares_no_spreads_are_taken(ranges: int) -> None:
    spreads, errors = (Decimal(1),) * 4, ErrorFigures(Decimal(1), Decimal(2))
    facts = SmoothedFacts(spreads, errors, spreads_of_ranges=(spreads,) * ranges)
    draws = {"queries": [{"statistic": "mean", "smoothing": to_json(facts)}, {"statistic": "cdf"}]}
    assert len(FormerSpreads.read(draws).by_statistic) == (ranges == 0)
    dated = draws | {"date_ranges": [["2022-01-03", "2022-01-04"]]}
    assert bool(FormerSpreads.read(dated).dates) == (ranges == 0), (
        "without spreads it is as if never released"
    )


@pytest.mark.parametrize("name", ["speed", "delay"])
def test_spreads_are_those_of_the_same_quantity(name: str, tmp_path: Path) -> None:
    query = load_spec(write_city(tmp_path, edit=TOKENS)).queries[0]
    former = FormerSpreads(dataclasses.replace(SPEED, name=name), (("mean", (1.0, 2.0, 3.0, 4.0)),))
    assert former.given_to(query).former_spreads == ((1.0, 2.0, 3.0, 4.0) if name == "speed" else ())
