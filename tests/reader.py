"""A reader of a bundle with public counts at hand, who works charges and noise scales out again.

Nothing here comes from the program: what a HAT costs, and how much noise it got, must follow from what
`privacy.json` states, from the counts, and from the documents.
"""

from __future__ import annotations

import csv
import datetime as dt
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_DOWN, Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import h3
import numpy as np
from scipy.optimize import brentq
from scipy.special import erfcx

Hat = tuple[str, str]
"""Cell, and start of the slot."""
Json = Mapping[str, Any]
_STEP = Decimal("0.000001")


@dataclass
class Counts:
    """What relation `values` leaves public of one HAT."""

    days: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    """Vehicle -> date -> records."""
    visits: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def records(self, vehicle: str) -> int:
        return sum(self.days[vehicle].values())

    @property
    def pairs(self) -> int:
        return sum(map(len, self.days.values()))

    @property
    def most_days(self) -> int:
        return max(map(len, self.days.values()))


def count(records: Path, statement: Json) -> dict[Hat, Counts]:
    """The counts of every HAT in the window, from the records' columns `vehicle, time, lat, lon`."""
    found: dict[Hat, Counts] = defaultdict(Counts)
    resolution, minutes = statement["grid"]["h3_resolution"], statement["grid"]["slot_minutes"]
    first, last = (int(text[:2]) * 60 + int(text[3:]) for text in statement["period"]["hours"])
    before: dict[tuple[str, str], Hat | None] = {}
    with records.open(encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: (row["vehicle"], row["time"]))
    for row in rows:
        clock = dt.datetime.fromisoformat(row["time"])
        date, minute = clock.date().isoformat(), clock.hour * 60 + clock.minute
        inside = first <= minute < last
        start = minute - (minute - first) % minutes
        cell = h3.latlng_to_cell(float(row["lat"]), float(row["lon"]), resolution)
        hat = (cell, f"{start // 60:02d}:{start % 60:02d}") if inside else None
        if hat is not None:
            found[hat].days[row["vehicle"]][date] += 1
            found[hat].visits[row["vehicle"]] += before.get((row["vehicle"], date)) != hat
        before[row["vehicle"], date] = hat
    return found


def selected(counts: Mapping[Hat, Counts], statement: Json) -> list[Hat]:
    """The HATs that are published while nobody is suppressed: rule `hat` and the least number of vehicles."""
    rule, days = statement["selection"], statement["period"]["days"]
    assert rule["rule"] == "hat"
    return [
        hat
        for hat, one in sorted(counts.items())
        if one.pairs >= days * rule["threshold"] and len(one.days) >= rule["minimum_vehicles"]
    ]


@dataclass(frozen=True)
class Worked:
    """What the reader makes of one query whose protected unit is a vehicle."""

    epsilons: dict[Hat, Decimal]
    scales: dict[Hat, tuple[tuple[float, float], ...]]
    """Of each HAT and measure: sensitivity and noise scale."""
    suppression: tuple[int, int] | None
    charges: dict[str, Decimal]


Kept = dict[Hat, list[str]]
"""Who stays in each HAT."""


def work_out(query: Json, statement: Json, counts: Mapping[Hat, Counts], order: Sequence[str] = ()) -> Worked:
    """Epsilons, scales and charges of a query; order: in which users of equal count are suppressed."""
    assert statement["privacy_unit"] == "vehicle"
    made = query["made_by"]
    retained: Kept = {hat: sorted(counts[hat].days) for hat in selected(counts, statement)}
    hat_scales = _SCALES[query["mechanism"]](query, statement, counts)
    epsilons, suppression = _divided(query, retained, hat_scales), None
    if made["parameters"].get("suppress_users"):
        before = _most_hats(retained)
        retained = _suppressed(query, statement, counts, retained, epsilons, order)
        suppression = before, _most_hats(retained)
        epsilons = _divided(query, retained, hat_scales)
    scales = {hat: hat_scales(hat, retained[hat], epsilons[hat]) for hat in retained}
    return Worked(epsilons, scales, suppression, _charges(epsilons, retained, counts))


