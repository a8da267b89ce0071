"""core.bundle.public_words: what a journalist reads first follows from what is published."""

from __future__ import annotations

import dataclasses
import datetime as dt
import html
import json
from decimal import Decimal

import pytest

from core.bundle.public_words import (
    BORROWED,
    NOTHING_SAID,
    RANGES_HOLD,
    PublicWords,
    dates_in_words,
    page_words,
    public_words,
)
from core.bundle.region_facts import RegionFacts
from core.bundle.release_result import Release
from core.hats.groups import DAY_KIND, Group
from core.hats.places import HEXAGON, WHOLE, PlaceChoice
from core.portal.published_facts import published_facts
from core.privacy import Relation
from core.signed.bundle_names import DATAPACKAGE, PRIVACY, README, REPORT
from core.statistics.base import Estimate, Measure
from core.statistics.cdf import CUMULATIVE_SHARE
from core.statistics.mean import SPEED_MEAN
from core.statistics.share import VALUE_SHARE
from core.subject import Subject
from tests.builders import (
    CELLS,
    make_charge,
    make_city_query,
    make_documents,
    make_limits_query,
    make_mixed_release,
    make_query,
    make_release,
    make_texts,
)


def words_of(release: Release | None = None) -> PublicWords:
    return public_words(release or make_release(), make_texts())


@pytest.mark.parametrize(
    ("ranges", "text"),
    [
        ([("2016-11-24", "2016-11-24")], "24 November 2016"),
        ([("2016-11-24", "2016-11-27")], "24 to 27 November 2016"),
        ([("2016-10-24", "2016-11-27")], "24 October to 27 November 2016"),
        ([("2015-12-30", "2016-01-02")], "30 December 2015 to 2 January 2016"),
        (
            [("2016-11-01", "2016-11-04"), ("2016-11-09", "2016-11-09")],
            "1 to 9 November 2016, on some of the days",
        ),
    ],
)
def test_dates_are_said_as_people_say_them(ranges: list[tuple[str, str]], text: str) -> None:
    days = [(dt.date.fromisoformat(first), dt.date.fromisoformat(last)) for first, last in ranges]
    assert dates_in_words(days) == text


def test_what_was_measured_where_and_when_comes_first() -> None:
    first, noise = words_of().measured
    assert first.startswith("Mean speed in 2 hexagons, 1 to 9 March 2024")
    assert first.endswith("9:00 to 11:00: 3 rows with numbers.")
    assert "deliberate noise" in noise
    assert ", and mean speed of vehicles and days" in words_of(make_mixed_release()).measured[0]


def test_the_surest_number_is_quoted_with_its_range_outwards() -> None:
    """The narrowest of 18.001 to 23.335, 0 to 1.5 and 29.222 to 32.777."""
    query = make_query()
    items = [(row, item) for row in query.rows for item in row.estimates if item.informative]
    row, surest = min(items, key=lambda one: one[1].high - one[1].low)
    text = words_of(make_release(queries=(query,))).quotation
    assert row.cell in text
    low, high = (float(part.split()[0]) for part in text.split("(between ")[1].split(" and "))
    assert low <= surest.low / 1000
    assert high >= surest.high / 1000
    assert words_of(make_release(queries=(make_limits_query(),))).quotation == ""


SEVERAL = make_release().date_ranges


@pytest.mark.parametrize(
    ("kind", "ranges", "group", "labels", "said"),
    [
        (HEXAGON, SEVERAL, None, (), " from 1 to 9 March 2024, on some of the days, 9:00 to 10:00."),
        (HEXAGON, SEVERAL[:1], None, (), " from 1 to 4 March 2024, 9:00 to 10:00 each day."),
        (HEXAGON, SEVERAL[1:], None, (), " on 9 March 2024, 9:00 to 10:00."),
        (HEXAGON, SEVERAL[:1], DAY_KIND, ("weekday",), " from 1 to 4 March 2024, 9:00 to 10:00."),
        (HEXAGON, SEVERAL[:1], "direction", ("UP",), " from 1 to 4 March 2024, 9:00 to 10:00 each day."),
        (WHOLE, SEVERAL[:1], None, (), " from 1 to 4 March 2024, 9:00 to 10:00 each day."),
    ],
)
def test_a_quotation_says_whose_number_it_is(
    kind: str,
    ranges: tuple[tuple[dt.date, dt.date], ...],
    group: str | None,
    labels: tuple[str, ...],
    said: str,
) -> None:
    """Of weekdays it said each day, of a direction nothing, and of the whole area that it is in all."""
    rows = tuple(dataclasses.replace(row, groups=labels) for row in make_query().rows[:1])
    release = make_release(
        queries=(dataclasses.replace(make_query(), rows=rows),),
        place=PlaceChoice(place_kind=kind),
        date_ranges=ranges,
        groups=() if group is None else (Group(name=group, labels=labels),),
    )
    where = {
        None: "the whole area" if kind == WHOLE else f"hexagon {CELLS[0]}",
        DAY_KIND: f"hexagon {CELLS[0]} (weekday)",
        "direction": f"hexagon {CELLS[0]} (direction UP)",
    }[group]
    text = words_of(release).quotation
    assert text.startswith(f"Vehicles drove in {where} at about ")
    assert text.endswith(said)


