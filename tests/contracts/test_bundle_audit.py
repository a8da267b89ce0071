"""Audits of whole bundles of relation `user`: what every byte of them betrays of one unit (method 17.3).

The adversary knows both neighbours, the constants and all other vehicles. It sees bundles with the noise of a
release: their files, sizes, rows, columns, digits and keys; and it looks at the likeliest place of all, the
noisy sum and weight of the HAT where the neighbours differ.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from core.accounting.ledger import LedgerReservation
from core.bounding.bounding import bounded_rows
from core.contributions import pairs_of
from core.keys.signing_key import SigningKey, generate_key
from core.noise.secure import SecureNoise
from core.progress import silent
from core.release import draw as drawing
from core.release.bundle import bundle_files
from core.release.prepared import Prepared, request_for
from tests.audit_table import WHOLE, Audits
from tests.bundle_features import (
    Files,
    Numbers,
    certified_from_bundles,
    certified_from_numbers,
    numbers_of,
    numbers_of_file,
)
from tests.fakes import FakeReservation
from tests.taxis import BY_DAY, CELLS, NOW, RAW, Ping, ledger_in, planned, write_taxis

ALPHA = 1e-6
FEW, AT_ONCE, MANY = 100, 140, 3_000
"""Bundles of each neighbour: in the normal suite, and in `make audit`."""
KEY = bytes(32)
TABLE = "data/speed_by_hat.csv"
MIDDLE = 32.5
EPSILON = Decimal(2)
HOURS = ('hours = ["09:00", "12:00"]', 'hours = ["09:00", "11:00"]')
SMALL = (
    HOURS,
    ('licence = "CC-BY-4.0"', 'licence = "CC-BY-4.0"\nlanguages = ["en", "hi"]\npolicy = true'),
    ("hats_per_vehicle = 4", "hats_per_vehicle = 1"),
    ("threshold = 5", "threshold = 6"),
    ('total = "40"', f'total = "{EPSILON}"'),
)
"""Four HATs; one of a vehicle counts, so that one HAT costs all of it. Every file that may be there is."""
PRICED = (
    'mechanism = "bounded-mean"',
    'mechanism = "plan-and-enforce"\nparameters = {smooth = false, fleet = 6, vehicles = 6, records = 2}',
)


def stays(name: str, cell: str, speed: float, *, hour: int = 9, day: int = 3, records: int = 1) -> list[Ping]:
    return [
        Ping(name, f"2022-01-{day:02d}T{hour:02d}:{minute:02d}:00+05:30", cell, speed)
        for minute in range(records)
    ]


def others(vehicles: int, cell: str = CELLS[0], kind: str = "taxi") -> list[Ping]:
    """Each in one HAT, the first unless said otherwise, in the middle of the range."""
    return [ping for number in range(vehicles) for ping in stays(f"{kind} {number}", cell, MIDDLE)]


SECRET = stays("secret", CELLS[0], 65.0)


class Pair(NamedTuple):
    """Neighbours, what their spec says otherwise, and what the adversary knows."""

    here: list[Ping]
    there: list[Ping]
    edits: Sequence[tuple[str, str]] = RAW
    cells: int = 2
    others: int = 12
    """What counts in the first HAT beside the unit."""
    counts: int = 1
    """What counts there of the unit."""
    of_sum: float = 0.5
    """Part of the budget that pays for the sum."""
    claimed: Decimal = EPSILON
    """What the release states that the difference costs."""
    differ: tuple[tuple[int, int], ...] = ((0, 1),)
    """Rows of HATs where the unit counts here alone (1), or there alone (-1)."""
    trials: int = MANY


FIRST, NEXT = stays("secret", CELLS[1], 65.0), stays("secret", CELLS[0], 65.0)
"""Stays of one vehicle of which one counts: the first by the keyed hash, and the other where that is gone."""
BOTH = [*others(12), *others(12, CELLS[1], "cab")]
PART = "a vehicle in one HAT"
PAIRS = {
    "a vehicle": Pair([*others(12), *SECRET], others(12)),
    "a HAT at the threshold": Pair([*others(5), *SECRET], others(5), others=5),
    "a few": Pair(
        [*others(5), *SECRET],
        others(5),
        (*RAW, (f'total = "{EPSILON}"', 'total = "0.25"')),
        others=5,
        claimed=Decimal("0.25"),
        trials=FEW,
    ),
    "all that there is": Pair(SECRET, stays("taxi 1", CELLS[1], 0.0, hour=3), others=0),
    "a vehicle-day": Pair(
        [*others(12), *SECRET, *stays("secret", CELLS[0], MIDDLE, day=4)],
        [*others(12), *stays("secret", CELLS[0], MIDDLE, day=4)],
        (*RAW, *BY_DAY),
        others=13,
    ),
    "a vehicle, enforced": Pair(
        [*others(60), *stays("secret", CELLS[0], 65.0, records=60)],
        others(60),
        (PRICED, ('"11:00"', '"10:00"')),
        cells=1,
        others=60,
        counts=2,
        of_sum=0.75,
    ),
    PART: Pair(
        [*BOTH, *FIRST, *NEXT],
        [*BOTH, *NEXT],
        (*RAW, (f'total = "{EPSILON}"', f'total = "{EPSILON / 2}"')),
        differ=((2, 1), (0, -1)),
        trials=3 * MANY,
    ),
}
"""The last one is a group of two: another HAT counts in the place of the one that is taken away."""


LEAST = {"all that there is": -1.0}
"""Part of what is charged that is certified; where noise stands alone a quotient tells little of it."""


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", "correct horse")


Draw = partial[dict[str, bytes]]
DrawsOf = Callable[[Pair], list[Draw]]


@pytest.fixture
def draws_of(tmp_path: Path, key: SigningKey) -> Callable[[Pair], list[Draw]]:
    """What draws one bundle of either neighbour, in memory."""

    def draws(pair: Pair) -> list[Draw]:
        made = []
        for name, rows in (("here", pair.here), ("there", pair.there)):
            ledger = ledger_in(tmp_path / f"home of {name}")
            spec = write_taxis(tmp_path / name, rows, SMALL)
            text = spec.read_text("utf-8")
            for old, new in pair.edits:
                assert old in text
                text = text.replace(old, new)
            spec.write_text(text, encoding="utf-8")
            (spec.parent / "cells.txt").write_text("\n".join(CELLS[: pair.cells]), encoding="utf-8")
            prepared = planned(spec, ledger)
            assert of_part(prepared) == pair.claimed or len(pair.differ) == 1
            reserved = ledger.reserve(request_for(prepared, ledger))
            made.append(partial(drawn, prepared, reserved, key))
        return made

    return draws


class Halved:
    """The source of a release, that is paid twice: half of the noise."""

    def __init__(self, reservation: FakeReservation) -> None:
        twice = [dataclasses.replace(one, epsilon=2 * one.epsilon) for one in reservation.allowances]
        self._noise: Any = SecureNoise(FakeReservation(twice))

    def scope(self, name: str) -> Halved:
        found = Halved(FakeReservation([]))
        found._noise = self._noise.scope(name)
        return found

    def laplace_vector(self, centres: Any, sensitivity: int, *, spend: Decimal) -> Any:
        return self._noise.laplace_vector(centres, sensitivity, spend=2 * spend)


def drawn(prepared: Prepared, reserved: LedgerReservation, key: SigningKey) -> dict[str, bytes]:
    """One bundle with new noise, as `publish` makes it but for disk and ledger."""
    noise = drawing.SecureNoise(FakeReservation(reserved.allowances))
    pairs = pairs_of(prepared.contributions)
    results = tuple(
        drawing._drawn_result(plan, prepared, pairs, KEY, noise, silent, True) for plan in prepared.plans
    )
    release = drawing._release(prepared, results, reserved)
    return bundle_files(release, prepared.spec.texts, key=key, now=NOW)


def look(pair: Pair, files: Files) -> Numbers:
    """All numbers, and how much likelier the noisy weights and sums are here, of the HATs that differ."""
    rows = list(csv.DictReader(io.StringIO(files[TABLE].decode())))
    found = {"likelier": 0.0}
    for number, sign in pair.differ:
        row = rows[number]
        if not row["speed_mean_kmh"]:
            found["likelier"] -= sign
            continue
        weight = float(row.get("vehicles_dp") or row["records_dp"])
        entries = weight * (float(row["speed_mean_kmh"]) - MIDDLE) / MIDDLE
        more = [min(max(one / pair.counts, 0.0), 1.0) for one in (weight - pair.others, entries)]
        found[f"sum of {number}"] = entries
        found["likelier"] += sign * (more[0] * (1.0 - pair.of_sum) + more[1] * pair.of_sum)
    return numbers_of(files) | found


def of_part(prepared: Prepared) -> Decimal:
    """What one HAT of a vehicle is stated to cost."""
    (plan,) = prepared.plans
    return plan.charge.per_vehicle_hat_day


def bundles(draws: Sequence[Draw], size: int) -> list[list[dict[str, bytes]]]:
    return [[draw() for _ in range(size)] for draw in draws]


def certified(name: str, size: int, draws_of: DrawsOf) -> float:
    pair = PAIRS[name]
    return certified_from_bundles(*bundles(draws_of(pair), size), ALPHA, partial(look, pair))[0]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if pair.trials == FEW else [pytest.mark.audit])
        for name, pair in PAIRS.items()
    ],
)
def test_a_bundle_betrays_no_more_than_is_charged(name: str, draws_of: DrawsOf, audits: Audits) -> None:
    size = PAIRS[name].trials
    found = certified(name, size, draws_of)
    audits.holds(
        "relation user, bundle",
        WHOLE,
        setting=name,
        claimed=PAIRS[name].claimed,
        certified=found,
        trials=size,
        least=LEAST.get(name, 0.15) if size >= MANY else -2.0 / float(PAIRS[name].claimed),
    )


@pytest.mark.audit
@pytest.mark.parametrize("name", ["a vehicle", "a vehicle-day", "a vehicle, enforced", PART])
def test_halved_noise_is_caught(
    name: str, draws_of: DrawsOf, audits: Audits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "SecureNoise", Halved)
    pair = PAIRS[name]
    found = certified(name, pair.trials, draws_of)
    audits.caught(
        "relation user, bundle",
        WHOLE,
        setting=f"{name}, noise halved",
        claimed=pair.claimed,
        certified=found,
        trials=pair.trials,
    )


def test_a_vehicle_that_leaves_one_hat_counts_in_another(draws_of: DrawsOf) -> None:
    """What the audit of a part relies on: it moves an entry in either HAT, and nothing else."""
    pair = PAIRS[PART]
    counts = []
    for draw in draws_of(pair):
        prepared = draw.args[0]
        (plan,) = prepared.plans
        assert plan.bounded is not None
        rows = bounded_rows(
            prepared.contributions, plan.bounded.candidates, plan.bounded.constants, KEY, by_day=False
        )
        counts.append(np.bincount(rows.column, minlength=len(plan.hats)))
    assert dict(pair.differ) == {
        int(place): int(counts[0][place] - counts[1][place])
        for place in np.flatnonzero(counts[0] != counts[1])
    }
    assert counts[0].tolist() == [12, 0, 13, 0]


# bugs that show in a bundle at once: planted in what was drawn

Rows = list[list[str]]
Bug = Callable[[Rows, list[Ping]], Rows]


def only_with_records(rows: Rows, pings: list[Ping]) -> Rows:
    seen = {ping.cell for ping in pings}
    return [row for row in rows if row[0] in seen]


def sized_by_count(rows: Rows, pings: list[Ping]) -> Rows:
    return [*rows[:-1], [*rows[-1][:-1], rows[-1][-1] + " " * len(pings)]]


def unrounded(rows: Rows, pings: list[Ping]) -> Rows:
    """One digit more in a number, of those that stand behind the rounding."""
    digit = str(len(pings) % 10)
    return [[*row[:4], row[4] + digit if row[4] else "", *row[5:]] for row in rows]


def by_count(rows: Rows, pings: list[Ping]) -> Rows:
    """Equal ones in the order of their ids, so that one vehicle may change it."""
    return sorted(rows, key=lambda row: (-sum(ping.cell == row[0] for ping in pings), row[0]))


def by_arrival(rows: Rows, pings: list[Ping]) -> Rows:
    cells = [ping.cell for ping in sorted(pings, key=lambda ping: ping.vehicle)]
    return sorted(rows, key=lambda row: cells.index(row[0]) if row[0] in cells else len(cells))


SECOND = stays("secret", CELLS[1], 65.0)
BUGS: dict[str, tuple[Bug, Pair]] = {
    "rows of HATs with records alone": (
        only_with_records,
        Pair([*others(2), *SECRET, *SECOND], [*others(2), *SECRET]),
    ),
    "a size by the true count": (sized_by_count, PAIRS["a vehicle"]),
    "a digit that was not rounded": (unrounded, PAIRS["a vehicle"]),
    "rows by the true count": (
        by_count,
        Pair([*others(1), *SECOND, *stays("b", CELLS[1], 9.0)], [*others(1), *SECOND]),
    ),
    "rows by arrival": (by_arrival, Pair([*stays("a", CELLS[1], 9.0), *others(2)], others(2))),
}


def spoiled(files: Files, bug: Bug, pings: list[Ping]) -> bytes:
    """The table of a bundle, as the bug would have written it."""
    header, *rows = csv.reader(io.StringIO(files[TABLE].decode()))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *bug(rows, pings)])
    return text.getvalue().encode()


@pytest.mark.audit
def test_what_shows_at_once_is_caught(draws_of: DrawsOf) -> None:
    """In equally drawn bundles: only the bug tells the neighbours apart.

    It shows in the table; of all other files the numbers are read once.
    """
    same = Pair(others(12), others(12))
    sides = bundles(draws_of(same), AT_ONCE)
    whole = [list(map(numbers_of, side)) for side in sides]
    assert certified_from_numbers(*whole, ALPHA)[0] <= 0
    for side, seen in zip(sides, whole, strict=True):
        for files, numbers in zip(side, seen, strict=True):
            for name in numbers_of_file(TABLE, files[TABLE]):
                del numbers[name]
    for name, (bug, pair) in BUGS.items():
        planted = [
            [
                numbers | numbers_of_file(TABLE, spoiled(files, bug, pings))
                for files, numbers in zip(side, seen, strict=True)
            ]
            for side, seen, pings in zip(sides, whole, (pair.here, pair.there), strict=True)
        ]
        found, place = certified_from_numbers(*planted, ALPHA)
        assert found > 1, (name, place)