HatScales = Callable[[Hat, list[str], Decimal], tuple[tuple[float, float], ...]]


def _most_hats(retained: Kept) -> int:
    return max(
        sum(vehicle in users for users in retained.values()) for vehicle in set().union(*retained.values())
    )


def _divided(query: Json, retained: Kept, scales: HatScales) -> dict[Hat, Decimal]:
    ((asked, text),) = query["made_by"]["asked"].items()
    amount, division = Decimal(text), query["budget_division"]
    if asked == "epsilon":
        return dict.fromkeys(retained, amount)
    if division == "equal":
        return dict.fromkeys(retained, _down(amount / _most_hats(retained)))
    # sensitivities at an epsilon that is large enough for every share, in units of the first measure
    c = {hat: _weight(query, scales(hat, users, Decimal(1000))) for hat, users in retained.items()}
    if asked == "noise_scale":
        return {hat: _down(Decimal(one) / amount) for hat, one in c.items()}
    vehicles = set().union(*retained.values())
    most = max(sum(c[hat] for hat, users in retained.items() if vehicle in users) for vehicle in vehicles)
    return {hat: _down(Decimal(one / most) * amount) for hat, one in c.items()}


def _weight(query: Json, scales: tuple[tuple[float, float], ...]) -> float:
    """c of a HAT: what its noise is over epsilon."""
    if query["statistic"] == "mean_variance":
        (mean, _), (variance, _) = scales
        return mean + variance / 65.0
    parameters = query["made_by"]["parameters"]
    several = "limits" in parameters and not parameters["histogram"]
    return scales[0][0] * (len(parameters["limits"]) if several else 1)


def _down(amount: Decimal) -> Decimal:
    """To a step of 1e-6; what lies within 1e-12 of a step is the step below, as floats have it."""
    return (amount * (1 - Decimal("1e-12"))).quantize(_STEP, ROUND_DOWN)


def _charges(
    epsilons: Mapping[Hat, Decimal], retained: Kept, counts: Mapping[Hat, Counts]
) -> dict[str, Decimal]:
    vehicle: dict[str, Decimal] = defaultdict(Decimal)
    day: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for hat, users in retained.items():
        for user in users:
            vehicle[user] += epsilons[hat]
            for date in counts[hat].days[user]:
                day[user, date] += epsilons[hat]
    return {
        "vehicle-hat-day": max(epsilons.values()),
        "vehicle-day": max(day.values()),
        "vehicle": max(vehicle.values()),
    }


# what pure epsilon and rho come to

BY_PROFILE = "gaussian-profile-1"
_ORDERS = ("1.25", "1.5", "2", "3", "5", "9", "17", "33")


def converted(pure: Decimal, rho: Decimal, delta: Decimal) -> Decimal:
    """The conversion that the documents give, in a hundred digits, rounded up to a step of 1e-6."""
    if not rho:
        return pure
    with localcontext(prec=100):
        found = []
        for a in map(Decimal, _ORDERS):
            logs = (len(_ORDERS) / delta).ln() - (a - 1).ln() + a * (1 - 1 / a).ln()
            found.append(a * rho + logs / (a - 1))
        return (pure + max(min(found), Decimal(0))).quantize(_STEP, ROUND_CEILING)


def accounted(statement: Json, summary: Sequence[Mapping[str, str]]) -> bool:
    """Whether each epsilon of a bundle follows from pure epsilon and rho, and these add up over queries."""
    delta = Decimal(statement["headline"]["delta"])
    for unit, charge in statement["charges"].items():
        rows = [row for row in summary if row["unit"] == unit]
        pure, rho = (sum(Decimal(row[name]) for row in rows) for name in ("epsilon_pure", "rho"))
        own = converted(pure, rho, delta) == Decimal(charge)
        each = all(
            converted(Decimal(row["epsilon_pure"]), Decimal(row["rho"]), delta) == Decimal(row["epsilon"])
            for row in rows
        )
        told = (Decimal(statement[f"cumulative_{part}"][unit]) for part in ("pure", "rho"))
        everything = converted(*told, Decimal(statement["cumulative_delta"]))
        if not (own and each and {Decimal(row["epsilon_cumulative"]) for row in rows} == {everything}):
            return False
    return True


