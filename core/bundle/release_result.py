"""The result of a release as bundle and ledger store it: statuses, resolutions, stored estimates.

Nothing here is confidential, and no field may lead to a `Confidential` type (a test walks them).
Values are integers of their measure's last decimal.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

from core.accounting.exact_loss import RUNNING, StatedLoss
from core.accounting.privacy_loss import LossPair, loss_of
from core.bounding.bounding_facts import BoundingFacts
from core.bundle.interval_rules import COVERS_NOISE, NOISE_ONLY
from core.bundle.loss_texts import loss_sentences
from core.bundle.query_facts import QueryFacts
from core.bundle.region_facts import RegionFacts
from core.bundle.smoothed_facts import SmoothedFacts
from core.clean.record_filter import RecordFilter
from core.codec import Coded, key
from core.geodata.route_lines import RouteLine
from core.geodata.zones_source import PublicZones
from core.hats.groups import Groups, as_cell
from core.hats.places import HEXAGON_CHOICE, PlaceChoice
from core.hats.slots import ALL, Periods, SlotGrid, SlotLength, parse_clock
from core.hats.window import Window, build_window
from core.privacy import Charge, Relation, Unit
from core.quantity import SPEED, Quantity
from core.statistics.base import Estimate
from core.texts import text_of

PUBLISHED = "published"
SUPPRESSED = "suppressed"
NO_INFORMATION = "no_information"
"""Noise carried a number out of its range: the interval of the published one is the whole range."""


PlaceOfRow = tuple[str, str, tuple[str, ...]]
"""Place or region, start of the slot, labels."""


class RowCounts(NamedTuple):
    """Exact numbers behind a row: public in relation `values`, and published where that is asked for."""

    vehicles: int
    visits: int | None
    """None where they are not known."""
    records: int
    days: int
    """Dates with a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HatRow:
    """One HAT of a query's data file, or one region."""

    cell: str
    """The hexagon, as H3 writes it, or the id of another place; of a region its name, `r001`."""
    slot_start: str
    """Local time `HH:MM`."""
    slot_end: str
    """Local time `HH:MM`, exclusive; `24:00` at midnight."""
    status: str
    """`PUBLISHED` or `SUPPRESSED`."""
    epsilon: Decimal
    """What the HAT cost each protected unit in it, for all its numbers together; 0 when suppressed, except in
    relation `user`, where whether it is published is a noisy answer too."""
    estimates: tuple[Estimate, ...] = ()
    """The published numbers, as the statistic drew them; empty when suppressed."""
    cells: tuple[str, ...] = ()
    """The hexagons of a region, sorted; empty for a HAT."""
    period: str = ""
    """Name of its part of the day; empty where slots are of one length."""
    groups: tuple[str, ...] = ()
    """Its label in each of the release's groups."""

    @property
    def order(self) -> tuple[str, tuple[str, ...], str]:
        """What rows are sorted by: as their cells stand in files."""
        return as_cell(self.cell), tuple(map(as_cell, self.groups)), self.slot_start

    @property
    def key(self) -> PlaceOfRow:
        """What tells it from all other rows of its table."""
        return self.cell, self.slot_start, self.groups

    @property
    def hexagons(self) -> tuple[str, ...]:
        """Those that its number is of."""
        return self.cells or (self.cell,)

    def holds(self, slot_start: str, groups: tuple[str, ...] = ()) -> bool:
        """Whether the slot that starts at this local time `HH:MM`, with these labels, is one of its hours."""
        return self.slot_start <= slot_start < self.slot_end and self.groups == groups

    def hats(self, grid: SlotGrid) -> tuple[tuple[str, int], ...]:
        """Hexagon and number of the slot, of every HAT that its number is of; grid: the release's."""
        first, last = (parse_clock(text, where="slot") for text in (self.slot_start, self.slot_end))
        slots = [grid.slot_in(slot, self.groups) for slot in grid.within(first, last)]
        return tuple((cell, slot) for cell in self.hexagons for slot in slots)

    @property
    def first(self) -> Estimate | None:
        """The number that maps and headlines show."""
        return self.estimates[0] if self.estimates else None

    def number(self, measure: str, label: int | None = None) -> Estimate | None:
        """The number of this measure, of this label where one is given; None where the row has none."""
        found = (item for item in self.estimates if item.measure == measure)
        return next((item for item in found if label is None or item.label == label), None)

    def status_of(self, label: int | None, measures: Container[str]) -> str:
        """What a data file with these measures says of the line with this label."""
        informative = all(
            item.informative for item in self.estimates if item.label == label and item.measure in measures
        )
        return self.status if informative else NO_INFORMATION