@pytest.mark.parametrize(("half", "quoted"), [(16_000, True), (17_000, False), (32_500, False)])
def test_a_number_that_may_be_almost_any_is_not_quoted(half: int, quoted: bool) -> None:
    item = Estimate(measure=SPEED_MEAN.name, value=32_500, low=32_500 - half, high=32_500 + half)
    rows = tuple(dataclasses.replace(row, estimates=(item,)) for row in make_query().rows[:1])
    release = make_release(queries=(dataclasses.replace(make_query(), rows=rows),))
    assert bool(words_of(release).quotation) is quoted


def test_regions_are_counted_as_regions() -> None:
    facts = RegionFacts(2, Decimal(4), Decimal(4), Decimal("0.9"))
    query = dataclasses.replace(make_query(), regions=facts)
    assert " in 2 regions, " in words_of(make_release(queries=(query,))).measured[0]


def test_what_numbers_can_say_goes_by_what_is_shown_first() -> None:
    raw, smoothed = (
        words_of(make_release(queries=(one,))).can_say for one in (make_query(), make_city_query())
    )
    assert not any("Smoothed" in text for text in raw)
    assert any("Smoothed" in text for text in smoothed)
    assert any("left out: too few vehicles (not zero)" in text for text in raw)
    # the smoothed ranges are half as wide
    assert any("±1.8 km/h" in text for text in raw)
    assert any("±0.9 km/h" in text for text in smoothed)


@pytest.mark.parametrize(
    ("statistic", "measure", "width", "said"),
    [
        ("cdf", CUMULATIVE_SHARE, 310_000, "is typically known to within ±16 percentage points."),
        ("share", VALUE_SHARE, 310_000, "is typically known to within ±16 percentage points."),
        (
            "cdf",
            CUMULATIVE_SHARE,
            1_000_000,
            "covers every possible number",
        ),
        (
            "cdf",
            CUMULATIVE_SHARE,
            995_000,
            "covers every possible number",
        ),
        ("mean", SPEED_MEAN, 65_000, "covers every possible number"),
    ],
)
def test_errors_of_shares_are_percentage_points_and_never_more_than_there_can_be(
    statistic: str, measure: Measure, width: int, said: str
) -> None:
    """Of a distribution they were 0.155 and 0.5 of nothing; its last number, always 1, is no usual one."""
    ranges = [(0, width), (0, width), (width, width)]
    items = [Estimate(measure=measure.name, value=low, low=low, high=high) for low, high in ranges]
    rows = tuple(dataclasses.replace(row, estimates=tuple(items)) for row in make_query().rows if row.first)
    query = make_query(statistic=statistic, mechanism=statistic, rows=rows)
    (found,) = (one for one in words_of(make_release(queries=(query,))).can_say if "ypical" in one)
    assert found.endswith((said, f"{said}: such a number says next to nothing."))


def test_the_source_is_named_and_what_protects_is_said_as_elsewhere() -> None:
    texts, release = make_texts(), make_release()
    found = words_of(release)
    named = {
        "publisher": texts.publisher,
        "title": texts.title,
        "version": texts.version,
        "licence": texts.licence,
    }
    assert f"“{texts.title}”, version {texts.version}" in found.source
    assert page_words(named, Subject(name="bus", plural="buses")) == {
        "noise": "Each number carries deliberate noise that protects single buses; the ranges say how much.",
        "ranges": RANGES_HOLD,
        "smoothed": BORROWED,
        "nothing": NOTHING_SAID.replace("vehicles", "buses"),
        "left": "left out: too few buses (not zero)",
        "source": found.source.replace("vehicles", "buses"),
    }
    assert found.protects[:2] == release.loss_sentences[:2]
    assert "becomes public" in found.protects[2]
    assert CELLS[0] not in " ".join(found.can_say)


@pytest.mark.parametrize(
    ("epsilon", "relation", "likely", "said"),
    [
        (
            "10",
            Relation.USER,
            "at most 22,100 times more or less likely.",
            "Whether a vehicle was there at all is hardly hidden: at epsilon 10 this release may make a "
            "guess that it was up to 22,100 times likelier.",
        ),
        (
            "40",
            Relation.USER,
            "promises next to nothing.",
            "Whether a vehicle was there at all is hardly hidden: at epsilon 40 this release may make a "
            "guess that it was likelier by a factor of up to 18 digits.",
        ),
        (
            "10",
            Relation.VALUES,
            "at most 22,100 times more or less likely.",
            "reported there is hardly protected.",
        ),
        ("3", Relation.VALUES, "at most 20.1 times more or less likely.", "there is only partly protected."),
        ("2", Relation.VALUES, "at most 7.39 times more or less likely.", "reported there is protected."),
        ("40", Relation.VALUES, "promises next to nothing.", "reported there is hardly protected."),
    ],
)
def test_nothing_is_called_hidden_that_an_attacker_may_find_out(
    epsilon: str, relation: Relation, likely: str, said: str
) -> None:
    """At any epsilon it was said that even presence stays unknown."""
    charge = make_charge(per_vehicle=Decimal(epsilon))
    release = dataclasses.replace(make_release(charge=charge), relation=relation)
    protects = words_of(release).protects
    assert protects[0].endswith(likely)
    assert protects[2].endswith(said)
    documents = make_documents(release)
    for name in (README, REPORT):
        text = html.unescape(documents[name].decode())
        assert all(sentence in text for sentence in protects)
        assert "stays unknown" not in text
    meaning = published_facts(json.loads(documents[DATAPACKAGE]), json.loads(documents[PRIVACY])).meaning
    assert meaning[0].endswith(likely)