# how much noise a HAT gets, by mechanism


def _upper(statement: Json) -> float:
    return float(statement["bounds"]["upper"])


def _cap(rule: str | int, counts: Sequence[int]) -> int:
    """m_UB by its rule; counts never rise."""
    if rule == "median":
        return counts[math.ceil(len(counts) / 2) - 1]
    if rule == "sqrt":
        return max(sorted(set(counts)), key=lambda m: sum(min(one, m) for one in counts) / math.sqrt(m))
    assert isinstance(rule, int)
    return min(rule, counts[0])


def _sizes(users: Sequence[str], one: Counts) -> list[int]:
    return sorted((one.records(user) for user in users), reverse=True)


def _array_averaging(query: Json, statement: Json, counts: Mapping[Hat, Counts]) -> HatScales:
    parameters = query["made_by"]["parameters"]
    assert parameters["grouping"] == "bestfit"

    def scales(hat: Hat, users: list[str], epsilon: Decimal) -> tuple[tuple[float, float], ...]:
        sizes = _sizes(users, counts[hat])
        cap = _cap(parameters["m_ub"], sizes)
        arrays: list[int] = []
        for size in (min(one, cap) for one in sizes):
            fitting = [place for place, held in enumerate(arrays) if held + size <= cap]
            if fitting:
                arrays[max(fitting, key=lambda place: (arrays[place], -place))] += size
            else:
                arrays.append(size)
        sensitivity = _upper(statement) / len(arrays)
        return ((sensitivity, sensitivity / float(epsilon)),)

    return scales


def _two_step(_query: Json, statement: Json, counts: Mapping[Hat, Counts]) -> HatScales:
    upper = _upper(statement)
    unit = upper / 65.0
    assert _query["made_by"]["dwell_correction"]

    def scales(hat: Hat, users: list[str], epsilon: Decimal) -> tuple[tuple[float, float], ...]:
        one, eps = counts[hat], float(epsilon)
        m = np.array([one.records(user) for user in users], float)
        h = np.log(m / np.array([one.visits[user] for user in users]))
        w = m / m.sum()
        assert len(users) * eps < 90 or m.sum() < 3 * len(users), "LINEAR"
        best: tuple[float, float] | None = None
        for cap in np.geomspace(1 / len(users), max(1.0001 / len(users), w.max()), 25):
            a = _water_filled(w, cap)
            d = a - w
            asked = 1.0 - 0.3 * float(d @ h)
            lean = (7.2 if asked < 0.8 else 4.0) * (d @ h)
            divisor = max(0.8, asked)
            bias = math.sqrt(d**2 @ (25.0 + 324.0 / m) + lean**2)
            error = _expected(upper * a.max() / divisor / eps, unit * bias)
            if best is None or error < best[0] * (1 - 1e-12):
                best = error, upper * float(a.max()) / divisor
        assert best is not None
        sensitivity = best[1]
        return ((sensitivity, sensitivity / eps),)

    return scales


def _water_filled(w: np.ndarray, cap: float) -> np.ndarray:
    """`min(cap, theta w)`, summing to 1."""
    if cap * w.size <= 1.0:
        return np.full(w.size, 1.0 / w.size)
    low, high = 1.0, cap / w.min()
    for _ in range(200):
        theta = (low + high) / 2.0
        low, high = (theta, high) if np.minimum(cap, theta * w).sum() < 1.0 else (low, theta)
    return np.minimum(cap, high * w)


