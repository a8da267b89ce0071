"""Which boxes to publish so that every one keeps a promised error: a greedy search (city-release 10).

From public counts and constants alone. Every published box gets the same noise, so each of its vehicles pays
its share of the box's records. The search starts with the largest boxes and splits where that shows most for
what it costs, as long as no vehicle pays more than it has. It counts in the very tokens that are drawn,
rounded up: no rounding breaks the promise, or the budget.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import Floats, Ints
from core.city.noise_kind import NoiseKind
from core.city.region_boxes import Boxes
from core.mechanisms.public_model import HAT_SPREAD
from core.mechanisms.tokens import TOKENS
from core.progress import Progress, rising, silent

_LOST = HAT_SPREAD**2
"""What a record costs that no published box holds: the variance of a city's means around one constant."""
_STEEPNESS, _ALWAYS = 3, 0.02
"""A vehicle's budget is dear where little of it is left, and never free."""
_SMALLEST_COST = 1e-12
_REPORT_EVERY = 64
"""Looks at a move of boxes between two tellings of progress."""


@dataclass(frozen=True, slots=True, order=True)
class RegionBox:
    """One box, by its levels in space and time and its number there."""

    space: int
    time: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What is asked of the search."""

    noise: NoiseKind
    tokens_of_box: float
    """How many tokens a box needs of all its vehicles together for the promised noise."""
    minimum_vehicles: int
    """A box with fewer is not published."""

    @property
    def limit(self) -> int:
        """Of a vehicle's load."""
        return TOKENS**2 if self.noise.squared else TOKENS

    def tokens(self, shares: Floats) -> Ints:
        """Of vehicles by their shares of a box's records, rounded up; one more than there are is too many."""
        wanted = np.ceil(self.tokens_of_box * shares)
        tokens: Ints = np.minimum(wanted, TOKENS + 1).astype(np.int64)
        return tokens

    def loads(self, tokens: Ints) -> Ints:
        """What tokens take of their vehicles."""
        return tokens**2 if self.noise.squared else tokens


def search_regions(
    boxes: Boxes, uneven: tuple[tuple[Floats, ...], ...], promise: Promise, progress: Progress = silent
) -> tuple[RegionBox, ...]:
    """The published boxes, sorted; none may be left. No two share a record.

    uneven: records times variance of every box, by level in space, then in time (`unevenness`).
    Deterministic. Raises what `progress` raises.
    """
    search = _Search(boxes, uneven, promise, rising(progress))
    search.start()
    search.split()
    progress(1.0)
    return tuple(sorted(search.published))


def hidden_by(boxes: Boxes, uneven: tuple[tuple[Floats, ...], ...], published: Iterable[RegionBox]) -> float:
    """What published boxes leave unsaid: records times variance inside them, and of records in none."""
    inside = [(uneven[box.space][box.time][box.number], box) for box in published]
    records = [boxes.levels[box.space][box.time].totals[box.number] for _, box in inside]
    lost = int(boxes.levels[0][0].totals.sum()) - int(sum(records))
    return float(sum(value for value, _ in inside)) + _LOST * lost


@dataclass(slots=True)
class _Move:
    """A published box and the finer or shorter boxes that would take its place."""

    box: RegionBox
    children: list[RegionBox]
    gain: float
    vehicle: NDArray[np.int32]
    """Vehicles of the box."""
    change: Ints
    """Of their loads."""


class _Level:
    """One level's boxes as the search sees them."""

    def __init__(self, boxes: Boxes, uneven: Floats, promise: Promise, space: int, time: int) -> None:
        level = boxes.levels[space][time]
        self.first, self.vehicle, self.totals = level.first, level.vehicle, level.totals
        self.uneven = uneven
        shares = level.records / self.totals[level.box]
        self.load = promise.loads(promise.tokens(shares))
        largest = np.zeros(self.totals.size, np.int64)
        np.maximum.at(largest, level.box, self.load)
        self.enough = level.vehicles >= promise.minimum_vehicles
        self.splits_into = self.enough & (self.totals > 0) & (2 * largest <= promise.limit)
        """Whether a box may come of a split: what one vehicle half exhausts itself for stays out."""

    def rows(self, number: int) -> slice:
        return slice(int(self.first[number]), int(self.first[number + 1]))


