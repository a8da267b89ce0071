"""core.portal.slot_pictures: a picture of each timeslot, by classes."""

from __future__ import annotations

import re

import h3

from core.bundle.data_files import data_files
from core.bundle.public_tables import public_tables
from core.portal.slot_pictures import SlotPictures, slot_pictures
from core.quantity import SPEED
from core.signed.bundle_names import REPORT
from tests.builders import make_documents, make_open_row, make_query, make_release, make_row, make_rows
from tests.mixed_city import shared_release


def pictures(*rows: object) -> SlotPictures:
    release = make_release(queries=(make_query(rows=rows),)) if rows else make_release()
    (public,) = public_tables(data_files(release), SPEED)
    return slot_pictures(public, SPEED, 65_000)


def test_each_slot_has_a_picture_and_each_hexagon_is_in_it_once() -> None:
    drawn = pictures()
    assert [(one.start, one.end) for one in drawn.slots] == [("09:00", "10:00"), ("10:00", "11:00")]
    first, second = drawn.slots
    # of 20.7, 31.0 and, an hour later, 0.5: three numbers make two classes
    assert [path.count("M") for _, path in first.values] == [2]
    assert [path.count("M") for _, path in second.values] == [1]
    assert first.values[0][0] != second.values[0][0]
    assert [one.text for one in drawn.classes] == ["under 20 (slowest)", "20 and more"]
    assert (first.suppressed, first.outside) == ("", "")
    assert second.suppressed.count("M") == 1
    assert (drawn.name, drawn.unit, drawn.label) == ("speed_mean_kmh", "km/h", "")


def test_the_key_rises_to_what_is_exactly_the_most() -> None:
    cells = sorted(h3.grid_disk(make_rows()[0].cell, 3))
    means = [0] * 9 + [65_000] * 9 + [1_000 * mean for mean in range(10, 29)]
    drawn = pictures(
        *(
            make_row(cell, 9, mean=mean, low=mean, high=mean, bias_bound=0)
            for cell, mean in zip(cells, means, strict=True)
        )
    )
    texts = [one.text for one in drawn.classes]
    assert (texts[0], texts[-1]) == ("exactly 0", "exactly 65")
    assert texts[1].startswith("under")


def test_paths_stay_within_the_picture() -> None:
    drawn = pictures(
        *(
            make_row(cell, 9, mean=1, low=0, high=2, bias_bound=0)
            for cell in sorted(h3.grid_disk(make_rows()[0].cell, 3))
        )
    )
    path = drawn.slots[0].values[0][1]
    assert path.count("M") == 37
    for x, y in re.findall(r"M(\d+) (\d+)", path):
        assert 0 <= int(x) <= drawn.width
        assert 0 <= int(y) <= drawn.height


def test_what_is_unknown_and_what_is_not_there_look_different() -> None:
    one, _, other, _ = make_rows()
    drawn = pictures(
        make_open_row(one.cell, 9), make_row(other.cell, 10, mean=1, low=0, high=2, bias_bound=0)
    )
    first = drawn.slots[0]
    assert (first.unknown.count("M"), first.outside.count("M"), first.values) == (1, 1, ())


def test_the_report_shows_them_with_a_legend() -> None:
    page = make_documents()[REPORT].decode()
    assert page.count("<figure>") == 2
    assert "<figcaption>09:00–10:00</figcaption>" in page
    assert "suppressed</span>" in page
    assert "no information</span>" not in page


def test_small_hexagons_are_drawn_over_large_ones_and_only_where_they_have_a_row() -> None:
    (public,) = public_tables(data_files(shared_release()), SPEED)
    first, second = slot_pictures(public, SPEED, 65_000).slots
    assert [sum(path.count("M") for _, path in one.values) for one in first.layers] == [2, 1]
    assert [sum(path.count("M") for _, path in one.values) for one in second.layers] == [2, 0]
    assert (first.outside, second.outside) == ("", "")
    report = make_documents(shared_release())[REPORT].decode()
    (small,) = [path for _, path in first.layers[1].values]
    assert report.index(small) > max(report.index(path) for _, path in first.values)