def _expected(scale: float, bias: float) -> float:
    """E|Lap(scale) + N(0, bias)|."""
    if bias == 0.0:
        return scale
    return bias * math.sqrt(2 / math.pi) + scale * float(erfcx(bias / scale / math.sqrt(2)))


def _moments(n: int, k: int, upper: float) -> tuple[float, float]:
    """Sensitivities of mean and variance."""
    variance = Fraction(k * (n - k), n * n) if n > 2 * k else _widest(n)
    return upper * k / n, upper**2 * float(variance)


def _widest(n: int) -> Fraction:
    return Fraction(1, 4) if n % 2 == 0 else Fraction(1, 4) * (1 - Fraction(1, n * n))


def _mean_variance(query: Json, statement: Json, counts: Mapping[Hat, Counts]) -> HatScales:
    rule = query["made_by"]["parameters"]["m_ub"]

    def scales(hat: Hat, users: list[str], epsilon: Decimal) -> tuple[tuple[float, float], ...]:
        sizes = _sizes(users, counts[hat])
        cap = _cap(rule, sizes)
        retained = [min(one, cap) for one in sizes]
        found = _moments(sum(retained), retained[0], _upper(statement))
        return tuple((one, one / (float(epsilon) / 2)) for one in found)

    return scales


def _query1(_query: Json, statement: Json, counts: Mapping[Hat, Counts]) -> HatScales:
    def scales(hat: Hat, _: list[str], epsilon: Decimal) -> tuple[tuple[float, float], ...]:
        sensitivity = _upper(statement) * counts[hat].most_days / counts[hat].pairs
        return ((sensitivity, sensitivity / float(epsilon)),)

    return scales


def _query2(query: Json, statement: Json, counts: Mapping[Hat, Counts]) -> HatScales:
    parameters = query["made_by"]["parameters"]

    def scales(hat: Hat, _: list[str], epsilon: Decimal) -> tuple[tuple[float, float], ...]:
        moved = counts[hat].most_days / statement["period"]["days"]
        if parameters["histogram"]:
            return ((2 * moved, 2 * moved / float(epsilon)),)
        share = (epsilon / len(parameters["limits"])).quantize(_STEP, ROUND_DOWN)
        return ((moved, moved / float(share)),)

    return scales


