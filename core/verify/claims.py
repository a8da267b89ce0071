"""Verify: documents against data: epsilons that add up, hashes, names, halves of intervals (method 14)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, Inexact, localcontext

import h3

from core.accounting.exact_loss import BY_PROFILE, RUNNING, StatedLoss
from core.accounting.privacy_loss import PrivacyLoss
from core.bundle.csv_columns import EPSILON_SUMMARY, PERIOD, DataTable
from core.bundle.data_files import UNITS_IN_ORDER, bound_texts
from core.bundle.datapackage import PROFILE
from core.bundle.release_result import NO_INFORMATION, SUPPRESSED
from core.counted import count_of
from core.hats.places import LABELLED, WHOLE, WHOLE_ID, ZONED, place_name
from core.mechanisms.registry import all_mechanisms
from core.privacy import Relation, Unit
from core.shares.share_plan import reach_in_deviations
from core.signed.bundle_names import DATAPACKAGE, PLACES_PATH
from core.signed.findings import json_object, require, same_json, text_at
from core.statistics.base import UPPER_BOUND, AnyStatistic, Measure
from core.statistics.registry import published_statistics
from core.texts import text_of
from core.verify.bounding_figures import check_no_weights
from core.verify.folder import BundleFolder, TableRow
from core.verify.maps import resources_in
from core.verify.periods import has_labels, is_period
from core.verify.place_outlines import holds_lines
from core.verify.queries import check_queries
from core.verify.rest_rows import check_rest
from core.verify.scales import check_scales
from core.verify.smoothing_sign import check_signs
from core.verify.stated_losses import check_stated_losses
from core.verify.statement_reader import PrivacyStatement, read_statement
from core.verify.tables import in_order, rows_of

_RELEASE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*-[0-9]+\.[0-9]+\.[0-9]+")
_ASYMMETRY = 2
"""By how much the halves of an interval may differ, in the last decimal, as both ends are rounded."""
_DIGITS = 200
"""Of the sum of epsilons that must add up: more than a table's numbers need; one that does not fit fails."""

_RELATIONS = {Relation.VALUES: "relation values", Relation.USER: "relation user"}


def check_datapackage(folder: BundleFolder) -> str:
    """datapackage.json declares exactly our files, with their columns, sizes and hashes."""
    document = json_object(DATAPACKAGE, folder.read(DATAPACKAGE))
    require(document.get("$schema") == PROFILE, "{datapackage} is of another profile")
    require(
        same_json(document.get("resources"), resources_in(folder)),
        "{datapackage}: columns, sizes or hashes are not those of the data",
    )
    return "columns, sizes and hashes are right"


def check_privacy(folder: BundleFolder, comment_release: str, key_id: str) -> str:
    """privacy.json has its shape and agrees with datapackage.json, signature and both tables.

    comment_release: the `<name>-<version>` that the signature vouches for; key_id: who signed.
    """
    statement = read_statement(folder)
    package = json_object(DATAPACKAGE, folder.read(DATAPACKAGE))
    named = f"{text_at(package, 'name', document_name=DATAPACKAGE)}-"
    named += text_at(package, "version", document_name=DATAPACKAGE)
    require(bool(_RELEASE.fullmatch(named)), "{datapackage}: no valid name and version")
    require(statement.release == named, "{privacy} and {datapackage} name different releases")
    require(comment_release == named, "the signature is of another release")
    require(statement.key_id == key_id, "{privacy} names another key")
    for row in rows_of(folder.summary, folder):
        require(_agrees(row, statement), "{path} and {privacy} disagree", path=EPSILON_SUMMARY.path)
    if statement.relation is not Relation.USER:
        check_no_weights(folder)
    check_stated_losses(statement)
    check_queries(folder, statement.stated)
    check_scales(folder, statement)
    check_signs(folder, statement)
    return "agrees with the data and the signature"


def _agrees(row: TableRow, statement: PrivacyStatement) -> bool:
    """Whether a line of the summary is of this release."""
    statistic = published_statistics().get(row["statistic"])
    if statistic is None:
        return False
    lower, upper = bound_texts(statistic.of(statement.quantity).measures[0], statement.span)
    expected = {
        "relation": statement.relation.value,
        "lower_bound": lower,
        "upper_bound": upper,
        "period_start": statement.first,
        "period_end": statement.last,
    }
    return expected.items() <= row.items()