class _Search:
    """Published boxes, everyone's load, and the moves that are left."""

    def __init__(
        self, boxes: Boxes, uneven: tuple[tuple[Floats, ...], ...], promise: Promise, progress: Progress
    ) -> None:
        self.grid, self.limit, self.progress = boxes.grid, promise.limit, progress
        self.levels = [
            [_Level(boxes, uneven[space][time], promise, space, time) for time in range(len(row))]
            for space, row in enumerate(boxes.levels)
        ]
        self.load = np.zeros(boxes.vehicles, np.int64)
        self.published: set[RegionBox] = set()
        self.open: list[tuple[float, RegionBox, int]] = []
        """A heap of moves: minus gain by cost when last looked at, box, and its place in `moves`."""
        self.blocked: list[tuple[RegionBox, int]] = []
        """Moves that took more than some vehicle had."""
        self.moves: dict[tuple[RegionBox, int], _Move] = {}

    def start(self) -> None:
        """Publish the largest boxes, those of most records first, each if no load passes the limit."""
        level = self.levels[0][0]
        for number in np.argsort(-level.totals, kind="stable").tolist():
            rows = level.rows(number)
            vehicle, load = level.vehicle[rows], level.load[rows]
            if level.enough[number] and np.all(self.load[vehicle] + load <= self.limit):
                self.load[vehicle] += load
                self._publish(RegionBox(0, 0, number))

    def split(self) -> None:
        """Make the move that gains most for its cost, until none is left that every vehicle can pay."""
        looks = 0
        while self.open:
            looks += 1
            if looks % _REPORT_EVERY == 0:
                settled = len(self.published) + len(self.blocked)
                self.progress(settled / (settled + len(self.open)), "Splitting the city into regions")
            _, box, kind = heapq.heappop(self.open)
            if box not in self.published:
                continue
            move = self.moves[box, kind]
            if np.any(self.load[move.vehicle] + move.change > self.limit):
                self.blocked.append((box, kind))
                continue
            ratio = self._ratio(move)
            # costs rise while loads do: only what is still ahead of the next look is the best
            if self.open and (-ratio, box, kind) > self.open[0]:
                heapq.heappush(self.open, (-ratio, box, kind))
            else:
                self._make(move)

    def _make(self, move: _Move) -> None:
        self.load[move.vehicle] += move.change
        self.published.remove(move.box)
        for kind in range(2):
            self.moves.pop((move.box, kind), None)
        for child in move.children:
            self._publish(child)
        if (move.change < 0).any():
            self._look_again(move.vehicle[move.change < 0])

    def _look_again(self, relieved: NDArray[np.int32]) -> None:
        """At the moves of vehicles that have more left than before: they may be possible now, or better."""
        lighter = np.zeros(self.load.size, bool)
        lighter[relieved] = True
        touched = {key for key, move in self.moves.items() if lighter[move.vehicle].any()}
        retained = [item for item in self.open if item[1:] not in touched and item[1] in self.published]
        blocked = [key for key in self.blocked if key not in touched and key[0] in self.published]
        self.open = retained + [(-self._ratio(self.moves[key]), *key) for key in sorted(touched)]
        self.blocked = blocked
        heapq.heapify(self.open)

    def _ratio(self, move: _Move) -> float:
        """What a move shows for each unit of budget, dearer where a vehicle has little left."""
        price = (self.load[move.vehicle] / self.limit) ** _STEEPNESS + _ALWAYS
        cost = float((move.change / self.limit) @ price)
        return move.gain / max(cost, _SMALLEST_COST)

    def _publish(self, box: RegionBox) -> None:
        self.published.add(box)
        for kind, children in enumerate((self._in_space(box), self._in_time(box))):
            move = self._move(box, children)
            if move is not None:
                self.moves[box, kind] = move
                heapq.heappush(self.open, (-self._ratio(move), box, kind))

    def _move(self, box: RegionBox, children: list[RegionBox]) -> _Move | None:
        """The move to those children that may be published; None where it gains nothing."""
        own = self.levels[box.space][box.time]
        retained = [
            child for child in children if self.levels[child.space][child.time].splits_into[child.number]
        ]
        if not retained:
            return None
        inside = sum(int(self.levels[child.space][child.time].totals[child.number]) for child in retained)
        hidden = sum(float(self.levels[child.space][child.time].uneven[child.number]) for child in retained)
        gain = float(own.uneven[box.number]) - hidden - _LOST * (int(own.totals[box.number]) - inside)
        if gain <= 0.0:
            return None
        rows = own.rows(box.number)
        vehicle = own.vehicle[rows]
        change = -own.load[rows]
        for child in retained:
            level = self.levels[child.space][child.time]
            here = level.rows(child.number)
            change[np.searchsorted(vehicle, level.vehicle[here])] += level.load[here]
        return _Move(box=box, children=retained, gain=gain, vehicle=vehicle, change=change)

    def _in_space(self, box: RegionBox) -> list[RegionBox]:
        """The finer boxes with records that make one up, of the coarsest level where there are several."""
        for finer in range(box.space + 1, len(self.levels)):
            blocks = self.grid.blocks(box.time)
            place, block = divmod(box.number, blocks)
            places = range(*self.grid.places_within(box.space, place, finer))
            found = [RegionBox(finer, box.time, one * blocks + block) for one in places]
            found = list(self._with_records(found))
            if len(found) > 1:
                return found
        return []

    def _in_time(self, box: RegionBox) -> list[RegionBox]:
        """The shorter boxes with records that make one up, of the longest level where there are several."""
        place, block = divmod(box.number, self.grid.blocks(box.time))
        for shorter in range(box.time + 1, len(self.levels[0])):
            blocks = range(*self.grid.blocks_within(box.time, block, shorter))
            found = [RegionBox(box.space, shorter, place * self.grid.blocks(shorter) + one) for one in blocks]
            found = list(self._with_records(found))
            if len(found) > 1:
                return found
        return []

    def _with_records(self, boxes: list[RegionBox]) -> Iterator[RegionBox]:
        for box in boxes:
            if self.levels[box.space][box.time].totals[box.number]:
                yield box
