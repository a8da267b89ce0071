"""report.html: one page that loads nothing and escapes everything."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from core.bundle.data_files import in_unit
from core.bundle.protection_texts import EVALUATED
from core.bundle.query_sentence import query_sentence
from core.bundle.release_result import Release
from core.bundle.zcdp_texts import EXPLAINED
from core.place_words import said_to_people
from core.portal.report_html import MOST_ROWS, report_row, width_classes
from core.portal.schema_org import LINKED_DATA
from core.privacy import Relation
from core.signed.bundle_names import REPORT
from core.statistics.mean import SPEED_MEAN
from tests.builders import (
    CELLS,
    make_city_query,
    make_documents,
    make_mixed_release,
    make_open_row,
    make_query,
    make_release,
    make_row,
    make_rows,
    make_texts,
)


def _page(release: Release | None = None, **texts: str) -> str:
    return make_documents(release, make_texts(**texts))[REPORT].decode()


class Loads(HTMLParser):
    """Collects what a page would fetch, and whether its tags are balanced."""

    VOID = frozenset({"meta", "br"})
    """Beside what closes itself, as the shapes of pictures do."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        data = tag == "script" and ("type", LINKED_DATA) in attrs
        loading = tag in {"script", "link", "img", "iframe", "object", "a"} and not data
        self.fetched += [tag] if loading else []
        self.fetched += [name for name, _ in attrs if name in {"src", "href", "srcset", "background"}]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Closed at once."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_it_loads_nothing_and_is_well_formed() -> None:
    parser = Loads()
    parser.feed(_page())
    assert parser.fetched == []
    assert parser.open == []
    assert set(re.findall(r"url\(([^)]*)\)", _page())) == {"#hatch"}  # in the page itself
    assert "@import" not in _page()


@pytest.mark.parametrize("field", ["title", "publisher", "contact", "licence"])
def test_free_text_is_escaped(field: str) -> None:
    page = _page(None, **{field: "<script>alert(1)</script>\"'&"})
    assert page.count("<script") == page.count(f'<script type="{LINKED_DATA}"') == 1
    assert "&lt;script&gt;" in page


def test_the_headline_comes_first_with_unit_and_relation() -> None:
    page = _page()
    assert re.search(r"</span>3\.5</div>\s*<span class=\"badge\">per vehicle</span>", page)
    assert page.index("3.5") < page.index("What the release costs") < page.index("What is not protected")
    assert "ε per vehicle,<br>relation values" in page
    assert "prefers-color-scheme: dark" in page


def test_relation_user_shows_no_open_facts() -> None:
    assert "What is not protected" not in _page(make_release(relation=Relation.USER))


def test_every_row_is_shown() -> None:
    page = _page()
    assert page.count(f"<code>{CELLS[0]}</code>") == 2
    assert "20.668" in page
    assert "18.001 – 23.335" in page
    assert ">suppressed</td>" in page


def test_a_row_that_tells_nothing_says_so() -> None:
    assert "no information</span>" not in _page()
    page = _page(make_release(queries=(make_query(rows=(make_open_row(CELLS[0], 9),)),)))
    assert "no information</span>" in page


def test_each_query_is_told_as_in_the_readme() -> None:
    release = make_release()
    sentence = said_to_people(query_sentence(release, release.queries[0]), hexagons=True)
    assert sentence in _page(release)
    assert "Width of the 95 % interval of noise and modelled bias" in _page(release)


def test_a_release_of_suppressed_rows_has_a_report() -> None:
    page = _page(make_release(queries=(make_query(rows=make_rows()[3:], contribution_cap=None),)))
    assert "0 published hexagon slots; 1 suppressed" in page


def test_a_long_table_points_to_the_csv() -> None:
    row = make_rows()[0]
    page = _page(make_release(queries=(make_query(rows=(row,) * (MOST_ROWS + 7)),)))
    assert "7 more rows are in" in page
    assert page.count("18.001 – 23.335") == MOST_ROWS


def test_bars_lie_on_the_bounds() -> None:
    row = make_row(CELLS[0], 9, mean=32_500, low=0, high=65_000, bias_bound=0)
    bar = report_row(row, row.first, SPEED_MEAN, 65_000)
    assert (bar.left, bar.width, bar.at) == (0, 100, 50)


def test_widths_are_counted_once_each() -> None:
    classes = width_classes([0, 1000, 1001, 2000, 5000, 20_000, 20_001])
    assert [item.rows for item in classes] == [2, 2, 1, 0, 1, 1]
    assert [item.label for item in classes][:2] == ["up to 1", "1 to 2"]
    assert width_classes([]) == []


@pytest.mark.parametrize("relation", list(Relation))
def test_an_evaluation_is_said_with_what_is_not_protected(relation: Relation) -> None:
    page = _page(make_release(evaluated=True, relation=relation))
    assert page.index("What is not protected") < page.index(EVALUATED) < page.index("<dt>mechanism</dt>")
    assert EVALUATED not in _page(make_release(relation=relation))


def test_a_single_day_is_named_once_and_each_query_tells_its_cost() -> None:
    page = _page()
    assert "2024-03-01 – 2024-03-04, 2024-03-09, 09:00–11:00" in page
    assert "<dt>cost</dt><dd>ε 3.5 per vehicle, relation values</dd>" in page


def test_gaussian_noise_is_told_with_delta_and_rho() -> None:
    text = _page(make_mixed_release())
    sums = "All ε hold at δ = 0.000001"
    for told in ("δ = 0.000001", '<th class="n">ρ in it</th>', sums, "ρ 0.05", EXPLAINED):
        assert told in text
    assert "discrete Gaussian, standard deviation up to" in text
    assert "discrete Laplace, scale up to" in text
    pure = _page(make_release())
    assert "δ" not in pure
    assert "ρ" not in pure


def test_gaussian_noise_of_earlier_releases_is_told_of_the_sum_alone() -> None:
    mixed = make_mixed_release()
    parts = {"cumulative": mixed.cumulative, "cumulative_parts": mixed.cumulative_parts, "delta": mixed.delta}
    text = _page(make_release(**parts))
    assert "ε of all releases so far holds at δ = 0.000001" in text
    assert "ρ" not in text


def test_smoothed_numbers_stand_beside_the_raw_ones_and_are_explained() -> None:
    query = make_city_query()
    page = _page(make_release(queries=(query,)))
    assert "<h2>Raw and smoothed</h2>" in page
    assert "<strong>An estimate under a prior</strong>: it borrows from neighbours in space and time" in page
    assert "unusually fast and slow hexagons less often: use the raw interval there." in page
    assert "typical error about 0.91 km/h in the median hexagon slot" in page
    for row in query.rows:
        smoothed = row.number("speed_smoothed_kmh")
        if smoothed is not None:
            assert f'<td class="n">{in_unit(smoothed.value)}</td>' in page
            assert f"{in_unit(smoothed.low)} – {in_unit(smoothed.high)}</td>" in page
    heads, cells = page.count('<th class="n">its 95 % interval</th>'), re.findall(r'colspan="(\d)"', page)
    assert (heads, set(cells)) == (1, {"7"})
    assert "moothed" not in _page()


def test_places_stand_beside_the_id_and_are_never_markup() -> None:
    markup = "<img src=x onerror=alert(1)>"
    page = _page(make_release(places={CELLS[0]: markup}))
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert markup not in page
    assert f"<code>{CELLS[1]}</code></td>" in page, "nothing is near it"