def check_rows(folder: BundleFolder) -> str:
    """Every published value lies in its interval and within the bounds; the others are empty.

    An interval that no bound cuts has its value in the middle, where its statistic says so: one that leans
    would tell where the truth lies.
    """
    statement = read_statement(folder)
    kind, outlined = statement.place.place_kind, PLACES_PATH in folder.files
    require(outlined if kind == ZONED else not outlined or kind == LABELLED, "{places_path} goes with zones")
    require(
        not outlined or holds_lines(folder) == (kind == LABELLED),
        "{places_path} has lines of zones, or areas of routes",
    )
    published = 0
    for key, table in folder.statistics.items():
        statistic = published_statistics()[key].of(statement.quantity)
        rows = rows_of(table, folder)
        require(in_order([_place(row, table) for row in rows]), "{path} is not sorted", path=table.path)
        for number, row in enumerate(rows, start=2):
            where = text_of("{path}, line {number}", path=table.path, number=number)
            require(
                (table.by_region or _is_place(row, statement))
                and has_labels(row, statement)
                and table.groups == tuple(group.name for group in statement.groups),
                "{where}: not a cell or timeslot of the grid",
                where=where,
            )
            require(
                _is_value(row, statistic, statement),
                "{where}: the value, its interval or its epsilon is impossible",
                where=where,
            )
            require(
                _is_centred(row, statistic, statement),
                "{where}: the value is not in the middle of its interval, which no bound cuts",
                where=where,
            )
        check_rest(table, rows, statement)
        published += sum(row["status"] != SUPPRESSED for row in rows)
    return text_of(
        "{counted_published_rows} within intervals and bounds",
        counted_published_rows=count_of(published, "published row"),
    )


def _place(row: TableRow, table: DataTable) -> tuple[str | Decimal, ...]:
    """What the lines of a data file are sorted by: place as text, label as a number."""
    labels = (row[name] for name in table.primary_key if name not in table.place)
    # a word comes after all numbers
    numbers = (Decimal("Infinity") if text.isalpha() else Decimal(text) for text in labels)
    return (*(row[name] for name in table.primary_key if name in table.place), *numbers)


def check_epsilons(folder: BundleFolder) -> str:
    """Per unit the queries add up to what was reserved; each headline fits its rows."""
    statement = read_statement(folder)
    summary = rows_of(folder.summary, folder)
    query_ids = sorted({row["query_id"] for row in summary})
    listed = [(row["query_id"], row["unit"]) for row in summary]
    complete = [(query_id, unit.value) for query_id in query_ids for unit in UNITS_IN_ORDER]
    require(
        listed == complete,
        "{path} does not have one row per query and unit, in order",
        path=EPSILON_SUMMARY.path,
    )
    asked = sorted(row["statistic"] for row in summary if row["unit"] == UNITS_IN_ORDER[0].value)
    tables = folder.statistics
    require(
        asked == sorted(key for key in tables if published_statistics()[key].beside not in tables),
        "{path} and the data files have different statistics",
        path=EPSILON_SUMMARY.path,
    )
    for unit in UNITS_IN_ORDER:
        of_unit = [row for row in summary if row["unit"] == unit.value]
        _check_sums(of_unit, unit, statement)
        _check_cumulative(of_unit, unit, statement)
    for row in summary:
        table = tables[row["statistic"]]
        _check_headline(row, table, rows_of(table, folder), statement)
    return text_of(
        "{counted_queries_add} up to the charge of every unit ({relations})",
        counted_queries_add=count_of(len(query_ids), "query adds", "queries add"),
        relations=_RELATIONS[statement.relation],
    )


def _check_sums(rows: list[TableRow], unit: Unit, statement: PrivacyStatement) -> None:
    """Pure epsilon and rho of a unit's rows add up, exactly; epsilons are what they come to at delta."""
    wrong = text_of("the epsilons of {value} do not add up to the charge", value=unit.value)
    parts = statement.parts
    if parts is None:
        require("rho" not in rows[0], "{privacy} states no rho")
        require(_sum(row["epsilon"] for row in rows) == statement.charges[unit], wrong)
        return
    require("rho" in rows[0], "{path} states no rho", path=EPSILON_SUMMARY.path)
    require(_sum(row["epsilon_pure"] for row in rows) == parts.pure[unit], wrong)
    require(_sum(row["rho"] for row in rows) == parts.rho[unit], wrong)
    own = parts.of(unit, statement.conversion)
    require(own.may_be(epsilon=statement.charges[unit], mu=None, power=None), wrong)
    for row in rows:
        same = Decimal(row["delta"]) == parts.delta
        require(same, "{path} and {privacy} state different deltas", path=EPSILON_SUMMARY.path)
        loss = PrivacyLoss(Decimal(row["epsilon_pure"]), Decimal(row["rho"]))
        of_query = StatedLoss(loss, parts.delta, _formula(statement, row))
        require(
            of_query.may_be(epsilon=Decimal(row["epsilon"]), mu=None, power=None),
            "the epsilon of {row} for {value} does not follow from its parts",
            row=row["query_id"],
            value=unit.value,
        )


def _formula(statement: PrivacyStatement, row: TableRow) -> str:
    """What the epsilons of a query are stated by; row: of the summary."""
    named = (query.formula for query in statement.stated.queries if query.query_id == row["query_id"])
    return next(named, RUNNING)


