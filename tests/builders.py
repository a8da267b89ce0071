"""Ready-made public results for tests: a release of a few HATs, its texts, a key, a bundle on disk."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import h3
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.accounting.budgets import JOINT
from core.accounting.compose import add_charges
from core.accounting.exact_loss import BY_PROFILE, StatedLoss
from core.accounting.privacy_loss import PrivacyLoss, loss_of
from core.accounting.zcdp import epsilon_of
from core.bundle.csv_columns import SUMMARY_PATHS, data_tables
from core.bundle.data_files import data_files
from core.bundle.datapackage import json_bytes, resources_of
from core.bundle.interval_rules import COVERS_BIAS, NEWEST_RULE
from core.bundle.public_tables import public_tables
from core.bundle.query_facts import CapRange, ErrorFigures, MeasureFacts, QueryFacts, ScaleFigures
from core.bundle.release_result import PUBLISHED, SUPPRESSED, HatRow, QueryResult, Release
from core.bundle.resources import map_paths, map_resources, policy_resources
from core.bundle.smoothed_facts import SmoothedFacts, slope_facts
from core.keys.signing_key import SigningKey, trusted_comment
from core.mechanisms.covariate import OF_RECORDS
from core.portal.description_files import describe_files
from core.portal.embedded_json import embedded_json
from core.portal.map_files import map_files, published_map
from core.portal.schema_org import LINKED_DATA, SCHEMA_ORG_ID
from core.privacy import Charge, Relation, RhoCharge, Unit
from core.quantity import SPEED
from core.release.bundle import Staging, bundle_files, manifest_bytes
from core.release_texts import ReleaseTexts
from core.signed.bundle_names import CATALOGUE_RECORD, DATAPACKAGE, MANIFEST, PRIVACY, REPORT, SIGNATURE
from core.signed.minisign import public_key_of
from core.statistics.base import Estimate
from core.statistics.cdf import CUMULATIVE_SHARE
from core.statistics.mean import SMOOTHED_MEAN, SPEED_MEAN
from core.statistics.query2 import VEHICLES_ABOVE
from core.statistics.registry import published_statistics

SPEED_BY_HAT = data_tables()["mean"]
DATA_PATHS = (SPEED_BY_HAT.path, *SUMMARY_PATHS)
"""Of a bundle with a mean."""
CELLS = ("8742d9d69ffffff", "8742d9d6bffffff")
NOW = dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=dt.UTC)
DAY = dt.date(2024, 3, 1)


def make_texts(**changes: Any) -> ReleaseTexts:
    """Texts of a release; every field can be changed."""
    fields = {
        "name": "austin-bus-speed",
        "version": "1.0.0",
        "title": "Bus speeds by hexagon and hour",
        "publisher": "City of Example",
        "contact": "opendata@city.example",
        "licence": "CC-BY-4.0",
    }
    return ReleaseTexts(**(fields | changes))


def make_rows() -> tuple[HatRow, ...]:
    """Three published HATs and one suppressed, sorted."""
    return (
        make_row(CELLS[0], 9, mean=20_668, low=18_001, high=23_335, bias_bound=1_500),
        make_row(CELLS[0], 10, mean=500, low=0, high=3_167, bias_bound=0),
        make_row(CELLS[1], 9, epsilon=Decimal("1.5"), mean=31_000, low=29_222, high=32_778, bias_bound=2_000),
        HatRow(cell=CELLS[1], slot_start="10:00", slot_end="11:00", status=SUPPRESSED, epsilon=Decimal(0)),
    )


def make_row(cell: str, hour: int, *, epsilon: Decimal = Decimal("1"), mean: int, **ends: int) -> HatRow:
    """A published mean of one hour."""
    return HatRow(
        cell=cell,
        slot_start=f"{hour:02d}:00",
        slot_end=f"{hour + 1:02d}:00",
        status=PUBLISHED,
        epsilon=epsilon,
        estimates=(Estimate(measure=SPEED_MEAN.name, value=mean, **ends),),
    )


def make_open_row(cell: str, hour: int) -> HatRow:
    """A mean that noise carried out of its range: nothing is known of it."""
    return make_row(cell, hour, mean=65_000, low=0, high=65_000, bias_bound=0, informative=False)


def make_charge(**changes: Any) -> Charge:
    """A vehicle is in at most two of the HATs a day, in all three over the window."""
    charge = Charge(
        per_vehicle_hat_day=Decimal("1.5"),
        per_vehicle_day=Decimal("2.5"),
        per_vehicle=Decimal("3.5"),
        per_date={DAY: Decimal("2.5")},
    )
    return dataclasses.replace(charge, **changes)


def make_facts(**changes: Any) -> QueryFacts:
    """Of the mean by array-averaging, whose rows cost 1, 1 and 1.5."""
    scales = ScaleFigures(*map(Decimal, ("0.5", "0.75", "0.890411")))
    facts = QueryFacts(
        parameters={"grouping": "bestfit", "m_ub": "median"},
        asked=("total", Decimal(20)),
        m_ub=CapRange(3, 46),
        dwell_correction=False,
        interval_covers=COVERS_BIAS,
        suppression=None,
        day_epsilons=None,
        made_by={"arrays": (73, 146), "budget_pays_for": "noise in 3 HATs"},
        measures=(
            MeasureFacts(
                measure=SPEED_MEAN.name,
                sensitivity=scales,
                noise_scale=scales,
                typical_error=ErrorFigures(Decimal("1.2"), Decimal("2.5")),
                error_at_worst=ErrorFigures(Decimal("2.4"), Decimal("3")),
            ),
        ),
    )
    return dataclasses.replace(facts, **changes)


def make_query(**changes: Any) -> QueryResult:
    """The mean of every HAT."""
    query = QueryResult(
        query_id="mean_speed",
        statistic="mean",
        mechanism="array-averaging",
        mechanism_reference="P3 Sec. III",
        charge=make_charge(),
        sensitivity=Decimal("0.890411"),
        noise_scale=Decimal("0.890411"),
        contribution_cap=46,
        division="equal",
        rows=make_rows(),
        facts=None if "statistic" in changes else make_facts(),
    )
    return dataclasses.replace(query, **changes)


def make_city_query(signs: Sequence[int] | None = None, **changes: Any) -> QueryResult:
    """The mean by tokens: drawn as one, each row with its smoothed number, 1 km/h above and half as wide.

    signs: thousandths, of each published row; None: it was smoothed by none.
    """
    sign = iter(() if signs is None else signs)
    rows = tuple(
        row
        if row.first is None
        else dataclasses.replace(row, estimates=_jointly(row.first, next(sign, None)))
        for row in make_rows()
    )
    query = make_query(
        mechanism="tokens",
        mechanism_reference="ours, city-release",
        division=JOINT,
        contribution_cap=None,
        rows=rows,
        facts=make_facts(
            parameters={"mode": "split"},
            m_ub=None,
            made_by={"noise": "laplace", "gap_to_the_best_shares": "0.0041"},
        ),
        smoothing=SmoothedFacts(
            spreads=(Decimal(4), Decimal(2), Decimal(3), Decimal("2.5")),
            expected_error=ErrorFigures(Decimal("0.91"), Decimal("1.72")),
            slope=None if signs is None else slope_facts(OF_RECORDS, 65_000),
        ),
    )
    return dataclasses.replace(query, **changes)


def make_limits_query() -> QueryResult:
    """Vehicles above 30 and 40 km/h a day, in two slots of one hexagon and in one of another."""
    told = {(CELLS[0], 9): (42_383, 9_000), (CELLS[0], 10): (17_250, 2_000), (CELLS[1], 9): (50_300, 400)}
    rows = tuple(
        dataclasses.replace(
            make_row(cell, hour, mean=0, low=0, high=0),
            estimates=tuple(
                Estimate(
                    measure=VEHICLES_ABOVE.name,
                    label=limit,
                    value=1000 * count,
                    low=1000 * count - 100,
                    high=1000 * count + 100,
                )
                for limit, count in zip((30_000, 40_000), counts, strict=True)
            ),
        )
        for (cell, hour), counts in told.items()
    )
    return make_query(
        query_id="fast", statistic="query2", mechanism="query2", contribution_cap=None, rows=rows
    )


def make_curve_query(deviation: float = 0.05, bound: float = 0.02, bins: int = 130) -> QueryResult:
    """A distribution that rises evenly from 0 to 1, a tenth higher in each further slot, in all three."""
    edges = [65_000 * (number + 1) // bins for number in range(bins)]
    reach, unit = 1.96 * deviation, 10**CUMULATIVE_SHARE.decimals

    def item(edge: int, more: float) -> Estimate:
        share = min(1.0, edge / 65_000 + more)
        ends = (max(0.0, share - reach), min(1.0, share + reach))
        return Estimate(
            measure=CUMULATIVE_SHARE.name,
            label=edge,
            value=round(share * unit),
            low=round(ends[0] * unit),
            high=round(ends[1] * unit),
            unclamped=round(share * unit),
            bias_bound=round(bound * unit),
            deviation=round(deviation * unit),
        )

    places = ((CELLS[0], 9), (CELLS[0], 10), (CELLS[1], 9))
    rows = tuple(
        dataclasses.replace(
            make_row(cell, hour, mean=0, low=0, high=0),
            estimates=tuple(item(edge, number / 10) for edge in edges),
        )
        for number, (cell, hour) in enumerate(places)
    )
    return make_query(
        query_id="curve",
        statistic="cdf",
        mechanism="cdf",
        contribution_cap=None,
        rows=rows,
        facts=make_facts(
            parameters={"weights": "records", "bins": bins},
            m_ub=None,
            measures=(dataclasses.replace(make_facts().measures[0], measure=CUMULATIVE_SHARE.name),),
        ),
    )


def _jointly(item: Estimate, sign: int | None) -> tuple[Estimate, ...]:
    told = dataclasses.replace(item, unclamped=item.value, modelled_bias=800, effective_users=12_500)
    half = (item.high - item.low) // 4
    value = item.value + 1000
    smoothed = SMOOTHED_MEAN.of(SPEED)
    return told, Estimate(measure=smoothed.name, value=value, low=value - half, high=value + half, sign=sign)


def make_release(**changes: Any) -> Release:
    """A small release, not the first of its vehicles; `queries` and `charge` belong together."""
    charge = changes.get("charge", make_charge())
    earlier = {Unit.VEHICLE: "7", Unit.VEHICLE_DAY: "2.5", Unit.VEHICLE_HAT_DAY: "1.5"}
    release = Release(
        relation=Relation.VALUES,
        unit=Unit.VEHICLE,
        resolution=7,
        slot_minutes=60,
        date_ranges=((DAY, dt.date(2024, 3, 4)), (dt.date(2024, 3, 9), dt.date(2024, 3, 9))),
        hours=("09:00", "11:00"),
        zone="America/Chicago",
        upper_bound=65_000,
        selection_rule="every-slot",
        selection_threshold=10,
        minimum_vehicles=2,
        queries=(make_query(),),
        charge=charge,
        cumulative={unit: max(Decimal(total), charge.of(unit)) for unit, total in earlier.items()},
        limits={Unit.VEHICLE: Decimal("10"), Unit.VEHICLE_DAY: None, Unit.VEHICLE_HAT_DAY: None},
        evaluated=False,
        reserved_on=dt.date(2024, 5, 6),
        interval_rule=NEWEST_RULE,
        pings="regular",
        versions={"hexveil": "0.1.0", "opendp": "0.16.0", "h3": "4.5.0", "python": "3.11.9"},
    )
    return dataclasses.replace(release, **changes)


GAUSSIAN_DELTA = Decimal("1e-6")


def make_gaussian_query(**changes: Any) -> QueryResult:
    """The mean of every HAT with Gaussian noise: rho 0.02 in each, 0.05 for a vehicle."""
    rho = RhoCharge(
        per_vehicle_hat_day=Decimal("0.02"),
        per_vehicle_day=Decimal("0.03"),
        per_vehicle=Decimal("0.05"),
        per_date={DAY: Decimal("0.03")},
    )
    nothing = Decimal(0)
    charge = make_charge(
        per_vehicle_hat_day=nothing, per_vehicle_day=nothing, per_vehicle=nothing, per_date={}, rho=rho
    )
    epsilon = epsilon_of(nothing, rho.per_vehicle_hat_day, GAUSSIAN_DELTA)
    rows = tuple(
        dataclasses.replace(row, epsilon=epsilon if row.status == PUBLISHED else nothing)
        for row in make_rows()
    )
    facts = make_facts()
    (measure,) = facts.measures
    scales = ScaleFigures(*(Decimal(f"{float(one) / 0.2:.9g}") for one in measure.sensitivity))
    facts = dataclasses.replace(
        facts,
        parameters={**facts.parameters, "noise": "gauss"},
        made_by={**facts.made_by, "noise": "gauss", "rho_of_a_hat": "0.02"},
        measures=(dataclasses.replace(measure, noise_scale=scales),),
    )
    query = make_query(charge=charge, rows=rows, facts=facts, noise_scale=scales.largest)
    return dataclasses.replace(query, **changes)


def make_mixed_release(**changes: Any) -> Release:
    """A mean with Gaussian and pair means with Laplace noise, after releases of both kinds."""
    gaussian, pure = make_gaussian_query(), make_charge()
    (measure,) = published_statistics()["query1"].measures
    rows = tuple(
        dataclasses.replace(
            row,
            estimates=tuple(
                dataclasses.replace(one, measure=measure.name, bias_bound=None) for one in row.estimates
            ),
        )
        for row in make_rows()
    )
    laplace = make_query(query_id="pair_means", statistic="query1", mechanism="query1", rows=rows)
    parts = {
        unit: loss_of(pure, unit) + loss_of(gaussian.charge, unit) + PrivacyLoss(Decimal(1), Decimal("0.1"))
        for unit in Unit
    }
    return make_release(
        queries=(gaussian, laplace),
        charge=add_charges([gaussian.charge, pure]),
        cumulative={unit: loss.epsilon_at(GAUSSIAN_DELTA) for unit, loss in parts.items()},
        cumulative_parts=parts,
        delta=GAUSSIAN_DELTA,
        **changes,
    )


def make_exact_release(**changes: Any) -> Release:
    """The same, stated exactly: as releases are that are drawn today."""
    release = make_mixed_release(**changes)
    exact = {}
    for row in release.queries[0].rows:
        loss = StatedLoss(PrivacyLoss(rho=Decimal("0.02")), GAUSSIAN_DELTA, BY_PROFILE)
        exact[row] = loss.epsilon if row.status == PUBLISHED else row.epsilon
    rows = tuple(dataclasses.replace(row, epsilon=epsilon) for row, epsilon in exact.items())
    gaussian = dataclasses.replace(release.queries[0], rows=rows, conversion=BY_PROFILE)
    return dataclasses.replace(release, queries=(gaussian, *release.queries[1:]), conversion=BY_PROFILE)


@cache
def make_key(seed: int = 1) -> SigningKey:
    """A key of its own for each seed; the same one every time."""
    private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    return SigningKey(private=private, public=public_key_of(private.public_key().public_bytes_raw()))


def make_bundle(
    out: Path,
    release: Release | None = None,
    texts: ReleaseTexts | None = None,
    *,
    key: SigningKey | None = None,
    now: dt.datetime = NOW,
) -> Path:
    """A signed bundle on disk."""
    texts = texts or make_texts()
    staging = Staging.create(out, texts.folder)
    return staging.publish(release or make_release(), texts, key=key or make_key(), now=now).path


def usual_bundle(out: Path, release: Callable[[], Release] = make_release) -> Path:
    """The same bundle on disk, with the usual texts and key; what stands in it is made once for all tests."""
    folder = out / make_texts().folder
    for path, content in _usual_files(release).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


@cache
def _usual_files(release: Callable[[], Release]) -> dict[str, bytes]:
    return bundle_files(release(), make_texts(), key=make_key(), now=NOW)


_CENTRE, _HOURS = (21.17, 72.83), 24


def _many_rows(count: int) -> Iterator[HatRow]:
    """Of as many hexagons as there must be, each hour of the day."""
    cells, rings = -(-count // _HOURS), 0
    while 3 * rings * (rings + 1) + 1 < cells:
        rings += 1
    found = sorted(h3.grid_disk(h3.latlng_to_cell(*_CENTRE, 7), rings))[:cells]
    for number in range(count):
        mean = 20_000 + number * 37 % 30_000
        cell, hour = found[number // _HOURS], number % _HOURS
        yield make_row(cell, hour, mean=mean, low=mean - 2667, high=mean + 2667, bias_bound=1500)


def large_bundle(folder: Path, rows: int) -> Path:
    """A sound bundle of so many rows, with its maps."""
    query = make_query(rows=tuple(_many_rows(rows)))
    return make_bundle(folder, make_release(queries=(query,), hours=("00:00", "24:00")))


def make_documents(release: Release | None = None, texts: ReleaseTexts | None = None) -> dict[str, bytes]:
    """Every file of a bundle but data, list, signature and key."""
    release = release or make_release()
    return describe_files(release, texts or make_texts(), make_key().public, NOW.date(), data_files(release))


_LARGEST_REMADE = 1 << 20
"""Bytes of data that maps are made of again: of a hostile table there are none that fit."""


def forge(bundle: Path, edits: Mapping[str, bytes], *, key: SigningKey | None = None) -> None:
    """Change files, then make hashes, sums and signature right again: only claims can be wrong."""
    key = key or make_key()
    for name, content in edits.items():
        (bundle / name).write_bytes(content)
    held = {path.relative_to(bundle).as_posix() for path in bundle.glob("data/*")}
    resources = resources_of({path: (bundle / path).read_bytes() for path in sorted(held)})
    resources += policy_resources({path.name: path.read_bytes() for path in bundle.glob("policy.*")})
    # of what is no table, or no statement, no map can be made: the files stay what they are
    with contextlib.suppress(Exception):
        resources += _remake_maps(bundle, held, resources, edits)
    if DATAPACKAGE not in edits:
        package = json.loads((bundle / DATAPACKAGE).read_bytes())
        (bundle / DATAPACKAGE).write_bytes(json_bytes(package | {"resources": resources}))
    resign(bundle, key)


def _remake_maps(
    bundle: Path, held: set[str], resources: list[dict[str, Any]], edits: Mapping[str, bytes]
) -> list[dict[str, Any]]:
    """Write the files for maps and portals as data and documents now say, but for those edited; list them."""
    package, privacy = (json.loads((bundle / name).read_bytes()) for name in (DATAPACKAGE, PRIVACY))
    if "map_files" not in privacy:
        return []
    data = {path: (bundle / path).read_bytes() for path in held}
    tables = tuple(table for table in data_tables().values() if table.path in data)
    listed = map_resources({path: (bundle / path).read_bytes() for path in map_paths(tables)}, tables)
    with contextlib.suppress(Exception):
        assert sum(map(len, data.values())) < _LARGEST_REMADE
        made = map_files(data, package | {"resources": resources}, privacy)
        files = made.files | {path: content for path, content in edits.items() if path in made.files}
        others = {path: content for path, content in files.items() if path != CATALOGUE_RECORD}
        listed = [*resources, *map_resources(others, tables)]
        published = published_map(public_tables(data, SPEED), package, privacy)
        if CATALOGUE_RECORD not in edits:
            files[CATALOGUE_RECORD] = json_bytes(published.record(listed))
        for path, content in files.items():
            (bundle / path).write_bytes(content)
        listed = map_resources(files, tables)
        if REPORT not in edits:
            block = embedded_json(
                SCHEMA_ORG_ID, published.linked_data([*resources, *listed]), kind=LINKED_DATA
            )
            page = (bundle / REPORT).read_text("utf-8")
            start = page.index(f'<script type="{LINKED_DATA}"')
            end = page.index("</script>", start) + len("</script>")
            (bundle / REPORT).write_text(page[:start] + block + page[end:], "utf-8", newline="")
    return listed


def resign(bundle: Path, key: SigningKey, *, comment: str | None = None) -> None:
    """Write sums and signature of what lies in the folder."""
    names = [path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()]
    listed = {name: (bundle / name).read_bytes() for name in names if name not in (MANIFEST, SIGNATURE)}
    manifest = manifest_bytes(listed)
    (bundle / MANIFEST).write_bytes(manifest)
    (bundle / SIGNATURE).write_bytes(key.sign(manifest, comment or trusted_comment(bundle.name, NOW)))
