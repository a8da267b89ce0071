"""core.records.zone_places: zones by city and by coordinates, from what is installed."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.records.zone_places import nearest_places, zone_places, zones_of_city
from core.records.zones import known_zones, require_zone


def test_every_place_lies_on_earth_in_a_known_zone() -> None:
    for place in zone_places():
        assert place.zone in known_zones(), place
        assert -90 <= place.latitude <= 90, place
        assert -180 <= place.longitude <= 180, place


def test_the_table_of_the_installed_package_and_the_cities_agree_where_both_name_a_place() -> None:
    found = {(place.name, place.zone): place for place in reversed(zone_places())}
    for place in zone_places():
        assert found[place.name, place.zone].km_from(place.latitude, place.longitude) < 30, place


@pytest.mark.parametrize(
    ("latitude", "longitude", "zone"),
    [
        (30.27, -97.74, "America/Chicago"),
        (21.17, 72.83, "Asia/Kolkata"),
        (12.97, 77.59, "Asia/Kolkata"),
        (13.75, 100.5, "Asia/Bangkok"),
        (-22.91, -43.17, "America/Sao_Paulo"),
        (48.14, 11.58, "Europe/Berlin"),
        (41.15, -8.61, "Europe/Lisbon"),
        (-33.87, 151.21, "Australia/Sydney"),
    ],
)
def test_the_nearest_place_tells_the_zone(latitude: float, longitude: float, zone: str) -> None:
    ((place, km),) = nearest_places(latitude, longitude)
    assert place.zone == zone
    assert km < 30


def test_the_nearest_of_some_zones_and_of_several() -> None:
    ((place, km),) = nearest_places(21.17, 72.83, among={"Asia/Karachi"})
    assert (place.name, round(km, -2)) == ("Karachi", 700)
    zones = [place.zone for place, _ in nearest_places(21.17, 72.83, most=3)]
    assert zones[0] == "Asia/Kolkata"
    assert len(set(zones)) == 3
    assert nearest_places(0.0, 0.0, among={"UTC"}) == ()


def test_distances_are_those_on_a_sphere() -> None:
    (london,) = [place for place in zone_places() if place.name == "London"]
    assert london.km_from(london.latitude, london.longitude) == 0.0
    assert london.km_from(-london.latitude, london.longitude + 180.0) == pytest.approx(20_015, abs=1)


@pytest.mark.parametrize(
    ("text", "zones"),
    [
        ("surat", ("Asia/Kolkata",)),
        ("São Paulo", ("America/Sao_Paulo",)),
        ("new york", ("America/New_York",)),
        ("Birmingham", ("Europe/London", "America/Chicago")),
        ("nowhere", ()),
        ("", ()),
    ],
)
def test_a_city_tells_its_zones(text: str, zones: tuple[str, ...]) -> None:
    assert zones_of_city(text) == zones


def test_a_city_in_place_of_a_zone_is_answered_with_its_zone() -> None:
    with pytest.raises(InputError) as caught:
        require_zone("Austin")
    assert caught.value.mend == 'write the zone of that place: "America/Chicago"'


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("München", "Europe/Berlin"),
        ("Köln", "Europe/Berlin"),
        ("Düsseldorf", "Europe/Berlin"),
        ("Nürnberg", "Europe/Berlin"),
        ("Wien", "Europe/Vienna"),
        ("Genève", "Europe/Zurich"),
        ("Calcutta", "Asia/Kolkata"),
    ],
)
def test_a_city_is_found_as_those_who_live_there_write_it(text: str, zone: str) -> None:
    assert zones_of_city(text) == (zone,)
