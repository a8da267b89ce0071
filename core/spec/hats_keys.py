"""Explains the keys of `[hats]` of a spec: places, resolution, timeslots, periods, groups, dates, hours."""

from __future__ import annotations

from core.hats.cells import DEFAULT_RESOLUTION, RESOLUTIONS, require_mixed, require_resolution
from core.hats.places import HEXAGON, LABELLED, PLACE_KINDS, ZONED, require_place_kind
from core.spec.column_kinds import GroupLabels
from core.spec.key_checks import one_kind_of_slots
from core.spec.schema import Answers, Key, Rule, Sub, Table, When
from core.spec.value_kinds import (
    DateRanges,
    FileName,
    GroupNames,
    Hours,
    PeriodsOfDay,
    Resolutions,
    SlotMinutes,
    Text,
)
from core.spec.zones_keys import ZONES_TABLE
from core.texts import text_of


def by_hexagon(given: Answers) -> bool:
    """Whether places are hexagons."""
    return bool(given.get("place", HEXAGON) == HEXAGON)


def _require_resolutions(asked: int | tuple[int, ...]) -> int | tuple[int, ...]:
    """The resolution, or several in their order. Raises InputError for what is not offered."""
    return require_mixed(asked) if isinstance(asked, tuple) else require_resolution(asked)


HATS = Table(
    help="The grid and the window.",
    entries=(
        Rule(
            says="Either `slot_minutes` or `periods`, not both.",
            check=one_kind_of_slots,
        ),
        Key(
            name="place",
            kind=Text(lambda: PLACE_KINDS),
            help="The places: hexagons (`h3`), areas of a layer such as wards (`zones`), labels of the "
            "records such as routes (`column`), or the whole area (`none`).",
            default=HEXAGON,
            check=require_place_kind,
            part="place",
            field="place_kind",
            identity="hats.place",
        ),
        Key(
            name="place_column",
            help="The public name of the column whose labels are the places: `[data.mapping]` columns.",
            required=True,
            only=When(says='with `place = "column"`', holds=lambda given: given.get("place") == LABELLED),
            part="place",
            identity="hats.place_column",
            identity_of="place.named_column",
            example='"route"',
        ),
        Key(
            name="zones",
            kind=Sub(ZONES_TABLE),
            help="The layer of the places; a record outside all zones is left out.",
            required=True,
            only=When(says='with `place = "zones"`', holds=lambda given: given.get("place") == ZONED),
            field="zones_source",
        ),
        Key(
            name="shapes",
            kind=FileName(),
            help="A GTFS timetable (zip or folder) with the lines of routes, for the map alone. A label is "
            "a route_id, otherwise a route_short_name; a route is drawn with the shape of most of its "
            "trips.",
            without="a table and bars, and no map",
            only=When(says='with `place = "column"`', holds=lambda given: given.get("place") == LABELLED),
            default="",
            example='"gtfs.zip"',
        ),
        Key(
            name="resolution",
            kind=Resolutions(
                text_of(
                    "{least_figure} to {most_figure}",
                    least_figure=RESOLUTIONS.start,
                    most_figure=RESOLUTIONS.stop - 1,
                )
            ),
            help="H3 resolution of the hexagons. With two or three, such as `[6, 8]`, a record counts in "
            "the finest of its hexagons that is chosen.",
            label="&Resolution",
            default=DEFAULT_RESOLUTION,
            check=_require_resolutions,
            field="resolutions",
            only=When(says='with `place = "h3"`', holds=by_hexagon),
            always=True,
            constant="hats.resolution",
        ),
        Key(
            name="slot_minutes",
            kind=SlotMinutes(),
            help="Length of a timeslot in minutes; timeslots are counted from the start of the hours.",
            label="&Timeslot",
            default=60,
            part="window",
            always=True,
            constant="hats.slot_minutes",
        ),
        Key(
            name="periods",
            kind=PeriodsOfDay(),
            help="Named parts of the day within the hours, instead of timeslots of one length. They do not "
            "overlap and need not fill the hours; their names are published.",
            without="timeslots of one length",
            part="window",
            field="slot_minutes",
            identity="hats.periods",
            identity_of="window.periods",
            example='{ midday = ["10:00", "16:00"], "evening peak" = ["16:00", "19:00"] }',
        ),
        Key(
            name="group",
            kind=GroupNames(),
            help='What divides the rows of one hexagon and time: public names of columns, and "day_kind" for '
            "weekdays and weekends. Labels are published; numbers of days count days of that kind.",
            without="nothing does",
            field="",
            identity="hats.groups",
            identity_of="window.groups",
            example='["day_kind"]',
        ),
        Key(
            name="labels",
            kind=GroupLabels(),
            help="The labels of a group's column that count, by its public name; records with others are "
            "left out. Needed in relation `user`.",
            without="those of at least `minimum_vehicles` vehicles",
            field="",
            example='{ direction = ["UP", "DN"] }',
        ),
        Key(
            name="day_kinds",
            kind=FileName(),
            help="A file with the kind of each date, relative to the spec, instead of weekday and weekend: "
            "lines `date,label`.",
            without="weekday and weekend",
            default="",
            example='"kinds.csv"',
        ),
        Key(
            name="dates",
            kind=DateRanges(),
            help="The local dates of the release, both ends included.",
            required=True,
            part="window",
            field="date_ranges",
            constant="hats.dates",
            example='["2016-11-24", "2016-11-27"]',
        ),
        Key(
            name="days",
            kind=FileName(),
            help='Which of these dates: "weekday", "weekend", or a file with one date per line, relative '
            "to the spec.",
            label="&Which days",
            without="all of them",
            field="",
            example='"weekday"',
        ),
        Key(
            name="hours",
            kind=Hours(),
            help="The local hours of each date: start and end, a whole number of timeslots.",
            label="Ho&urs",
            default=("09:00", "21:00"),
            part="window",
            always=True,
            constant="hats.hours",
        ),
    ),
)
