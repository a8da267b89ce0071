"""A reader's test: from `privacy.json` and public counts every charge and every noise scale follows.

What the reader does stands in `tests/reader.py`, apart from the program.
"""

from __future__ import annotations

import csv
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.accounting.ledger import Ledger
from core.bundle.csv_columns import data_tables
from core.release.prepare_publish import prepare, publish
from core.release.prepared import Prepared
from core.spec import load_spec
from core.verify.verify import verify_bundle
from tests import reader
from tests.builders import make_bundle, make_key, make_mixed_release
from tests.city import POPULATION, SPEC, write_city
from tests.taxis import EVERY_RELEASE, ledger_in, released, write_taxis

QUERIES = {
    "arrays": """
[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "array-averaging"
total = "6"
division = "optimal"
[[query]]
id = "moments"
statistic = "mean_variance"
total = "100"
[query.parameters]
suppress_users = true
m_ub = "sqrt"
[[query]]
id = "pair_means"
statistic = "query1"
noise_scale = "8"
[[query]]
id = "speeding"
statistic = "query2"
total = "4"
division = "optimal"
[query.parameters]
limits = [20, 30, 40.5]
[[query]]
id = "distribution"
statistic = "cdf"
total = "20"
""",
    "two steps": """
[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "two-step-clipping"
epsilon = "1.5"
[[query]]
id = "moments"
statistic = "mean_variance"
total = "60"
division = "optimal"
[query.parameters]
m_ub = 7
[[query]]
id = "pair_means"
statistic = "query1"
total = "9"
division = "optimal"
[[query]]
id = "speeding"
statistic = "query2"
noise_scale = "2"
[query.parameters]
limits = [20, 30, 40.5]
histogram = true
[[query]]
id = "distribution"
statistic = "cdf"
epsilon = "2"
[query.parameters]
bins = 13
tree = "binary"
weights = "user"
""",
}
"""Every statistic, each with another kind of budget or other parameters."""


class Published:
    """A release of the made-up city, and what a reader has of it: the bundle and public counts."""

    def __init__(self, folder: Path, queries: str) -> None:
        spec = load_spec(write_city(folder, edit=((SPEC[SPEC.index("[[query]]") :], queries),)))
        ledger = Ledger.open(folder / "ledger.sqlite")
        ledger.set_limit(POPULATION, per_vehicle=Decimal(10_000))
        self.prepared: Prepared = prepare(spec, ledger)
        self.bundle = publish(
            self.prepared, ledger, key=make_key(), out=folder / "out", now=dt.datetime.now(dt.UTC)
        ).bundle
        self.statement: dict[str, Any] = json.loads((self.bundle / "privacy.json").read_bytes())
        self.counts = reader.count(folder / "records.csv", self.statement)
        self.vehicles = sorted({vehicle for one in self.counts.values() for vehicle in one.days})

    def worked(self, query: dict[str, Any]) -> reader.Worked:
        """Who leaves which HAT follows an order that no reader knows; here it does not matter."""
        tried = [
            reader.work_out(query, self.statement, self.counts, order)
            for order in reader.orders(self.vehicles, 4)
        ]
        assert all(one == tried[0] for one in tried)
        return tried[0]


@pytest.fixture(scope="module", params=QUERIES)
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Published:
    return Published(tmp_path_factory.mktemp("city"), QUERIES[request.param])


def test_the_bundle_verifies(published: Published) -> None:
    assert verify_bundle(published.bundle).ok


def test_every_epsilon_and_every_charge_follows(published: Published) -> None:
    total: dict[str, Decimal] = {}
    for query in published.statement["queries"]:
        worked, told = published.worked(query), query["made_by"]["suppression"]
        assert query["charges"] == {
            unit: f"{amount:f}".rstrip("0").rstrip(".") for unit, amount in worked.charges.items()
        }
        assert told == (
            worked.suppression and {"hats_before": worked.suppression[0], "hats_after": worked.suppression[1]}
        )
        with (published.bundle / data_tables()[query["statistic"]].path).open(encoding="utf-8") as file:
            stated = {
                (row["h3_cell"], row["slot_start"]): Decimal(row["epsilon"])
                for row in csv.DictReader(file)
                if row["status"] != "suppressed"
            }
        assert stated == worked.epsilons
        for unit, amount in worked.charges.items():
            total[unit] = total.get(unit, Decimal(0)) + amount
    assert {unit: Decimal(text) for unit, text in published.statement["charges"].items()} == total


