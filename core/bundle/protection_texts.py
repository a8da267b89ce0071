"""What each unit protects, what becomes public, and warnings: practice, like ids, drawn before."""

from __future__ import annotations

from collections.abc import Sequence

from core.accounting.exact_loss import StatedLoss
from core.bundle.loss_texts import Strength, presence_sentence
from core.clean.record_filter import RecordFilter, filters_text
from core.counted import count_of
from core.hats.cells import RESOLUTIONS
from core.hats.groups import Groups
from core.hats.places import HEXAGON_CHOICE, ZONED, PlaceChoice
from core.hats.slots import SLOT_MINUTES, Periods, day_periods_text
from core.place_words import of_places
from core.privacy import Relation, Unit
from core.texts import Name, joined, text_of

PROTECTED = {
    Unit.VEHICLE: "every value that one vehicle reported on these dates, and where inside the hexagon and "
    "when inside the timeslot",
    Unit.VEHICLE_DAY: "every value that one vehicle reported on one day, and where inside the hexagon and "
    "when inside the timeslot",
    Unit.VEHICLE_HAT_DAY: "every value that one vehicle reported in one hexagon and timeslot on one day, and "
    "where inside the hexagon and when inside the timeslot",
}
"""In relation `values`."""
PRESENCE = {
    Unit.VEHICLE: "everything about one vehicle, even that it was there",
    Unit.VEHICLE_DAY: "everything about one vehicle on one day, even that it was there",
    Unit.VEHICLE_HAT_DAY: "everything about one vehicle in one hexagon and timeslot on one day, even that it "
    "was there",
}
"""In relation `user`."""
DROPPED = "which records were dropped as unusable or as repeats"
FIXED_RATE = "whether records come at a fixed rate"
"""Of a speed as little protected: it shows how long vehicles stay, and the import may propose it."""
TRACKS = (
    "Someone who has the positions and times of a vehicle from elsewhere, such as a live feed, knows the "
    "mean speed of a hexagon slot to about 1 km/h where positions come every one or two minutes, and to "
    "about 3 km/h where they come every four. Where people must not learn that, choose relation user."
)
"""What relation `values` is worth where the tracks of vehicles are known (privacy 1.1)."""
CONSTANTS_ARE_PUBLIC = (
    "the constants of this release: list of hexagons, dates, hours, bounds, hexagon slots per vehicle, "
    "threshold, total; none "
    "of them may come from the records"
)
"""What relation `user` takes as known."""
PRACTICE = (
    "PRACTICE: this is no release. It was made of records that a program made up, to try things out, and "
    "its ledger and its key were thrown away."
)
"""Said of a practice release, first of all."""
DRAWN_BEFORE = (
    "These numbers are those drawn on {date}; corrected records are not in them. The records were not "
    "compared with those of then, for whether they changed is private: where they were corrected, give their "
    "files another name, and the release is drawn and charged again."
)
"""What is said first of a request of relation `user` that was drawn before; {date}: of the draw, UTC."""
IDS_ALIKE = (
    "{n} vehicles have ids that differ only in zeros in front, quotes, marks of thousands, a .0, number "
    "signs or unseen ones. A vehicle that stands under two such ids has two times the stated epsilon. A spec "
    "with vehicle_fold = true under [data.mapping] takes such ids as one."
)
"""Said of a release of relation `values` in which ids are alike; {n}: how many."""
EVALUATED = (
    "Before this release, somebody looked in confidence at errors on true values of its vehicles. What the "
    "publisher learned from them for choosing the parameters is not covered by epsilon."
)
"""Said of a release whose population was evaluated before (method 10)."""


IN_ZONES = "which zone each record lies in, and how many lie outside of all"