def _rows_to_json(rows: Sequence[HatRow]) -> list[list[Any]]:
    return [
        [
            row.cell,
            row.slot_start,
            row.slot_end,
            row.status,
            str(row.epsilon),
            [_estimate_to_json(estimate) for estimate in row.estimates],
            *([list(row.cells)] if row.cells or row.period or row.groups else []),
            *([row.period] if row.period or row.groups else []),
            *([list(row.groups)] if row.groups else []),
        ]
        for row in rows
    ]


def _rows_from_json(stored: Sequence[Sequence[Any]]) -> tuple[HatRow, ...]:
    return tuple(
        HatRow(
            cell=cell,
            slot_start=slot_start,
            slot_end=slot_end,
            status=status,
            epsilon=Decimal(epsilon),
            estimates=tuple(_estimate_from_json(*estimate) for estimate in estimates),
            cells=tuple(later[0]) if later else (),
            period=later[1] if later[1:] else "",
            groups=tuple(later[2]) if later[2:] else (),
        )
        for cell, slot_start, slot_end, status, epsilon, estimates, *later in stored
    )


_STORED = (
    *("measure", "label", "value", "low", "high", "bias_bound", "unclamped", "informative"),
    *("modelled_bias", "effective_users", "noisy_weight", "sign", "deviation"),
)
"""What is stored of an estimate, in order; of the later ones as far as they say anything."""
_SAID = 6
"""Fields of a stored estimate that always stand, the first ones; later ones where they say something."""
_figures = attrgetter(*_STORED)


def _estimate_to_json(estimate: Estimate) -> list[Any]:
    stored = list(_figures(estimate))
    while len(stored) > _SAID and stored[-1] is (True if _STORED[len(stored) - 1] == "informative" else None):
        stored.pop()
    return stored


def _estimate_from_json(*stored: Any) -> Estimate:
    return Estimate(**dict(zip(_STORED[: len(stored)], stored, strict=True)))


