"""Whether a bundle's documents agree with its data, and its epsilons add up (SPEC 14)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, Inexact, localcontext

import h3

from core.release.claim import Claim, claim_of, text_at
from core.release.columns import DATA_PATHS, EPSILON_SUMMARY, SPEED_BY_HAT
from core.release.datapackage import PROFILE, resources_of
from core.release.describe import DATAPACKAGE, PRIVACY
from core.release.findings import json_object, require, same_json
from core.release.result import PUBLISHED
from core.release.tables import UNITS
from core.release.verify_folder import BundleFolder
from core.release.verify_tables import Row, in_order, rows_of

_RELEASE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*-[0-9]+\.[0-9]+\.[0-9]+")
_DIGITS = 200
"""More than any sum of the numbers that a table may hold; a sum that does not fit fails."""
_VALUES = ("speed_mean_kmh", "ci95_low_kmh", "ci95_high_kmh")


def check_datapackage(folder: BundleFolder) -> str:
    """datapackage.json declares exactly our files, with their columns, sizes and hashes."""
    document = json_object(DATAPACKAGE, folder.read(DATAPACKAGE))
    require(document.get("$schema") == PROFILE, f"{DATAPACKAGE} is of another profile")
    expected = resources_of({path: folder.read(path) for path in DATA_PATHS})
    require(
        same_json(document.get("resources"), expected),
        f"{DATAPACKAGE}: columns, sizes or hashes are not those of the data",
    )
    return "columns, sizes and hashes are right"


def check_privacy(folder: BundleFolder, comment_release: str, key_id: str) -> str:
    """privacy.json has its shape and agrees with datapackage.json, signature and both tables.

    comment_release: the `<name>-<version>` that the signature vouches for; key_id: who signed.
    """
    claim = claim_of(folder)
    package = json_object(DATAPACKAGE, folder.read(DATAPACKAGE))
    named = f"{text_at(package, 'name', document_name=DATAPACKAGE)}-"
    named += text_at(package, "version", document_name=DATAPACKAGE)
    require(bool(_RELEASE.fullmatch(named)), f"{DATAPACKAGE}: no valid name and version")
    require(claim.release == named, f"{PRIVACY} and {DATAPACKAGE} name different releases")
    require(comment_release == named, "the signature is of another release")
    require(claim.key_id == key_id, f"{PRIVACY} names another key")
    expected = {
        "relation": claim.relation,
        "lower_bound": claim.lower,
        "upper_bound": claim.upper,
        "period_start": claim.first,
        "period_end": claim.last,
    }
    for row in rows_of(EPSILON_SUMMARY, folder):
        require(expected.items() <= row.items(), f"{EPSILON_SUMMARY.path} and {PRIVACY} disagree")
    return "agrees with the data and the signature"


def check_rows(folder: BundleFolder) -> str:
    """Every published value lies in its interval and within the bounds; the others are empty."""
    claim = claim_of(folder)
    rows = rows_of(SPEED_BY_HAT, folder)
    keys = [(row["h3_cell"], row["slot_start"]) for row in rows]
    require(in_order(keys), f"{SPEED_BY_HAT.path} is not sorted")
    for number, row in enumerate(rows, start=2):
        where = f"{SPEED_BY_HAT.path}, line {number}"
        require(_is_place(row, claim), f"{where}: no cell or timeslot of the grid")
        require(_is_value(row, claim), f"{where}: the value, its interval or its epsilon is impossible")
    return f"{sum(row['status'] == PUBLISHED for row in rows)} published values within interval and bounds"


def check_epsilons(folder: BundleFolder) -> str:
    """Per unit the queries add up to what was reserved; each headline fits its rows."""
    claim = claim_of(folder)
    summary = rows_of(EPSILON_SUMMARY, folder)
    rows = rows_of(SPEED_BY_HAT, folder)
    queries = sorted({row["query_id"] for row in summary})
    listed = [(row["query_id"], row["unit"]) for row in summary]
    complete = [(query, unit.value) for query in queries for unit in UNITS]
    require(listed == complete, f"{EPSILON_SUMMARY.path} has not one row per query and unit, in order")
    require(len(queries) == 1, f"{SPEED_BY_HAT.path} can hold the rows of one query only")
    for unit in UNITS:
        total = _sum(row["epsilon"] for row in summary if row["unit"] == unit.value)
        require(total == claim.charges[unit], f"the epsilons of {unit.value} do not add up to the charge")
    for row in summary:
        _check_headline(row, rows, claim)
    return f"{len(queries)} query adds up to the charge of every unit (relation {claim.relation})"


def _check_headline(headline: Row, rows: list[Row], claim: Claim) -> None:
    """max eps_g <= headline <= sum eps_g; where a unit's days add up, up to `days` times the sum."""
    used = {row["mechanism"] for row in rows}
    require(used <= {headline["mechanism"]}, f"{SPEED_BY_HAT.path} names another mechanism")
    amounts = [row["epsilon"] for row in rows if row["status"] == PUBLISHED]
    times = 1 if headline["unit"] == claim.unit.value else claim.days
    most = _sum(amounts, times=times)
    least = max(map(Decimal, amounts), default=Decimal(0))
    require(
        least <= Decimal(headline["epsilon"]) <= most,
        f"the epsilon of {headline['unit']} does not fit the epsilons of the rows",
    )


def _is_place(row: Row, claim: Claim) -> bool:
    cell = row["h3_cell"]
    return (
        h3.is_valid_cell(cell)
        and h3.get_resolution(cell) == claim.resolution
        and row["h3_resolution"] == str(claim.resolution)
        and _minutes(row["slot_end"]) - _minutes(row["slot_start"]) == claim.slot_minutes
    )


def _is_value(row: Row, claim: Claim) -> bool:
    epsilon = Decimal(row["epsilon"])
    if row["status"] != PUBLISHED:
        return not epsilon and not any(row[name] for name in (*_VALUES, "bias_bound_kmh"))
    if not epsilon or not all(row[name] for name in _VALUES):
        return False
    mean, low, high = (Decimal(row[name]) for name in _VALUES)
    return Decimal(claim.lower) <= low <= mean <= high <= Decimal(claim.upper)


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def _sum(amounts: Iterable[str], *, times: int = 1) -> Decimal:
    """`times` the exact sum; raises Inexact rather than round."""
    with localcontext(prec=_DIGITS) as context:
        context.traps[Inexact] = True
        return sum(map(Decimal, amounts), Decimal(0)) * times
