"""What a person reads before labels are published as places."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.release.contributions_source import contributions_for
from core.release.label_review import LabelReview, label_review
from core.spec import load_spec
from tests.labelled_city import BY_ROUTE, RARE, USER, write_labelled_city


def review_of(folder: Path, *more: tuple[str, str]) -> LabelReview | None:
    spec = load_spec(write_labelled_city(folder, (*BY_ROUTE, *more)))
    return label_review(spec, contributions_for(spec)[0])


def test_labels_are_listed_with_the_vehicles_of_the_rarest_and_rare_ones_are_not_named(
    tmp_path: Path,
) -> None:
    found = review_of(tmp_path)
    assert found is not None
    assert found.text.startswith("3 labels of route: ")
    assert "1 with fewer are left out" in found.text
    assert RARE not in found.text
    assert (found.suspicious, found.warning) == (False, "")
    assert (
        found.question == "Is route of each record known without its speed, such as a route or a direction?"
    )


@pytest.mark.parametrize("column", ["status", "bus_state", "speed_band", "MOVING"])
def test_a_name_that_sounds_like_the_value_is_warned_of(column: str) -> None:
    named = LabelReview(column=column, value="speed", text="", suspicious=True)
    assert named.warning.startswith(f"{column} sounds as if it followed from the speed")


def test_in_relation_user_nothing_follows_from_the_records(tmp_path: Path) -> None:
    found = review_of(tmp_path, *USER)
    assert found is not None
    assert (found.text, found.suspicious) == ("", False)


def test_hexagons_have_no_labels(tmp_path: Path) -> None:
    spec = load_spec(write_labelled_city(tmp_path, ()))
    assert label_review(spec, contributions_for(spec)[0]) is None
