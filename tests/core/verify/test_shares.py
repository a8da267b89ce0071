"""core.verify.shares: what is published of shares follows from itself; both verifiers find what does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from core.keys.signing_key import SigningKey
from core.shares.share_facts import share_facts
from core.statistics.ranges import Ranges
from core.verify.verify import verify_bundle
from resources.verifier.hexveil_verify import verify
from tests.builders import make_key, resign
from tests.labelled_city import BY_ROUTE, BY_ZONE, WHOLE_AREA, write_labelled_city
from tests.share_bundles import released, rows_of, write_rows

Rows = list[dict[str, str]]
SHARES, PERCENTILES = "speed_share_by_hat", "speed_percentiles_by_hat"
TILED = "percentiles = [15, 50, 85]\nnoise = "
BY_PERIODS = 'periods = { early = ["09:00", "10:00"], late = ["10:00", "12:00"] }\ngroup = ["direction"]'
ALL_DAY = (("slot_minutes = 60", 'slot_minutes = "all"'),)


@pytest.fixture(scope="module")
def key() -> SigningKey:
    return make_key()


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Path:
    """With so little noise that intervals end within [0, 1]."""
    much = (('total = "9"', 'total = "90"'),)
    return released(tmp_path_factory.mktemp("tiled"), key, TILED + '"gauss"', edit=much).bundle


def said(bundle: Path) -> tuple[bool, str]:
    """What `verify` finds of shares."""
    (found,) = (check for check in verify_bundle(bundle).checks if check.name == "shares")
    return found.passed, found.detail


def said_by_file(bundle: Path) -> str:
    """What the public's file finds wrong; empty: nothing."""
    return "; ".join(told for name, holds, told in verify(str(bundle)) if name == "shares" and not holds)