def _cdf(query: Json, _statement: Json, counts: Mapping[Hat, Counts]) -> HatScales:
    made = query["made_by"]
    levels = len(made["details"]["branching_factors"])

    def scales(hat: Hat, users: list[str], epsilon: Decimal) -> tuple[tuple[float, float], ...]:
        sizes = _sizes(users, counts[hat])
        if made["parameters"]["weights"] == "user":
            weights = [one * (2**20 // one) for one in sizes]
        else:
            cap = _cap(made["parameters"]["m_ub"], sizes)
            weights = [min(one, cap) for one in sizes]
        moved = 2 * max(weights) / sum(weights)
        level = (epsilon / levels).quantize(_STEP, ROUND_DOWN)
        return ((moved * levels, moved / float(level)),)

    return scales


_SCALES: dict[str, Callable[[Json, Json, Mapping[Hat, Counts]], HatScales]] = {
    "array-averaging": _array_averaging,
    "two-step-clipping": _two_step,
    "mean-variance": _mean_variance,
    "query1": _query1,
    "query2": _query2,
    "cdf": _cdf,
}


# who leaves where, for mean and variance


def _suppressed(
    query: Json,
    statement: Json,
    counts: Mapping[Hat, Counts],
    retained: Kept,
    epsilons: Mapping[Hat, Decimal],
    order: Sequence[str],
) -> Kept:
    """Rounds in which each user who is in the most HATs leaves the one that misses it least."""
    rule, upper = query["made_by"]["parameters"]["m_ub"], _upper(statement)
    all_records = {hat: sum(_sizes(users, counts[hat])) for hat, users in retained.items()}

    def error(hat: Hat, users: list[str]) -> float:
        sizes = _sizes(users, counts[hat])
        cap = _cap(rule, sizes)
        n, m = sum(min(one, cap) for one in sizes), all_records[hat]
        mean, variance = _moments(n, min(sizes[0], cap), upper)
        bias = Fraction(n * (m - n), m * m) if m < 2 * n else _widest(m)
        noise = 2 * (mean + variance / upper) / float(epsilons[hat])
        return upper * (1 - n / m) + upper * float(bias) + noise

    threshold = min(upper / 2 + upper / 8, max(error(hat, users) for hat, users in retained.items()))
    retained = {hat: list(users) for hat, users in retained.items()}
    while True:
        most = _most_hats(retained)
        after = {hat: list(users) for hat, users in retained.items()}
        for user in order:
            held = [hat for hat, users in retained.items() if user in users]
            if len(held) < most:
                continue
            left = {
                hat: error(hat, [one for one in after[hat] if one != user])
                for hat in held
                if user in after[hat] and len(after[hat]) > 1
            }
            best = min(left, key=lambda hat: left[hat], default=None)
            if best is None or left[best] > threshold:
                return retained
            after[best].remove(user)
        retained = after


def orders(vehicles: Sequence[str], seeds: int) -> list[list[str]]:
    """Some orders of the vehicles: the true one is known to the publisher alone."""
    shuffled = [np.random.default_rng(seed).permutation(sorted(vehicles)).tolist() for seed in range(seeds)]
    return list(itertools.chain([sorted(vehicles)], shuffled))


# relation user: everything follows from constants, and from the prices of plan and enforce


@dataclass(frozen=True)
class Bounded:
    """What the reader makes of one query of relation `user`."""

    epsilons: list[Decimal]
    """Of each candidate, in the order of the rows."""
    scales: list[tuple[float, float]]
    """Sensitivity and noise scale of the first measure, of each listed candidate."""
    weight_scale: float | None
    """The largest of the noise on a weight."""
    charges: dict[str, Decimal]
    """Unit -> pure epsilon, or rho."""
    least: list[float]
    """What a weight is taken for at least where it divides, of each listed candidate."""


def bounded(query: Json, statement: Json) -> Bounded:
    """Charges, epsilons of rows and scales of a query, by what the statement says of it alone."""
    told, made = query["bounding"], query["made_by"]
    spend, gauss = Decimal(told["spend_per_unit"]), told["noise"] == "gauss"
    assert _spent_for(Decimal(made["asked"]["total"]), spend, Decimal(query["delta"]), gauss)
    hats = min(told["hats_per_vehicle"], told["candidate_hats"])
    days = told.get("days_per_vehicle", 1)
    priced = "enforcement" in told
    drops = days < statement["period"]["days"] and "days_per_vehicle" in told
    together = priced or drops or told.get("derived_speed", False)
    charged = _charged(statement, spend, gauss, None if together else hats)
    if priced:
        return _priced(query, statement, spend, gauss, charged)
    level, moved = float(spend), math.sqrt(hats) * days if gauss else float(hats * days)
    weight_scale: float | None = None
    match query["mechanism"]:
        case "bounded-mean" | "query1":
            weight_scale = _noise(moved, level / 2, gauss)
            sensitivity = moved * _upper(statement) / 2
            scale = _noise(sensitivity, level / 2, gauss)
        case "query2":
            numbers = 1 if made["parameters"]["histogram"] else len(made["parameters"]["limits"])
            sensitivity = moved * (math.sqrt(numbers) if gauss else numbers) / statement["period"]["days"]
            scale = _noise(sensitivity, level, gauss)
        case "cdf":
            factors = made["details"]["branching_factors"]
            sensitivity = moved * (made["parameters"]["m_ub"] if told["weight"] == "capped_records_dp" else 1)
            scale = _noise(sensitivity, level / (len(factors) + 1), gauss)
            weight_scale = math.sqrt(_total_variance(factors, scale**2 * (1 if gauss else 2)))
        case other:
            raise AssertionError(other)
    rows = told["candidate_hats"]
    epsilon = _as_epsilon(_above(spend / hats, gauss), query, gauss)
    return Bounded([epsilon] * rows, [(sensitivity, scale)] * rows, weight_scale, charged, [1.0] * rows)


def _priced(
    query: Json, statement: Json, spend: Decimal, gauss: bool, charged: dict[str, Decimal]
) -> Bounded:
    told, details = query["bounding"]["enforcement"], query["made_by"]["details"]
    caps, prices = ([int(one) for one in told[name].split()] for name in ("record_caps", "record_prices"))
    first, second = details["parts_of_sums_and_weights"]
    tokens = details["tokens_of_a_vehicle"]
    shares = query["statistic"] == "share"
    many = details["most_ranges_that_hold_a_record"] if shares else 1
    whole = math.hypot(math.sqrt(many) * first, second) if gauss else many * first + second
    record = [price / 2**20 for price in prices if price]
    noise = _noise(whole * tokens, float(spend), gauss)
    half, of_sum, of_weight = 1 if shares else _upper(statement) / 2, noise / first, noise / second
    epsilons = []
    for cap, price in zip(caps, prices, strict=True):
        share = Fraction(max(min(cap * price >> 20, tokens), 1), tokens) if price else Fraction(0)
        part = share**2 if gauss else share
        amount = _above(spend * part.numerator / part.denominator, gauss)
        epsilons.append(_as_epsilon(amount, query, gauss))
    return Bounded(
        epsilons,
        [(many * half * tokens / one, half * of_sum / one) for one in record],
        max(of_weight / one for one in record),
        charged,
        [max(1 / told["load"], 2 * of_weight / one) for one in record],
    )


def _charged(statement: Json, spend: Decimal, gauss: bool, hats: int | None) -> dict[str, Decimal]:
    """hats: over which what a unit sends in one HAT decides about that HAT alone; None: about all of it."""
    days, replaced = statement["period"]["days"], spend * (4 if gauss else 2)
    part = replaced if hats is None else _above(replaced / hats, gauss)
    if statement["privacy_unit"] == "vehicle":
        return {"vehicle": spend, "vehicle-day": spend if days == 1 else replaced, "vehicle-hat-day": part}
    return {
        "vehicle": spend * (days**2 if gauss else days),
        "vehicle-day": spend,
        "vehicle-hat-day": part,
    }


def _spent_for(total: Decimal, spend: Decimal, delta: Decimal, gauss: bool) -> bool:
    """All of a total, or the largest rho that it buys."""
    if not gauss:
        return spend == total
    return converted(Decimal(0), spend, delta) <= total < converted(Decimal(0), spend + _STEP, delta)


def _noise(sensitivity: float, spend: float, gauss: bool) -> float:
    return sensitivity / (math.sqrt(2 * spend) if gauss else spend)


def _above(amount: Decimal, gauss: bool) -> Decimal:
    """To a step of epsilon, or of rho."""
    return amount.quantize(Decimal("1e-12") if gauss else _STEP, ROUND_CEILING)


def _as_epsilon(amount: Decimal, query: Json, gauss: bool) -> Decimal:
    """By the formula that the query names."""
    if not gauss:
        return amount
    if query["conversion"] == BY_PROFILE:
        return exact(amount, Decimal(query["delta"]))
    return converted(Decimal(0), amount, Decimal(query["delta"]))


def exact(rho: Decimal, delta: Decimal) -> Decimal:
    """The least epsilon by the profile of Gaussian noise (method 13.8), to within 3e-6."""
    mu, least = math.sqrt(2 * float(rho)), float(delta) / (1 + 1e-6)

    def too_much(epsilon: float) -> float:
        low, high = ((epsilon / mu + side * mu / 2) / math.sqrt(2) for side in (-1, 1))
        return math.exp(-(low**2)) * (erfcx(low) - erfcx(high)) / 2 - least

    return Decimal(brentq(too_much, 0.0, 100.0, xtol=1e-12) + 1e-6).quantize(_STEP, ROUND_CEILING)


def _total_variance(factors: Sequence[int], variance: float) -> float:
    """Of the best estimate of a root from its own noisy number and those of its children, and so on."""
    below = math.inf
    for factor in (*reversed(factors), 1):
        below = 1 / (1 / variance + (0.0 if math.isinf(below) else 1 / below))
        below *= factor
    return below


def interval_of(
    mean: float,
    weight: float,
    scales: tuple[float, float],
    gauss: bool,
    upper: float,
    middle: float | None = None,
) -> Any:
    """Both extremes of `middle + S / W` while either noise stays within reach; None where W may be none.

    mean: of a HAT whose weight is above its least; scales: of the noise on S, and on W; upper: U; middle:
    what sums are taken around, None: half of U.
    """
    middle = upper / 2 if middle is None else middle
    reach = [2.2414 * one if gauss else one * math.log(40) for one in scales]
    low, high = weight - reach[1], weight + reach[1]
    if low <= 0:
        return None
    total = (mean - middle) * weight
    ends = [middle + (total + sign * reach[0]) / divisor for sign in (-1, 1) for divisor in (low, high)]
    return max(min(ends), 0.0), min(max(ends), upper)


def half_widths_of_limits(query: Json, statement: Json, noise_scale: float) -> list[float]:
    """Of each limit's interval, vehicles per day: 95 % of all noise that its answer is the sum of.

    noise_scale: of one noisy number, vehicles per day.
    """
    parameters, days = query["made_by"]["parameters"], statement["period"]["days"]
    limits = len(parameters["limits"])
    terms = range(limits, 0, -1) if parameters["histogram"] else [1] * limits
    if query["bounding"]["noise"] == "gauss":
        return [1.959964 * noise_scale * math.sqrt(one) for one in terms]
    return [_within(noise_scale * days, one) / days for one in terms]


def _within(scale: float, terms: int) -> int:
    """The least h with P(|sum of discrete Laplace variables| <= h) >= 0.95, from their law."""
    numbers = np.arange(-_FAR, _FAR + 1)
    law = math.tanh(0.5 / scale) * np.exp(-np.abs(numbers) / scale)
    whole = np.ones(1)
    for _ in range(terms):
        whole = np.convolve(whole, law)
    middle = whole.size // 2
    held = np.cumsum(np.concatenate(([whole[middle]], 2 * whole[middle + 1 :])))
    return int(np.argmax(held >= 0.95))


_FAR = 400
"""Beyond it no noise of a test's release has any weight."""
_BAND = 2.16


def band_of(
    factors: Sequence[int], variance: float, total: float, ends: tuple[float, float], place: int
) -> tuple[float, float]:
    """What an interval of a share has to be, given the middle of it and the HAT's noisy total.

    factors: of the tree, whose root and nodes have noise of this variance; place: how many bins the share
    is of. All p with `|S - p T| <= 2.16 sd(S - p T)`, by least squares over all noisy numbers, written out.
    """
    bins, spans = math.prod(factors), itertools.accumulate(factors, lambda one, two: one * two, initial=1)
    rows = [np.repeat(np.eye(nodes), bins // nodes, axis=1) for nodes in spans]
    design = np.concatenate(rows)
    known = np.linalg.inv(design.T @ design) * variance
    first, whole = (np.arange(bins) < place).astype(float), np.ones(bins)
    of_sum, of_total, both = first @ known @ first, whole @ known @ whole, first @ known @ whole
    a = total**2 - _BAND**2 * of_total
    middle = sum(ends) / 2
    found = (middle * a + _BAND**2 * both) / total
    half = math.sqrt(max(middle**2 - (found**2 - _BAND**2 * of_sum) / a, 0.0))
    return middle - half, middle + half
