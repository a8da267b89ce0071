"""What a person reads before labels are published as places."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.release.contributions_source import contributions_for
from core.release.label_review import LabelReview, label_question, label_reviews
from core.spec import load_spec
from tests.labelled_city import BY_ROUTE, MAPPED, RARE, USER, write_labelled_city


def reviews_of(folder: Path, *edits: tuple[str, str]) -> tuple[LabelReview, ...]:
    spec = load_spec(write_labelled_city(folder, edits))
    return label_reviews(spec, contributions_for(spec)[0])


def test_labels_are_listed_with_the_vehicles_of_the_rarest_and_rare_ones_are_not_named(
    tmp_path: Path,
) -> None:
    (found,) = reviews_of(tmp_path, *BY_ROUTE)
    assert found.text.startswith("3 labels of route: ")
    assert "1 with fewer are left out" in found.text
    assert RARE not in found.text
    assert (found.suspicious, found.warning) == (False, "")
    assert found.text.endswith("what they reveal of a speed is not protected")
    assert (
        label_question([found])
        == "Could anyone know route of each record without knowing its speed, for instance from a timetable?"
    )


GROUPED = (
    MAPPED,
    ("slot_minutes = 60", 'slot_minutes = 60\ngroup = ["direction", "day_kind"]'),
    ("[hats]", '[data.filter]\nnot_route = ["=2"]\n\n[hats]'),
)


def test_columns_of_groups_and_filters_are_asked_about_as_places_are(tmp_path: Path) -> None:
    by_direction, by_filter = reviews_of(tmp_path, *GROUPED)
    assert by_direction.text.startswith("2 labels of direction: DN, UP; the rarest with ")
    assert (by_filter.column, by_filter.text) == ("route", "")
    question = label_question([by_direction, by_filter])
    assert question.startswith("Could anyone know direction and route of each record without knowing its ")
    once = reviews_of(tmp_path / "once", *BY_ROUTE, GROUPED[2])
    assert [one.column for one in once] == ["route"]


@pytest.mark.parametrize(
    ("edits", "warned"),
    [
        ((*GROUPED[:2], GROUPED[2]), []),
        ((*GROUPED[:2], ("[hats]", '[data.filter]\nroute = ["1", "stopped"]\n\n[hats]')), ["route"]),
        (
            (
                ('unit = "km/h"', 'unit = "km/h"\ncolumns = { bus_status = "direction" }'),
                ("slot_minutes = 60", 'slot_minutes = 60\ngroup = ["bus_status"]'),
            ),
            ["bus_status"],
        ),
    ],
)
def test_names_and_labels_of_groups_and_filters_are_looked_at(
    edits: tuple[tuple[str, str], ...], warned: list[str], tmp_path: Path
) -> None:
    assert [one.column for one in reviews_of(tmp_path, *edits) if one.warning] == warned


def test_typed_groups_of_relation_user_are_asked_about_and_nothing_is_counted(tmp_path: Path) -> None:
    typed = 'slot_minutes = 60\ngroup = ["direction"]\nlabels = { direction = ["UP", "stopped"] }'
    place, group = reviews_of(tmp_path, *BY_ROUTE, *USER, ("slot_minutes = 60", typed))
    assert (place.column, place.text, place.suspicious) == ("route", "", False)
    assert (group.column, group.text, group.suspicious) == ("direction", "", True)


@pytest.mark.parametrize("column", ["status", "bus_state", "speed_band", "MOVING"])
def test_a_name_that_sounds_like_the_value_is_warned_of(column: str) -> None:
    named = LabelReview(column=column, value="speed", text="", labels=(), suspicious=True)
    assert named.warning.startswith(f"{column} sounds as if it followed from the speed")


def test_in_relation_user_nothing_follows_from_the_records(tmp_path: Path) -> None:
    (found,) = reviews_of(tmp_path, *BY_ROUTE, *USER)
    assert (found.text, found.suspicious) == ("", False)


def test_hexagons_have_no_labels(tmp_path: Path) -> None:
    spec = load_spec(write_labelled_city(tmp_path, ()))
    assert label_reviews(spec, contributions_for(spec)[0]) == ()
    assert label_question(()) == ""