def _check_cumulative(rows: list[TableRow], unit: Unit, statement: PrivacyStatement) -> None:
    """All releases so far have one total, which is no less than the charge of this one.

    With Gaussian noise in any of them: epsilon is what all of them come to, this one included.
    """
    own, parts, total = statement.parts, statement.cumulative_parts, statement.cumulative[unit]
    require(
        {Decimal(row["epsilon_cumulative"]) for row in rows} == {total},
        "{path} and {privacy} state different epsilons of {value} over all releases",
        path=EPSILON_SUMMARY.path,
        value=unit.value,
    )
    require(
        total >= statement.charges[unit],
        "the epsilon of {value} over all releases is less than this one alone costs",
        value=unit.value,
    )
    wrong = text_of(
        "the epsilon of {value} over all releases does not follow from its parts", value=unit.value
    )
    if parts is None:
        require(own is None, "{privacy} states no delta of all releases")
        return
    require(total == parts.epsilon(unit), wrong)
    least = statement.charges[unit] if own is None else own.pure[unit]
    rho = Decimal(0) if own is None else own.rho[unit]
    delta = parts.delta if own is None else own.delta
    # per day the costliest date counts, whose parts need not each be the larger ones
    whole = unit is Unit.VEHICLE and (parts.pure[unit] < least or parts.rho[unit] < rho)
    require(delta == parts.delta and not whole, wrong)


def _check_headline(
    headline: TableRow, table: DataTable, rows: list[TableRow], statement: PrivacyStatement
) -> None:
    """max eps_g <= headline <= sum eps_g; where a unit's days add up, up to `days` times the sum, of Gaussian
    noise HAT by HAT up to the square of that. Exact epsilons of rho have no such sum.

    The lines of one hexagon slot state its epsilon for all of them together.
    """
    used = {row["mechanism"] for row in rows}
    require(used <= {headline["mechanism"]}, "{path} names another mechanism", path=table.path)
    amounts: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        if row["status"] != SUPPRESSED:
            amounts.setdefault(tuple(row[name] for name in table.place), set()).add(row["epsilon"])
    require(
        all(len(stated) == 1 for stated in amounts.values()),
        "{path} states two epsilons for one hexagon slot",
        path=table.path,
    )
    if statement.relation is Relation.USER:
        return  # charges follow from the constants, whatever rows are published: `verify_bounding` has them
    each = [amount for stated in amounts.values() for amount in stated]
    times = 1 if headline["unit"] == statement.unit.value else statement.days
    mechanism = all_mechanisms().get(headline["mechanism"])
    if Decimal(headline.get("rho", "0")) and not (mechanism and mechanism.joint):
        times **= 2  # of Gaussian noise HAT by HAT
    most = _sum(each, times=times)
    least = max(map(Decimal, each), default=Decimal(0))
    exact = _formula(statement, headline) == BY_PROFILE and Decimal(headline.get("rho", "0"))
    require(
        least <= Decimal(headline["epsilon"]) and (bool(exact) or Decimal(headline["epsilon"]) <= most),
        "the epsilon of {headline} does not fit the epsilons of the rows",
        headline=headline["unit"],
    )


def _is_place(row: TableRow, statement: PrivacyStatement) -> bool:
    kind = statement.place.place_kind
    if "place_id" in row or not statement.place.hexagons:
        place = row.get("place_id", "")
        # names of zones stand beside their outlines
        named = kind == ZONED or row.get("place_name") == place_name(kind, place)
        named = named and (kind != WHOLE or place == WHOLE_ID)
        return not statement.place.hexagons and named and _is_slot(row, statement)
    cell = row["h3_cell"]
    return (
        h3.is_valid_cell(cell)
        and h3.get_resolution(cell) in statement.place.resolutions(statement.resolution)
        and row["h3_resolution"] == str(h3.get_resolution(cell))
        and _is_slot(row, statement)
    )


def _is_slot(row: TableRow, statement: PrivacyStatement) -> bool:
    """A slot of the window, counted from its start, or one of its periods."""
    if statement.periods:
        return is_period(row, statement)
    start, end = _minutes(row["slot_start"]), _minutes(row["slot_end"])
    first, last = statement.hours
    return (
        first <= start
        and end <= last
        and end - start == statement.slot_minutes
        and (start - first) % statement.slot_minutes == 0
        and PERIOD.name not in row
    )


def _is_value(row: TableRow, statistic: AnyStatistic, statement: PrivacyStatement) -> bool:
    epsilon = Decimal(row["epsilon"])
    published = row["status"] != SUPPRESSED
    return (
        (bool(epsilon) is published or (statement.relation is Relation.USER and not published))
        and all(
            _is_measure(
                row, measure, statement, published=published and not _is_left_out(row, measure, statistic)
            )
            for measure in statistic.all_measures
            if measure.name in row
        )
        and all(_fits_unclamped(row, measure, statistic, statement) for measure in statistic.measures)
        and all(_fits_deviation(row, measure, statement) for measure in statistic.measures)
        and (
            row["status"] != NO_INFORMATION
            or any(_is_range(row, one, statement) for one in statistic.measures)
        )
    )


