"""What a release says of its protection: what each unit protects, what stays open, what is confirmed."""

from __future__ import annotations

from core.counted import count_of
from core.privacy import Relation, Unit
from core.texts import joined, text_of

PROTECTED = {
    Unit.VEHICLE: "everything that one vehicle reported in the whole window",
    Unit.VEHICLE_DAY: "everything that one vehicle reported on one day",
    Unit.VEHICLE_HAT_DAY: "what one vehicle reported in one hexagon and timeslot on one day",
}
UNPROTECTED = (
    "how many records each vehicle has in each hexagon and timeslot",
    "which vehicles were where and when",
    "which hexagons and timeslots are selected or suppressed",
    "which records were dropped as unusable",
)
"""What relation `values` does not protect (method 5)."""
FIXED_RATE = "whether records come at a fixed rate"
"""Of a speed as little protected: it shows how long vehicles stay, and the import may propose it."""
PRESENCE = "; and whether it reported anything at all"
"""What relation `user` protects beside."""
CONSTANTS_ARE_PUBLIC = (
    "the constants of this spec: list of hexagons, window, bounds, hexagon slots per vehicle, "
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
    "files another name, and the release is drawn and charged anew."
)
"""What is said first of a request of relation `user` that was drawn before; {date}: of the draw, UTC."""
IDS_ALIKE = (
    "{n} vehicles have ids that differ only in zeros in front, quotes, marks of thousands, a .0 or unseen "
    "signs. A vehicle that stands under two such ids has two times the stated epsilon. A spec with "
    "vehicle_fold = true under [data.mapping] takes such ids as one."
)
"""Said of a release of relation `values` in which ids are alike; {n}: how many."""
EVALUATED = (
    "Before this release, errors on true values of its vehicles were looked at in confidence; what that "
    "told the publisher when choosing the parameters is not covered by epsilon."
)
"""Said of a release whose population was evaluated before (method 10)."""


def protected_by(relation: Relation, unit: Unit) -> str:
    """What one unit is protected in."""
    return joined("", (PROTECTED[unit], PRESENCE)) if relation is Relation.USER else PROTECTED[unit]


def confirmation_sentence(
    relation: Relation, unit: Unit, single_vehicle: int, hats: int, *, gaussian: bool = False
) -> str:
    """The sentence that explains the choice of relation and unit.

    hats: the selected ones with records; gaussian: some of the noise is.
    """
    if relation is Relation.USER and gaussian:
        return text_of(
            "Odds that one {unit} is there change at most e^epsilon-fold: 2.7 at 1, 22,000 at 10. With "
            "Gaussian noise this may fail, with a probability of at most delta.",
            unit=unit,
        )
    if relation is Relation.USER:
        return text_of(
            "Odds that one {unit} is there change at most e^epsilon-fold: 2.7 at 1, 22,000 at 10.", unit=unit
        )
    if not single_vehicle:
        return text_of(
            "The values of one {unit} are protected; which vehicles were where, and how often, becomes "
            "public. None of {counted_hexagon_slots} holds only one vehicle.",
            unit=unit,
            counted_hexagon_slots=count_of(hats, "hexagon slot"),
        )
    return text_of(
        "The values of one {unit} are protected; which vehicles were where, and how often, becomes public. "
        "Of {counted_hexagon_slots}, {counted_hold_a_single_vehicle}; its presence becomes public.",
        unit=unit,
        counted_hexagon_slots=count_of(hats, "hexagon slot"),
        counted_hold_a_single_vehicle=count_of(
            single_vehicle, "holds a single vehicle", "hold a single vehicle"
        ),
    )
