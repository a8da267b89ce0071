"""ui.session.opened_data: what an index follows from, and which choices read the records anew."""

from __future__ import annotations

import dataclasses

from core.draft.draft import Draft
from core.hats.groups import Group
from core.hats.places import LABELLED
from ui.session.opened_data import fields_of, indexing_of


def test_an_index_follows_from_a_list_only_where_it_numbers_the_places() -> None:
    hexagons = Draft(cells_file="a.txt")
    assert indexing_of(hexagons) == indexing_of(dataclasses.replace(hexagons, cells_file="b.txt"))
    by_route = dataclasses.replace(hexagons, place_kind=LABELLED, place_column="route")
    assert indexing_of(by_route) != indexing_of(dataclasses.replace(by_route, cells_file="b.txt"))
    assert indexing_of(by_route) != indexing_of(hexagons)


def test_labels_that_nobody_typed_follow_from_the_least_number_of_vehicles() -> None:
    open_ones, typed = Draft(groups=(Group("direction"),)), Draft(groups=(Group("direction", ("UP",)),))
    for draft, follows in ((open_ones, True), (typed, False)):
        other = dataclasses.replace(draft, minimum_vehicles=draft.minimum_vehicles + 1)
        assert (indexing_of(draft) != indexing_of(other)) is follows
    assert fields_of(typed, ("groups",)) == {"groups": typed.groups}