StoredRows = Annotated[tuple[HatRow, ...], Coded(_rows_to_json, _rows_from_json)]
"""A list a row: there may be fifty thousand, which the rule for records would write at twice the length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryResult:
    """One query of a release: its rows and the facts of its headline."""

    query_id: str
    statistic: str
    """Key of the statistic, for instance `mean`."""
    mechanism: str
    """Key of the mechanism, for instance `array-averaging`, or of the statistic's own method."""
    mechanism_reference: str
    """Its source in short, as of the draw: `P3 Alg. 2`. Bundles cite the registry's in full."""
    charge: Charge
    sensitivity: Decimal
    """The largest over the published HATs, in the unit of the statistic's first measure."""
    noise_scale: Decimal
    """The largest scale of the noise over the published HATs, of Gaussian noise its deviation; same unit."""
    contribution_cap: int | None
    """The largest m_UB over the published HATs; None where records are not capped."""
    division: str
    """How the budget was spread over the HATs: `per-hat`, `noise-scale`, `equal` or `optimal`."""
    rows: StoredRows
    """Sorted by `HatRow.order`."""
    facts: QueryFacts | None = None
    """What made the numbers; None where the draws were stored before that was recorded."""
    smoothing: SmoothedFacts | None = None
    """What made the smoothed numbers; None where there are none."""
    regions: RegionFacts | None = None
    """What its regions keep; None where its rows are HATs."""
    bounding: BoundingFacts | None = None
    """Constants and noise of relation `user`; None in relation `values`."""
    conversion: str = RUNNING
    """The formula that its epsilons, and those of its rows, are stated by where it has rho."""
    unsmoothed: str = ""
    """Why it has no smoothed numbers though they were asked for; empty where nothing failed."""

    @property
    def interval_covers(self) -> str:
        """What its intervals cover: the first rule's the noise alone."""
        return self.facts.interval_covers if self.facts else COVERS_NOISE


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Everything public about a release except its texts and its signature."""

    relation: Relation
    unit: Unit
    resolution: int
    """Of hexagons, the finest where there are several."""
    slot_minutes: int
    """0 where there are periods."""
    periods: Periods = ()
    """In place of slots of one length."""
    groups: Groups = ()
    """What tells rows of one hexagon and time apart."""
    date_ranges: tuple[tuple[dt.date, dt.date], ...]
    """First and last date of each range, inclusive, in order."""
    hours: tuple[str, str]
    """Local `HH:MM`, end exclusive."""
    zone: str
    """IANA name."""
    upper_bound: int
    """U in thousandths of the value's unit: its upper bound less its lower one."""
    selection_rule: str
    selection_threshold: int | None
    minimum_vehicles: int
    queries: tuple[QueryResult, ...]
    charge: Charge
    """The sum over the queries: what was reserved."""
    cumulative: Mapping[Unit, Decimal]
    """Spent per unit by the population and those linked to it, this release included, at reservation."""
    limits: Mapping[Unit, Decimal | None]
    """The smallest of their limits at reservation; None where there is none."""
    delta: Decimal = Decimal(0)
    """At which rho was converted to epsilon at reservation; 0 where this release and all before are pure."""
    delta_before: Decimal = Decimal(0)
    """A smaller one, at which an earlier total of all releases was stated; 0 where there was none."""
    cumulative_parts: Mapping[Unit, LossPair] = field(default_factory=dict)
    """What `cumulative` was converted from; empty where all is pure."""
    evaluated: bool = field(metadata=key(absent=False))
    """Errors on true values of the population were asked for before the reservation (method 10)."""
    reserved_on: dt.date
    interval_rule: str = field(metadata=key(absent=NOISE_ONLY))
    """One of `INTERVAL_RULES`: how the stored intervals were made."""
    pings: str | None = field(metadata=key(absent=None))
    """Why there is a record (method 6); None where the draws were stored before that was recorded, and in
    relation `user`, which has no use for it."""
    vehicle_fold: bool = False
    """The ids are the further folds of what was read."""
    filters: tuple[RecordFilter, ...] = ()
    """Which records were counted."""
    vehicles_alike: int = 0
    """Vehicles whose ids may be another one's, written otherwise; 0 in relation `user`."""
    versions: Mapping[str, str]
    """`hexveil`, `opendp`, `h3`, `python`: what computed the release."""
    place: PlaceChoice = HEXAGON_CHOICE
    """What the places of its rows are; their resolution is 0 where they are no hexagons."""
    quantity: Quantity = SPEED
    """What was measured; the numbers of the rows are as it publishes them."""
    zones: PublicZones | None = field(default=None, metadata=key(stored=False))
    """The layer of its places, where they are zones; not stored with the draws, which know ids alone."""
    hats_listed: bool = False
    """Of relation `user`: a list names the HATs with their slots."""
    lines: Mapping[str, RouteLine] | None = field(default=None, metadata=key(stored=False))
    """Of routes, by label, where a timetable has them; not stored, as zones are not."""
    places: Mapping[str, str] | None = field(default=None, metadata=key(stored=False))
    """Hexagon -> name of a place, public text of the publisher's; None where no layer of places was named.
    Not stored with the draws: a release that is published again may name other places."""

    counts: Mapping[PlaceOfRow, RowCounts] | None = field(default=None, metadata=key(stored=False))
    """Key of a published row -> what lies behind it, exact and public in relation `values`; None: counts are
    not published. Not stored with the draws either."""

    conversion: str = RUNNING
    """The formula that its own epsilons are stated by where it has rho."""

    def stated(self, charge: Charge, unit: Unit, conversion: str | None = None) -> StatedLoss:
        """What a charge comes to by itself; conversion: of a query, None: of the release."""
        return StatedLoss(loss_of(charge, unit), self.delta, conversion or self.conversion)

    @property
    def grid_text(self) -> str:
        """The resolution of its hexagons, or each of them."""
        mixed = " and ".join(map(str, self.place.mixed))
        if not mixed:
            return text_of("H3 resolution {resolution}", resolution=self.resolution)
        return text_of(
            "H3 resolutions {mixed}: each record counts in the finest of its hexagons that is chosen",
            mixed=mixed,
        )

    @property
    def row_places(self) -> frozenset[str]:
        """Ids of the places that have a row."""
        return frozenset(row.cell for query in self.queries for row in query.rows)

    @property
    def drawn_lines(self) -> dict[str, RouteLine]:
        """Of the routes that have a row."""
        lines, places = self.lines or {}, self.row_places
        return {place: line for place, line in lines.items() if place in places}

    @property
    def outlined(self) -> bool:
        """Whether any of its places can be drawn."""
        return self.place.hexagons or self.zones is not None or bool(self.drawn_lines)

    @property
    def loss_sentences(self) -> tuple[str, ...]:
        """What it costs a vehicle, and what that means."""
        stated = self.stated(self.charge, Unit.VEHICLE)
        return loss_sentences(self.relation, stated, self.quantity.plural)

    @property
    def bounds(self) -> tuple[int, int]:
        """The value's lower and upper bound, thousandths of its unit."""
        return self.quantity.lower, self.quantity.lower + self.upper_bound

    @property
    def grid(self) -> SlotGrid:
        """Where the slots start: counted from the start of the hours; or the periods."""
        if self.periods or self.groups:
            return self.window.grid
        return SlotGrid(self.slot_minutes, parse_clock(self.hours[0], where="hours") % self.slot_minutes)

    @property
    def window(self) -> Window:
        """Its dates, hours, slots and groups."""
        return build_window(self.date_ranges, self.hours, self.periods or self._slot_length, self.groups)

    @property
    def _slot_length(self) -> SlotLength:
        start, end = (parse_clock(text, where="hours") for text in self.hours)
        return ALL if self.slot_minutes == end - start else self.slot_minutes

    @property
    def days(self) -> int:
        """Number of dates listed, with or without records."""
        return sum((last - first).days + 1 for first, last in self.date_ranges)