def _is_left_out(row: TableRow, measure: Measure, statistic: AnyStatistic) -> bool:
    """Whether a row of another kind has no such number: nothing is smoothed there."""
    return measure is statistic.smoothed and statistic.label is not None and statistic.label.is_word(row)


def _is_measure(row: TableRow, measure: Measure, statement: PrivacyStatement, *, published: bool) -> bool:
    names = (measure.name, measure.low, measure.high)
    if not published:
        return not any(row.get(name) for name in (*names, measure.bias or measure.suppression_bias))
    if not all(row[name] for name in names):
        return False
    value, low, high = (Decimal(row[name]) for name in names)
    least, largest = _ends(measure, statement)
    return least <= low <= value <= high and (largest is None or high <= largest)


def _fits_unclamped(
    row: TableRow, measure: Measure, statistic: AnyStatistic, statement: PrivacyStatement
) -> bool:
    """Whether a published value is the noisy one, cut to its range, where a row tells both.

    Of numbers that are fitted to one another, only whether the cut one lies in the interval.
    """
    noisy = row.get(measure.unclamped, "") if measure.unclamped else ""
    if not noisy:
        return measure.unclamped not in row or row["status"] == SUPPRESSED
    least, largest = _ends(measure, statement)
    cut = max(least, min(Decimal(noisy), largest or Decimal(noisy)))
    if statistic.label is not None and not statistic.label.end:
        return Decimal(row[measure.low]) <= cut and (largest is None or cut <= Decimal(row[measure.high]))
    return Decimal(row[measure.name]) == cut


def _fits_deviation(row: TableRow, measure: Measure, statement: PrivacyStatement) -> bool:
    """Whether an interval is as wide as the stated deviation says, as far as it was not cut; of means.

    A sum of a Laplace and a normal number is between 1.96 and 2.12 of them wide, to each side.
    """
    stated = row.get(measure.deviation, "") if measure.largest == UPPER_BOUND else ""
    if not stated or not row[measure.unclamped]:
        return measure.deviation not in row or measure.largest != UPPER_BOUND or row["status"] == SUPPRESSED
    noisy, low, high = (float(row[name]) for name in (measure.unclamped, measure.low, measure.high))
    least, most = (float(end) for end in _ends(measure, statement) if end is not None)
    off = 10.0**-measure.decimals
    factors = reach_in_deviations(gaussian=False, tile=False)
    shortest, longest = (
        factor * (float(stated) + side * off) + 3 * side * off
        for factor, side in zip(factors, (-1, 1), strict=True)
    )
    if row["status"] == NO_INFORMATION:
        return noisy + shortest <= least or noisy - shortest >= most
    return max(least, noisy - longest) <= low <= max(least, noisy - shortest) and min(
        most, noisy + shortest
    ) <= high <= min(most, noisy + longest)


def _is_range(row: TableRow, measure: Measure, statement: PrivacyStatement) -> bool:
    """Whether the interval leaves everything open."""
    least, largest = _ends(measure, statement)
    return Decimal(row[measure.low]) == least and largest in (None, Decimal(row[measure.high]))


def _ends(measure: Measure, statement: PrivacyStatement) -> tuple[Decimal, Decimal | None]:
    """The smallest and the largest value of a measure, in its unit; None where there is no largest."""
    least, largest = measure.range_for(statement.span)
    unit = -measure.decimals
    return Decimal(least).scaleb(unit), None if largest is None else Decimal(largest).scaleb(unit)


def _is_centred(row: TableRow, statistic: AnyStatistic, statement: PrivacyStatement) -> bool:
    """Relation `values`: whether each interval with neither end at a bound is symmetric about its value."""
    if not statistic.centred or statement.relation is not Relation.VALUES or row["status"] == SUPPRESSED:
        return True
    bounds = {Decimal(statement.lower), Decimal(statement.upper)}
    for measure in statistic.measures:
        value, low, high = (Decimal(row[name]) for name in (measure.name, measure.low, measure.high))
        most = Decimal(_ASYMMETRY).scaleb(-measure.decimals)
        if not bounds & {low, high} and abs((value - low) - (high - value)) > most:
            return False
    return True


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def _sum(amounts: Iterable[str], *, times: int = 1) -> Decimal:
    """`times` the exact sum; raises Inexact rather than round."""
    with localcontext(prec=_DIGITS) as context:
        context.traps[Inexact] = True
        return sum(map(Decimal, amounts), Decimal(0)) * times
