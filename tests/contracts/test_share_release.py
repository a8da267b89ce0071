"""Shares and percentiles from file to signature: files, checks, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.bundle.contradicted_promise import contradicted_counts
from core.bundle.public_tables import public_tables
from core.bundle.release_result import Release
from core.city.allocation import LARGEST_GAP
from core.codec import from_json, to_json
from core.errors import InputError
from core.keys.signing_key import SigningKey, generate_key
from core.portal.slot_pictures import slot_pictures
from core.published.bundle_frames import read_bundle, table_of
from core.published.comparison import CELLS, LABEL, SLOT_START, VERDICT, ChangeVerdict, compare
from core.quantity import SPEED
from core.release.prepare_publish import PublishedRelease, prepare
from core.spec import load_spec
from core.verify.values import BundleLabel, bundle_values
from core.verify.verify import verify_bundle
from resources.verifier.hexveil_verify import verify
from tests.city import PASSPHRASE
from tests.golden.steady import GOLDEN, open_ledger, release, steady
from tests.share_bundles import released, rows_of
from tests.taxis import SHARES, ledger_in, write_taxis
from tests.taxis import released as released_taxis

PUBLIC_VERIFIER = Path(__file__).resolve().parents[2] / "resources/verifier/hexveil_verify.py"


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", PASSPHRASE)


@pytest.fixture(scope="module")
def tiled(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> PublishedRelease:
    return released(
        tmp_path_factory.mktemp("tiled"), key, "percentiles = [15, 50, 85]", 'mechanism = "tokens"\n'
    )


def test_both_verifiers_find_that_it_holds(tiled: PublishedRelease) -> None:
    verification = verify_bundle(tiled.bundle)
    assert verification.ok, [check for check in verification.checks if not check.passed]
    run = [sys.executable, str(PUBLIC_VERIFIER), tiled.bundle.name]
    done = subprocess.run(run, cwd=tiled.bundle.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert from_json(Release, json.loads(json.dumps(to_json(tiled.release)))) == tiled.release


def test_they_do_where_middles_of_ranges_are_no_whole_thousandths(tmp_path: Path, key: SigningKey) -> None:
    edit = (("upper_bound_kmh = 65.0", "upper_bound_kmh = 120.0"), ('total = "9"', 'total = "0.5"'))
    bundle = released(tmp_path, key, "percentiles = [15, 50, 85]", edit=edit).bundle
    assert verify_bundle(bundle).ok
    assert [told for _, holds, told in verify(str(bundle)) if not holds] == []


def test_laplace_noise_is_what_the_epsilons_of_rows_ask_for(tmp_path: Path, key: SigningKey) -> None:
    """Of three rows whose epsilons are alike, and of ranges that tile."""
    all_day = (("slot_minutes = 60", 'slot_minutes = "all"'),)
    one = released(
        tmp_path, key, 'noise = "laplace"\nmode = "exact"\nranges = [[0, 20], [20, 65]]', edit=all_day
    )
    verification = verify_bundle(one.bundle)
    assert verification.ok, [check for check in verification.checks if not check.passed]
    assert one.release.charge.rho.per_vehicle == 0


def test_shares_that_tile_add_up_before_they_are_cut_and_after_smoothing(tiled: PublishedRelease) -> None:
    sums, smoothed = defaultdict[tuple[str, str], float](float), defaultdict[tuple[str, str], float](float)
    for row in rows_of(tiled.bundle, "speed_share_by_hat"):
        assert float(row["ci95_low_share"]) <= float(row["share"]) <= float(row["ci95_high_share"])
        sums[row["h3_cell"], row["slot_start"]] += float(row["share_unclamped"])
        smoothed[row["h3_cell"], row["slot_start"]] += float(row["share_smoothed"])
    assert all(one == pytest.approx(1, abs=1e-5) for one in sums.values())
    assert all(0.9 < one < 1.4 for one in smoothed.values())


def test_percentiles_rise_and_end_on_edges(tiled: PublishedRelease) -> None:
    edges = {"0.000", "1.000", "5.000", "10.000", "20.000", "30.000", "45.000", "65.000"}
    curves = defaultdict[tuple[str, str], list[float]](list)
    for row in rows_of(tiled.bundle, "speed_percentiles_by_hat"):
        if row["percentile"] == "mean":
            continue
        curves[row["h3_cell"], row["slot_start"]].append(float(row["speed_smoothed_kmh"]))
        assert {row["ci95_low_kmh"], row["ci95_high_kmh"]} <= edges
    assert all(len(curve) == 3 and curve == sorted(curve) for curve in curves.values())


def test_a_statement_says_how_shares_were_made(tiled: PublishedRelease) -> None:
    statement = json.loads((tiled.bundle / "privacy.json").read_text("utf-8"))
    (query,) = statement["queries"]
    made = query["made_by"]["details"]
    assert made["most_ranges_that_a_record_leaves_and_enters"] == 2
    assert made["edges_of_atoms_in_thousandths"] == [0, 1000, 5000, 10_000, 20_000, 30_000, 45_000, 65_000]
    assert 0 < float(made["gap_to_the_best_shares"]) <= LARGEST_GAP
    assert len(query["smoothing"]["spreads_of_ranges"]) == 7
    assert query["smoothing"]["model"] == {"mean": "p", "mean_spread": "0.35 u"}


def test_a_share_that_is_moved_is_found(tiled: PublishedRelease) -> None:
    path = tiled.bundle / "data" / "speed_share_by_hat.csv"
    content = path.read_bytes()
    path.write_bytes(content.replace(b",0.000000,", b",0.500000,", 1))
    try:
        assert not verify_bundle(tiled.bundle).ok
    finally:
        path.write_bytes(content)


@pytest.mark.parametrize(
    ("parameters", "what"),
    [
        ("ranges = [[0, 10]]\npercentiles = [50]", "tile the bounds"),
        ("ranges = [[0, 70]]", "beyond the bounds"),
        ("ranges = [[10, 0]]", "is empty"),
        ("ranges = [[0, 65]]", "covers every record"),
        ("ranges = [[10, 10]]", "is empty"),
        ("ranges = [[0, nan]]", "number 1 of the list"),
        ("ranges = [[-inf, 10]]", "number 1 of the list"),
        (f"ranges = {[[0, n + 1] for n in range(21)]}", "Shares of 21 ranges"),
        ("percentiles = [0, 50]", "number 1 of the list"),
        ("percentiles = [50, 100]", "number 2 of the list"),
        ("percentiles = [nan]", "number 1 of the list"),
        ("percentiles = [50, 50]", "listed twice"),
        ("ranges = [[0, 10], [10, 64]]\npercentiles = [50]", "tile the bounds"),
        ("ranges = [[0, 40], [30, 65]]\npercentiles = [50]", "tile the bounds"),
        ("percentiles = [85, 15]", "does not rise"),
        ("zoom = true", "no parameter 'zoom'"),
    ],
)
def test_what_cannot_be_asked_is_refused(tmp_path: Path, key: SigningKey, parameters: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        released(tmp_path, key, parameters)
    assert caught.value.where.startswith(("query", "parameters"))
    assert caught.value.mend
    assert not (tmp_path / "out").exists()
    assert not Ledger.open(tmp_path / "home" / "ledger.sqlite").populations()[0].entries


@pytest.mark.parametrize(
    ("parameters", "what"),
    [
        ("ranges = [[0, 10]]", "needs public counts"),
        ('mode = "split"', "no parameter 'mode'"),
        ("fleet = 60\nvehicles = 20\nrecords = 3\nranges = [[0, 10]]\npercentiles = [50]", "tile the bounds"),
    ],
)
def test_what_relation_user_does_not_take_is_refused(tmp_path: Path, parameters: str, what: str) -> None:
    mean = SHARES[0][0]
    edit = ((mean, f'statistic = "share"\ntotal = "40"\n[query.parameters]\n{parameters}\n'),)
    spec = write_taxis(tmp_path / "city", edits=edit)
    with pytest.raises(InputError, match=what) as caught:
        prepare(load_spec(spec), ledger_in(tmp_path / "home"))
    assert caught.value.mend
    assert not ledger_in(tmp_path / "home").populations()[0].entries


def test_shares_of_relation_user_are_published_raw_smoothed_and_as_percentiles(
    tmp_path: Path, key: SigningKey
) -> None:
    spec = write_taxis(tmp_path / "city", edits=SHARES)
    bundle = released_taxis(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out").bundle
    rows, curves = rows_of(bundle, "speed_share_by_hat"), rows_of(bundle, "speed_percentiles_by_hat")
    assert (len(rows), len(curves)) == (21 * 7, 21 * 4)
    for row in rows:
        shown = row["status"] != "suppressed"
        assert bool(row["records_dp"]) == bool(row["share"]) == bool(row["share_smoothed"]) == shown
        assert {row["mechanism"], row["epsilon"]} == {"plan-and-enforce", rows[0]["epsilon"]}
    smoothed = [row for row in curves if row["percentile"] != "mean"]
    assert all(bool(row["speed_kmh"]) == bool(row["speed_smoothed_kmh"]) for row in smoothed)
    means = [row for row in curves if row["percentile"] == "mean"]
    assert any(row["speed_kmh"] for row in means)
    assert not any(row["speed_smoothed_kmh"] for row in means)
    assert any(row["share"] for row in rows)


@pytest.mark.parametrize("threshold", [5, 100_000])
def test_one_range_of_relation_user_is_published(threshold: int, tmp_path: Path, key: SigningKey) -> None:
    """The other range is the rest. The release stopped, budget spent, where it has no inner edge."""
    one = ("percentiles = [15, 50, 85]", "ranges = [[0, 10]]")
    edits = (*SHARES, one, ("threshold = 5", f"threshold = {threshold}"))
    spec = write_taxis(tmp_path / "city", edits=edits)
    bundle = released_taxis(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out").bundle
    rows = rows_of(bundle, "speed_share_by_hat")
    assert len(rows) == 21
    assert any(row["share_smoothed"] for row in rows) == (threshold == 5)
    assert verify_bundle(bundle).ok


def test_a_release_of_relation_user_without_any_number_has_the_same_files(
    tmp_path: Path, key: SigningKey
) -> None:
    """What is published follows from what was asked: noise that suppresses all rows takes no file away."""
    spec = write_taxis(tmp_path / "city", edits=(*SHARES, ("threshold = 5", "threshold = 100000")))
    bundle = released_taxis(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out").bundle
    curves = rows_of(bundle, "speed_percentiles_by_hat")
    assert {row["status"] for row in curves} == {"suppressed"}
    assert {row["percentile"] for row in curves} == {"15.000", "50.000", "85.000", "mean"}
    assert "speed_smoothed_kmh" in curves[0]
    verification = verify_bundle(bundle)
    assert verification.ok, [check for check in verification.checks if not check.passed]
    # without the publisher's key the signer stays open
    assert {name for name, holds, _ in verify(str(bundle)) if not holds} <= {"signature"}


def test_counts_that_were_wrong_are_said_in_percentage_points(tmp_path: Path, key: SigningKey) -> None:
    edits = (*SHARES, ("fleet = 60\nvehicles = 20", "fleet = 600\nvehicles = 200"), ('"40"', '"400"'))
    spec = write_taxis(tmp_path / "city", edits=edits)
    release = released_taxis(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out")
    assert verify_bundle(release.bundle).ok
    (sentence,) = contradicted_counts(release.release)
    assert "times too large" in sentence
    assert "percentage points" in sentence


def test_two_releases_are_compared_range_by_range(tmp_path: Path, key: SigningKey) -> None:
    """Nested ranges begin alike: each has its own rows."""
    edit = (('version = "1.0.0"', 'version = "1.1.0"'),)
    nested = "ranges = [[0, 10], [0, 20], [50, 65]]"
    bundles = [
        released(tmp_path / name, key, nested, edit=more).bundle for name, more in (("a", ()), ("b", edit))
    ]
    tables = [table_of(read_bundle(bundle).tables, "share") for bundle in bundles]
    found = compare(*tables)
    assert found.labels == ("0 to 10", "0 to 20", "50 to 65")
    hats = {(cells, start) for cells, start in zip(found.rows[CELLS], found.rows[SLOT_START], strict=True)}
    assert all((found.rows[LABEL] == one).sum() == len(hats) for one in found.labels)


def test_a_bundle_of_before_is_compared_with_one_that_has_a_mean(tmp_path: Path) -> None:
    """There percentiles are numbers, here they are texts; both are told as people write them."""
    ledger = open_ledger(tmp_path / "ledger.sqlite")
    with steady():
        later = release("shares", ledger, tmp_path / "out").bundle
    earlier = GOLDEN / "shares" / "shares-1.0.0"
    before, after = (table_of(read_bundle(one).tables, "share_percentiles") for one in (earlier, later))
    found = compare(before, after)
    assert found.labels == ("15", "50", "85", "mean")
    verdicts = {label: {*found.rows[found.rows[LABEL] == label][VERDICT]} for label in found.labels}
    assert verdicts.pop("mean") <= {ChangeVerdict.ONLY_AFTER, ChangeVerdict.UNTOLD}
    # what was drawn then is drawn now
    assert all(one <= {ChangeVerdict.WITHIN_NOISE, ChangeVerdict.UNTOLD} for one in verdicts.values())
    assert not found.rows[[CELLS, SLOT_START, LABEL]].duplicated().any()


def test_pictures_of_a_report_are_of_a_percentile_where_a_mean_stands_beside_it(
    tmp_path: Path, key: SigningKey
) -> None:
    bundle = released(tmp_path, key, "percentiles = [50]").bundle
    data = {path.relative_to(bundle).as_posix(): path.read_bytes() for path in (bundle / "data").iterdir()}
    shown = {one.statistic.key: one for one in public_tables(data, SPEED)}
    assert slot_pictures(shown["share_percentiles"], SPEED, 65_000).label == "percentile 50.000"


def test_the_map_of_a_bundle_says_its_range_and_percent(tiled: PublishedRelease) -> None:
    values = bundle_values(tiled.bundle)
    assert values.unit == "%"
    assert values.label == BundleLabel(value=0.0, counts_above=False, end=1.0)
    shown = [hat.value for hat in values.hats if hat.value is not None]
    rows = rows_of(tiled.bundle, "speed_share_by_hat")
    stated = [float(row["share"]) for row in rows if row["range_low_kmh"] == "0.000" and row["share"]]
    assert shown == pytest.approx([100 * one for one in stated])