def tampered(bundle: Path, key: SigningKey, name: str, edit: Callable[[Rows], object]) -> tuple[str, str]:
    """What both verifiers find in a table that the key signs after the edit; the bundle is whole again."""
    before = {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    try:
        rows = rows_of(bundle, name)
        edit(rows)
        write_rows(bundle, name, rows)
        resign(bundle, key)
        passed, detail = said(bundle)
        return "" if passed else detail, said_by_file(bundle)
    finally:
        for path, content in before.items():
            path.write_bytes(content)


def published(rows: Rows) -> dict[str, str]:
    """A row whose share and interval are away from both ends."""
    return next(
        row
        for row in rows
        if row["share"] and float(row["ci95_low_share"]) > 0.02 and float(row["ci95_high_share"]) < 0.98
    )


def moved(*columns: str, by: float) -> Callable[[Rows], None]:
    def edit(rows: Rows) -> None:
        row = published(rows)
        for name in columns:
            row[name] = f"{float(row[name]) + by:.6f}"

    return edit


@pytest.mark.parametrize(
    ("noise", "edit", "more"),
    [('"laplace"', (), ""), ('"gauss"', ALL_DAY, "mode = 'exact'"), ('"laplace"', ALL_DAY, "smooth = false")],
)
def test_what_is_released_follows_from_itself(
    noise: str, edit: tuple[tuple[str, str], ...], more: str, tmp_path: Path, key: SigningKey
) -> None:
    bundle = released(tmp_path, key, f"{TILED}{noise}\n{more}", edit=edit).bundle
    passed, detail = said(bundle)
    assert passed, detail
    assert ("smoothed ones too" in detail) is ("smooth" not in more)
    assert not said_by_file(bundle)


@pytest.mark.parametrize(
    "edit",
    [BY_ZONE, WHOLE_AREA, (*BY_ROUTE, ("slot_minutes = 60", BY_PERIODS))],
    ids=["zone", "all", "routes in groups"],
)
def test_shares_of_any_kind_of_place_follow_from_themselves(
    edit: tuple[tuple[str, str], ...], tmp_path: Path, key: SigningKey
) -> None:
    one = released(tmp_path, key, TILED + '"gauss"', edit=edit, write=write_labelled_city)
    passed, detail = said(one.bundle)
    assert passed, detail
    assert "smoothed" in detail
    assert not said_by_file(one.bundle)


@pytest.mark.parametrize("noise", ["laplace", "gauss"])
def test_ranges_that_leave_gaps_and_overlap_hold_too(noise: str, tmp_path: Path, key: SigningKey) -> None:
    parameters = f'ranges = [[0, 10], [5, 20], [40, 65]]\nnoise = "{noise}"'
    bundle = released(tmp_path, key, parameters).bundle
    assert said(bundle)[0], said(bundle)
    assert not said_by_file(bundle)


def test_shares_that_do_not_add_up_are_found(bundle: Path, key: SigningKey) -> None:
    """A share is moved with its interval, so that it alone looks right."""
    columns = ("share", "share_unclamped", "ci95_low_share", "ci95_high_share")
    ours, public = tampered(bundle, key, SHARES, moved(*columns, by=0.01))
    assert "do not add up to 1" in ours
    assert "do not add up to 1" in public


def test_an_interval_that_was_narrowed_is_found(bundle: Path, key: SigningKey) -> None:
    ours, _ = tampered(bundle, key, SHARES, moved("ci95_low_share", by=0.0005))
    assert "does not follow from its standard deviation" in ours


def test_a_share_outside_of_its_interval_is_found_by_the_file(bundle: Path, key: SigningKey) -> None:
    def edit(rows: Rows) -> None:
        row = published(rows)
        row["ci95_low_share"] = f"{float(row['share']) + 0.001:.6f}"

    ours, public = tampered(bundle, key, SHARES, edit)
    assert ours
    assert "outside of its interval" in public


@pytest.mark.parametrize("name", ["share_smoothed", "smoothed_high_share"])
def test_smoothed_shares_are_made_again(name: str, bundle: Path, key: SigningKey) -> None:
    ours, _ = tampered(bundle, key, SHARES, moved(name, by=0.001))
    assert f"{name} does not follow from the published shares" in ours


def test_signs_that_changed_places_show_in_the_smoothed_shares(tmp_path: Path, key: SigningKey) -> None:
    name, bundle = "records_per_visit_standardised", released(tmp_path, key, TILED + '"gauss"').bundle

    def edit(rows: Rows) -> None:
        signs = iter([row[name] for row in reversed(rows) if row[name]])
        for row in rows:
            row[name] = row[name] and next(signs)

    ours, _ = tampered(bundle, key, SHARES, edit)
    assert "does not follow from the published shares" in ours


def test_a_range_that_nobody_asked_for_is_found(bundle: Path, key: SigningKey) -> None:
    def edit(rows: Rows) -> None:
        for row in rows:
            if row["range_low_kmh"] == "5.000":
                row["range_low_kmh"] = "6.000"

    ours, _ = tampered(bundle, key, SHARES, edit)
    assert "other labels than were asked for" in ours


@pytest.mark.parametrize(
    ("column", "value", "what"),
    [
        ("speed_kmh", "64.999", "not where the shares reach it"),
        ("ci95_high_kmh", "64.000", "does not end on edges"),
        ("speed_smoothed_kmh", "64.999", "do not rise"),
    ],
)
def test_percentiles_that_cannot_be_are_found(
    column: str, value: str, what: str, bundle: Path, key: SigningKey
) -> None:
    def edit(rows: Rows) -> None:
        asked = {"speed_kmh": "85.000"}.get(column, "15.000")
        row = next(row for row in rows if row["percentile"] == asked and row["status"] == "published")
        row[column] = value
        if column == "speed_kmh":
            row["ci95_high_kmh"] = "65.000"
        if column == "speed_smoothed_kmh":
            row["smoothed_high_kmh"] = "65.000"

    ours, public = tampered(bundle, key, PERCENTILES, edit)
    assert what in ours
    assert column == "speed_kmh" or "rise" in public or "edges" in public


def mean_of(rows: Rows) -> dict[str, str]:
    """A row whose interval is away from both bounds."""
    return next(
        row
        for row in rows
        if row["percentile"] == "mean" and float(row["ci95_low_kmh"]) > 0 and float(row["ci95_high_kmh"]) < 65
    )


@pytest.mark.parametrize(
    ("change", "ours", "public"),
    [
        (
            {"speed_kmh": 0.01},
            "a mean does not follow from the shares",
            "a mean does not follow from the shares",
        ),
        ({"ci95_low_kmh": 0.02}, "does not allow for what ranges hide", ""),
        ({"ci95_high_kmh": 0.02}, "does not allow for what ranges hide", ""),
        ({"ci95_low_kmh": 5, "ci95_high_kmh": -5}, "does not allow for what ranges hide", ""),
        ({"ci95_low_kmh": 40}, "", "a mean lies outside of its interval"),
    ],
)
def test_a_mean_that_cannot_be_is_found(
    change: dict[str, float], ours: str, public: str, bundle: Path, key: SigningKey
) -> None:
    def edit(rows: Rows) -> None:
        row = mean_of(rows)
        for name, by in change.items():
            row[name] = f"{float(row[name]) + by:.3f}"

    found, by_file = tampered(bundle, key, PERCENTILES, edit)
    assert ours in found
    assert found
    assert public in by_file


def test_a_smoothed_number_that_was_taken_away_is_found_where_rows_have_one(
    bundle: Path, key: SigningKey
) -> None:
    """Of a percentile, not of a mean, which has none."""

    def edit(rows: Rows) -> None:
        row = next(row for row in rows if row["percentile"] == "15.000" and row["speed_smoothed_kmh"])
        row |= dict.fromkeys(("speed_smoothed_kmh", "smoothed_low_kmh", "smoothed_high_kmh"), "")
        write_rows(bundle, PERCENTILES, rows)
        resign(bundle, key)
        failed.extend(check.name for check in verify_bundle(bundle).checks if not check.passed)

    assert verify_bundle(bundle).ok
    failed: list[str] = []
    tampered(bundle, key, PERCENTILES, edit)
    assert "values" in failed


def test_a_mean_of_ranges_that_hide_too_much_is_found(tmp_path: Path, key: SigningKey) -> None:
    """Stated, and with rows that fit: some of the first range stand, some drive."""
    one = released(tmp_path, key, 'ranges = [[0, 10], [10, 65]]\npercentiles = [50]\nnoise = "gauss"')
    path = one.bundle / "privacy.json"
    document = json.loads(path.read_text("utf-8"))
    ranges = Ranges(((0, 10_000), (10_000, 65_000)), 65_000)
    document["queries"][0]["made_by"]["details"] |= share_facts(ranges, 0, mean=True)
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    shares = {
        (row["h3_cell"], row["slot_start"], row["range_low_kmh"]): float(row["share_unclamped"])
        for row in rows_of(one.bundle, SHARES)
        if row["share_unclamped"]
    }

    def edit(rows: Rows) -> None:
        whole = {"ci95_low_kmh": "0.000", "ci95_high_kmh": "65.000"}
        for place, row in [*enumerate(rows)][::-1]:
            parts = [shares[row["h3_cell"], row["slot_start"], low] for low in ("0.000", "10.000")]
            mean = min(max(5 * parts[0] + 29.25 * parts[1], 0), 65)
            none = dict.fromkeys(("speed_smoothed_kmh", "smoothed_low_kmh", "smoothed_high_kmh"), "")
            rows.insert(place + 1, {**row, **whole, **none, "percentile": "mean", "speed_kmh": f"{mean:.3f}"})

    ours, _ = tampered(one.bundle, key, PERCENTILES, edit)
    assert "hidden_by_ranges_in_thousandths" in ours


def test_a_mean_without_its_row_or_twice_is_found(bundle: Path, key: SigningKey) -> None:
    def lacking(rows: Rows) -> None:
        rows.remove(mean_of(rows))

    def none(rows: Rows) -> None:
        rows[:] = [row for row in rows if row["percentile"] != "mean"]

    for edit in (lacking, none):
        ours, _ = tampered(bundle, key, PERCENTILES, edit)
        assert ours


def test_constants_that_do_not_belong_to_the_ranges_are_found(bundle: Path, key: SigningKey) -> None:
    path = bundle / "privacy.json"
    before = {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    document = json.loads(path.read_text("utf-8"))
    for name, value in (
        ("most_ranges_that_a_record_leaves_and_enters", 1),
        ("edges_of_atoms_in_thousandths", [0, 65_000]),
        ("expected_shares_in_millionths", [1] * 7),
        ("middles_of_ranges_in_thousandths", [1] * 7),
        ("hidden_by_ranges_in_thousandths", 0),
    ):
        changed = json.loads(json.dumps(document))
        changed["queries"][0]["made_by"]["details"][name] = value
        path.write_text(json.dumps(changed, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        resign(bundle, key)
        passed, detail = said(bundle)
        assert not passed, name
        assert name in detail
    for one, content in before.items():
        one.write_bytes(content)
