"""core.portal.difference_words: differences in sentences, word by word."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.portal.difference_words import card_of, chance_sentence, headline
from core.portal.differences import Difference, Ranged
from core.portal.row_parts import RowPart
from core.quantity import SPEED, Quantity
from tests.compared_city import compared_release, published_city

FACTS = published_city(compared_release(rings=0)).facts
DELAY = Quantity(name="delay", column_unit="s", unit="s")
NOBODY = np.zeros(1, bool)
MIDDLE = RowPart(
    key="middle",
    title="Middle",
    where="in the middle of the network",
    detail="Middle: 19 hexagons within 6 km of the average position of buses",
    chosen=NOBODY,
    of_places=True,
)
EDGE = RowPart(
    key="edge",
    title="Edge",
    where="at its edge",
    detail="Edge: 19 hexagons farther than 11 km",
    chosen=NOBODY,
    of_places=True,
)
EVENING, MIDDAY = (
    RowPart(key=key, title=title, where=f"from {hours}", detail=hours, chosen=NOBODY)
    for key, title, hours in (
        ("evening-peak", "Evening peak", "16:00 to 19:00"),
        ("midday", "Midday", "10:00 to 16:00"),
    )
)
SLOWER = Difference(
    first=MIDDLE,
    second=EDGE,
    raw=Ranged(-5.21, -8.83, -1.52),
    smoothed=Ranged(-3.84, -6.93, -0.64),
    means=(Ranged(19.8, 17.4, 21.6), Ranged(23.7, 21.3, 26.4)),
    strong=True,
    alone=None,
)
OPEN = Difference(
    first=EVENING,
    second=MIDDAY,
    raw=Ranged(1.82, -1.52, 5.04),
    smoothed=Ranged(0.7, -1.52, 3.14),
    means=(Ranged(20.1, 18.0, 22.0), Ranged(19.6, 18.0, 22.0)),
    strong=False,
    alone=(0, 56),
)


def test_a_clear_difference_is_said_with_its_range() -> None:
    card = card_of(SLOWER, SPEED)
    assert dataclasses.asdict(card) == {
        "heading": "Middle against edge",
        "numbers": (-3.84, -6.93, -0.64),
        "figure": "3.8 km/h slower",
        "range": "between 0.6 and 7.0",
        "clear": True,
        "chance": "More than chance can explain.",
        "detail": "Middle: 19 hexagons within 6 km of the average position of buses. Edge: 19 hexagons "
        "farther than 11 km. Raw, without a model: 5.2 slower, from 8.9 slower to 1.5 slower.",
    }


@pytest.mark.parametrize(
    ("alone", "said"),
    [
        (
            (0, 56),
            "No place taken alone: in none of 56 places is the difference larger than chance can explain.",
        ),
        ((12, 80), "12 of 80 places taken alone, of which about one may be chance."),
        ((27, 80), "27 of 80 places taken alone, of which about 3 may be chance."),
    ],
)
def test_what_chance_explains_is_no_difference(alone: tuple[int, int], said: str) -> None:
    card = card_of(dataclasses.replace(OPEN, alone=alone), SPEED)
    assert (card.heading, card.figure) == ("Evening peak against midday", "No clear difference")
    assert card.range == "anything from 1.6 km/h slower to 3.2 faster"
    assert card.chance == f"Chance alone can explain it. {said}"
    assert card.detail.startswith(
        "16:00 to 19:00 against 10:00 to 16:00, same places. Raw, without a model: 1.8"
    )


def test_other_values_are_lower_or_higher() -> None:
    assert card_of(SLOWER, DELAY).figure == f"3.8 {DELAY.unit} lower"
    unsmoothed = dataclasses.replace(SLOWER, smoothed=None)
    card = card_of(unsmoothed, SPEED)
    assert card.figure == "5.2 km/h slower"
    assert "without a model" not in card.detail


@pytest.mark.parametrize(
    ("many", "fixed", "said"),
    [
        (
            3,
            True,
            "These three comparisons were fixed before anybody saw a number. If nothing differed, chance "
            "would call fewer than one of them clear (0.15 of 3).",
        ),
        (
            1,
            True,
            "This one comparison was fixed before anybody saw a number. If nothing differed, chance would "
            "call it clear in 5 of a hundred cases.",
        ),
        (40, False, "If nothing differed, chance would call about 2 of them clear (2 of 40)."),
    ],
)
def test_how_many_may_be_false_is_said(many: int, fixed: bool, said: str) -> None:
    assert chance_sentence(many, fixed=fixed) == said


def test_the_title_is_the_first_beyond_doubt_said_smoothed() -> None:
    """Never the raw numbers of a test that was passed: they exaggerate."""
    said = headline([OPEN, SLOWER], SPEED, FACTS)
    assert said is not None
    assert said[0] == (
        "Vehicles drove at about 20 km/h in the middle of the network and 24 at its edge, 1 to 9 March 2024"
    )
    assert said[1] == (
        "Vehicles drove at about 20 km/h in the middle of the network (between 17 and 22) and about 24 km/h "
        "at its edge (between 21 and 27) from 1 to 9 March 2024, 10:00 to 21:00."
    )
    daily = dataclasses.replace(FACTS, gaps=False)
    assert (headline([SLOWER], SPEED, daily) or ("", ""))[1].endswith("2024, 10:00 to 21:00 each day.")
    one_day = dataclasses.replace(FACTS, last=FACTS.first)
    assert (headline([SLOWER], SPEED, one_day) or ("", ""))[1].endswith(" on 1 March 2024, 10:00 to 21:00.")
    somewhere = headline([SLOWER], SPEED, dataclasses.replace(FACTS, region="Austin"))
    assert somewhere is not None
    assert all(
        text.startswith("Vehicles in Austin drove at about 20 km/h in the middle") for text in somewhere
    )
    other = headline([SLOWER], DELAY, FACTS)
    assert other is not None
    assert other[0].startswith("Mean delay: about 20 s in the middle of the network and 24 at its edge")
    near = dataclasses.replace(SLOWER, means=(Ranged(23.4, 22.0, 24.0), Ranged(23.3, 22.0, 24.0)))
    assert "23.4 km/h in the middle of the network and 23.3" in (headline([near], SPEED, FACTS) or ("",))[0]


@pytest.mark.parametrize(
    "changes", [{"strong": False}, {"smoothed": None}, {"smoothed": Ranged(-1.0, -2.0, 0.5)}]
)
def test_no_title_is_made_of_less(changes: dict[str, object]) -> None:
    assert headline([OPEN, dataclasses.replace(SLOWER, **changes)], SPEED, FACTS) is None  # type: ignore[arg-type]