def left_open(
    *,
    dwell: bool,
    rate: bool = False,
    filters: Sequence[RecordFilter] = (),
    periods: Periods = (),
    groups: Groups = (),
    place: PlaceChoice = HEXAGON_CHOICE,
    value: str = "",
    counts: str = "",
) -> tuple[str, ...]:
    """What relation `values` does not protect (method 5.1); dwell: how long vehicles stay plays a part;
    rate: somebody looked at times to decide that; filters: by which records were left out; periods: that
    slots are; groups: that tell rows apart; place: what places are; value: what labels may say of it;
    counts: what is said of those that are published."""
    numbers = text_of(
        "how many {counted} each vehicle has in each hexagon slot on each day: by this grid, by the grids "
        "of all other releases of these vehicles, and by the grids compared (resolutions {coarsest} to "
        "{finest}, slots of {shortest} to {longest} minutes or of all hours)",
        counted=_counted(dwell=dwell),
        coarsest=RESOLUTIONS[0],
        finest=RESOLUTIONS[-1],
        shortest=SLOT_MINUTES[0],
        longest=SLOT_MINUTES[-1],
    )
    left_out = (text_of("which records the filter left out: {conditions}", conditions=filters_text(filters)),)
    when = (text_of("in which period each record came: {periods}", periods=day_periods_text(periods)),)
    labels = (
        text_of(
            "which records have which label of {column}, the place that they count in, and what these labels "
            "say of a {value}",
            column=Name(place.place_column),
            value=value,
        ),
    )
    return (
        numbers if place.hexagons else of_places(numbers),
        *((_in_each_resolution(place, dwell=dwell),) if place.mixed else ()),
        *(when if periods else ()),
        *(labels if place.place_column else ()),
        *(
            text_of(
                "which {name} each record has: {labels}",
                name=Name(one.name),
                labels=joined(", ", map(Name, one.labels)),
            )
            for one in groups
            if not one.by_day
        ),
        *((IN_ZONES,) if place.place_kind == ZONED else ()),
        DROPPED,
        *(left_out if filters else ()),
        *((FIXED_RATE,) if dwell or rate else ()),
        *((counts if place.hexagons else of_places(counts),) if counts else ()),
    )


def _counted(*, dwell: bool) -> str:
    """Visits are made of nothing, and stay unknown, where how long vehicles stay plays no part (method 4)."""
    return "records and visits" if dwell else "records"


def _in_each_resolution(place: PlaceChoice, *, dwell: bool) -> str:
    """What is public where a record counts in one of several hexagons (method 3.2)."""
    return text_of(
        "how many records each vehicle has on each day in each hexagon slot of resolutions {resolutions}, "
        "chosen or not, and how many {counted} in each hexagon slot in which its records count",
        counted=_counted(dwell=dwell),
        resolutions=joined(" and ", map(str, place.mixed)),
    )


def said_of_counts(*, published: bool, speeds: bool, dwell: bool) -> str:
    """Empty where none are published."""
    if not published:
        return ""
    counted = counted_exactly(dwell=dwell)
    if speeds:
        return text_of(
            "exact numbers of {counted} beside each number, which are then published for good: with counts, "
            "readers can estimate a vehicle's mean speed in a hexagon slot to about 4 km/h, and to about 1 "
            "where it passes often, whatever epsilon is",
            counted=counted,
        )
    return text_of(
        "exact numbers of {counted} beside each number, which are then published for good", counted=counted
    )


def counted_exactly(*, dwell: bool) -> str:
    """What exact counts are of; without visits where these are not known."""
    return "vehicles, visits, records and days" if dwell else "vehicles, records and days"


def protected_by(relation: Relation, unit: Unit) -> str:
    """What one unit is protected in."""
    return (PRESENCE if relation is Relation.USER else PROTECTED)[unit]


PROTECTED_HOW = {
    Strength.WELL: "protected",
    Strength.PARTLY: "only partly protected",
    Strength.HARDLY: "hardly protected",
}
"""What may be said of values, as `_HIDDEN` of presence."""


def confirmation_sentence(
    relation: Relation,
    unit: Unit,
    single_vehicle: int,
    hats: int,
    stated: StatedLoss | None,
    *,
    dwell: bool,
) -> str:
    """The sentence that explains the choice of relation and unit.

    Of values it is the same at every epsilon: what becomes public is confirmed, and budgets may be tried.
    hats: the selected ones with records; stated: of one unit by this release, None where that is not known;
    dwell: as `left_open` has it.
    """
    if stated is not None and stated.loss.rho and not stated.delta:
        stated = None
    if relation is Relation.USER:
        return presence_sentence(unit, stated)
    alone = (
        text_of("None of {counted} holds only one vehicle.", counted=count_of(hats, "hexagon slot"))
        if not single_vehicle
        else text_of(
            "Of {counted}, {single}; its presence becomes public.",
            counted=count_of(hats, "hexagon slot"),
            single=count_of(single_vehicle, "holds a single vehicle", "hold a single vehicle"),
        )
    )
    return text_of(
        "The values of one {unit}, and where inside a hexagon and when inside a timeslot, are protected as "
        "well as epsilon says; how many {counted} a vehicle has in a hexagon slot becomes public. {alone}",
        unit=unit,
        counted=_counted(dwell=dwell),
        alone=alone,
    )