def test_every_sensitivity_and_every_noise_scale_follows(published: Published) -> None:
    """Of each HAT, as it was planned; and as the statement sums them up."""
    for query, plan in zip(published.statement["queries"], published.prepared.plans, strict=True):
        worked = published.worked(query)
        for hat in plan.published:
            assert hat.plan is not None
            found = worked.scales[hat.cell_text, hat.grid.text(hat.slot)]
            made = [(one.sensitivity, one.noise_scale) for one in hat.plan.measures]
            assert np.allclose(found, made, rtol=1e-6, atol=0), (query["query_id"], hat.name)
        for place, measure in enumerate(query["made_by"]["measures"]):
            for kind, name in enumerate(("sensitivity", "noise_scale")):
                figures = [scales[place][kind] for scales in worked.scales.values()]
                wanted = [min(figures), float(np.median(figures)), max(figures)]
                assert np.allclose(
                    [float(text) for text in measure[name].values()], wanted, rtol=1e-6, atol=0
                )


def test_the_epsilons_of_a_day_follow(published: Published) -> None:
    """As TR III.E has them: a noisy number of one (vehicle, day) pair, and the K_day HATs of a day."""
    counts = published.counts
    for query in published.statement["queries"]:
        stated = query["made_by"]["day_epsilons"]
        if query["statistic"] not in ("query1", "query2"):
            assert stated is None
            continue
        micro = {hat: int(epsilon * 10**6) for hat, epsilon in published.worked(query).epsilons.items()}
        pair = {hat: -(-amount // counts[hat].most_days) for hat, amount in micro.items()}
        days: dict[tuple[str, str], list[int]] = {}
        for hat, amount in pair.items():
            for vehicle, dates in counts[hat].days.items():
                for date in dates:
                    days.setdefault((vehicle, date), []).append(amount)
        k_day = max(map(len, days.values()))
        assert stated["k_day"] == k_day
        assert Decimal(stated["epsilon_per_hat_day"]) * 10**6 == max(pair.values())
        assert Decimal(stated["epsilon_per_day_of_k_day_hats"]) * 10**6 == sum(sorted(pair.values())[-k_day:])
        assert Decimal(stated["epsilon_per_day_of_visited_hats"]) * 10**6 == max(map(sum, days.values()))


def test_two_steps_found_their_counts_too_few(published: Published) -> None:
    """So that their scales follow from counts: no private choice comes before the noise."""
    query = published.statement["queries"][0]
    assert query["made_by"]["details"]["budget_pays_for"].startswith("noise in ")


def test_a_reader_converts_rho_and_delta_by_the_documents_alone(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, make_mixed_release())
    statement = json.loads((bundle / "privacy.json").read_text())
    with (bundle / "data" / "epsilon_summary.csv").open(encoding="utf-8") as file:
        summary = list(csv.DictReader(file))
    assert reader.accounted(statement, summary)
    for lie in ({"rho": "0.049"}, {"epsilon": "1.6"}, {"epsilon_cumulative": "7.4"}):
        assert not reader.accounted(statement, [summary[0], summary[1], summary[2] | lie, *summary[3:]])


@pytest.fixture(scope="module", params=EVERY_RELEASE)
def private(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of relation `user`."""
    folder = tmp_path_factory.mktemp("taxis")
    spec = write_taxis(folder / "city", edits=EVERY_RELEASE[request.param])
    return released(spec, ledger_in(folder / "home"), make_key(), folder / "out").bundle


def rows_in(bundle: Path, statistic: str) -> list[dict[str, str]]:
    with (bundle / data_tables()[statistic].path).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_all_of_relation_user_follows_without_any_count(private: Path) -> None:
    statement = json.loads((private / "privacy.json").read_bytes())
    for query in statement["queries"]:
        worked, told = reader.bounded(query, statement), query["bounding"]
        gauss = told["noise"] == "gauss"
        charges = query.get("charges_rho" if gauss else "charges_pure", query["charges"])
        assert {unit: Decimal(text) for unit, text in charges.items()} == worked.charges, query["query_id"]
        (measure, *_) = query["made_by"]["measures"]
        for kind, name in enumerate(("sensitivity", "noise_scale")):
            figures = [one[kind] for one in worked.scales]
            wanted = [min(figures), float(np.median(figures)), max(figures)]
            assert np.allclose([float(text) for text in measure[name].values()], wanted, rtol=1e-6, atol=0)
        if worked.weight_scale is None:
            assert told["weight_noise_scale"] is None
        else:
            assert float(told["weight_noise_scale"]) == pytest.approx(worked.weight_scale, rel=1e-6)
        rows = rows_in(private, query["statistic"])
        lines = len(rows) // told.get("regions", told["candidate_hats"])
        epsilons = [Decimal(row["epsilon"]) for row in rows[::lines]]
        rounded_up = Decimal("3e-6") if query.get("conversion") == reader.BY_PROFILE else Decimal(0)
        for stated, found in zip(epsilons, worked.epsilons, strict=True):
            assert abs(stated - found) <= rounded_up


Json = dict[str, Any]
Rows = list[dict[str, str]]


def quotients_follow(query: Json, statement: Json, rows: Rows) -> int:
    """Where neither the mean nor the weight was cut, to what rounding of both leaves open."""
    worked, told, seen = reader.bounded(query, statement), query["bounding"], 0
    assert len(worked.scales) == told.get("regions", told["candidate_hats"])
    ratio = float(told["weight_noise_scale"]) / max(scale for _, scale in worked.scales)
    gauss, name = told["noise"] == "gauss", query["made_by"]["measures"][0]["measure"]
    for row, (_, scale), least in zip(rows, worked.scales, worked.least, strict=True):
        weight = float(row[told["weight"]] or 0)
        if row["status"] != "published" or weight <= least or not 0 < float(row[name]) < 65:
            continue
        scales, mean = (scale, scale * ratio), float(row[name])
        corners = [
            reader.interval_of(mean + one, weight + other, scales, gauss, 65.0)
            for one in (-0.0005, 0.0005)
            for other in (-0.0005, 0.0005)
        ]
        for end, known in enumerate((float(row["ci95_low_kmh"]), float(row["ci95_high_kmh"]))):
            ends = [(0.0, 65.0)[end] if one is None else one[end] for one in corners]
            assert min(ends) - 0.0015 <= known <= max(ends) + 0.0015
        seen += 1
    return seen


def widths_follow(query: Json, statement: Json, rows: Rows) -> int:
    """Of vehicles above a limit, where neither 0 nor the fitted count moved an end."""
    ((_, scale), *_), seen = reader.bounded(query, statement).scales, 0
    widths = reader.half_widths_of_limits(query, statement, scale)
    names = ("ci95_low_vehicles", "vehicles_above_limit_per_day", "ci95_high_vehicles")
    for number, row in enumerate(rows):
        low, value, high = (float(row[name]) for name in names)
        wider = high - low - 2 * widths[number % len(widths)]
        if low > 0:
            assert wider >= -4e-6
            assert wider <= 4e-6 or value in (low, high)
            seen += wider <= 4e-6
    return seen


def bands_follow(query: Json, statement: Json, rows: Rows) -> int:
    """Of each share the interval's width, where it was not cut; its middle is what nobody else sees."""
    ((_, scale), *_), told, seen = reader.bounded(query, statement).scales, query["bounding"], 0
    made, name = query["made_by"], query["made_by"]["measures"][0]["measure"]
    variance = scale**2 * (1 if told["noise"] == "gauss" else 2)
    for number, row in enumerate(rows):
        low, share, high = (float(row[column] or 0) for column in ("ci95_low_share", name, "ci95_high_share"))
        if row["status"] != "published" or not 0 < low < share < high < 1:
            continue
        total, place = float(row[told["weight"]]), number % made["parameters"]["bins"] + 1
        found = reader.band_of(made["details"]["branching_factors"], variance, total, (low, high), place)
        assert found == pytest.approx((low, high), abs=2e-5 + 2e-3 / total)
        seen += 1
    return seen


def shares_follow(query: Json, statement: Json, rows: Rows) -> int:
    """The same of shares, which are not taken around a middle, with a line for each range."""
    worked, told, seen = reader.bounded(query, statement), query["bounding"], 0
    lines = len(rows) // told["candidate_hats"]
    ratio = float(told["weight_noise_scale"]) / max(scale for _, scale in worked.scales)
    for number, row in enumerate(rows):
        (_, scale), least = worked.scales[number // lines], worked.least[number // lines]
        share, weight = float(row["share"] or 0), float(row[told["weight"]] or 0)
        if row["status"] != "published" or weight <= least or not 0 < share < 1:
            continue
        corners = [
            reader.interval_of(
                share + one, weight + other, (scale, scale * ratio), told["noise"] == "gauss", 1, 0
            )
            for one in (-5e-7, 5e-7)
            for other in (-0.0005, 0.0005)
        ]
        for end, known in enumerate((float(row["ci95_low_share"]), float(row["ci95_high_share"]))):
            ends = [(0.0, 1.0)[end] if one is None else one[end] for one in corners]
            assert min(ends) - 2e-6 <= known <= max(ends) + 2e-6
        seen += 1
    return seen


INTERVALS = {
    "mean": quotients_follow,
    "mean_by_region": quotients_follow,
    "query1": quotients_follow,
    "query2": widths_follow,
    "share": shares_follow,
    "cdf": bands_follow,
    "cdf_of_vehicles": bands_follow,
}


def test_every_interval_of_relation_user_follows_from_what_is_published(private: Path) -> None:
    statement = json.loads((private / "privacy.json").read_bytes())
    for query in statement["queries"]:
        rows = rows_in(private, query["statistic"])
        assert INTERVALS[query["statistic"]](query, statement, rows), query["query_id"]
