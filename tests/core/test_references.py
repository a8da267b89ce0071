"""Short references become citations that stand alone, and every one in use does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InternalError
from core.mechanisms.registry import all_mechanisms
from core.references import DOCUMENTS, WORKS, Work, citation
from core.statistics.registry import all_statistics

IN_USE = sorted({part.reference for part in (*all_mechanisms().values(), *all_statistics().values())})
LABELS = st.sampled_from(sorted(WORKS))
PLACES = st.sampled_from(("", "Sec. III-C", "Alg. 2", "eq. 4, 5", "III.E, Query 1", "Thm II.3, Sec. IV"))


def test_labels_are_keys_and_no_work_stands_twice() -> None:
    assert all(work.label == label for label, work in WORKS.items())
    assert len({work.title for work in WORKS.values()}) == len(WORKS) == 6


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_a_work_can_be_found(work: Work) -> None:
    assert work.title
    assert work.identifier
    assert work.year is None or 2020 <= work.year <= 2030
    if work.identifier.startswith("DOI"):
        assert re.fullmatch(r"DOI 10\.[0-9]{4,}/\S+", work.identifier)
    if work.identifier.startswith("arXiv"):
        assert re.fullmatch(r"arXiv:[0-9]{4}\.[0-9]{5}(v[0-9]+)?", work.identifier)


@pytest.mark.parametrize(("name", "title"), DOCUMENTS.items())
def test_a_page_of_our_own_is_cited_by_its_title(name: str, title: str) -> None:
    page = Path(__file__).resolve().parent.parent.parent / "docs" / f"{name}.md"
    assert page.read_text(encoding="utf-8").startswith(f"# {title}\n")


def test_a_year_is_said_where_there_is_one() -> None:
    assert WORKS["P3"].cited == (
        "Mean Estimation with User-Level Privacy on Multi-Dimensional IoT Datasets (2024, arXiv:2405.06261v1)"
    )
    assert WORKS["TR"].cited == (
        "Data Anonymization via Differential Privacy (technical report, version 1.0)"
    )


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("P4", "{P4}"),
        ("P2 eq. 4, 5", "{P2}, eq. 4, 5"),
        ("P3 Sec. III-E.1", "{P3}, Sec. III-E.1"),
        ("TR III.E, Query 1", "{TR}, III.E, Query 1"),
        ("P1, P2, P3", "{P1}; {P2}; {P3}"),
        ("P1 Sec. III-C; P3 Alg. 2", "{P1}, Sec. III-C; {P3}, Alg. 2"),
        ("P1 eq. 1, 2, TR IV C;P4", "{P1}, eq. 1, 2; {TR}, IV C; {P4}"),
        ("ours", "Hexveil's own"),
        ("ours, from public counts alone", "Hexveil's own, from public counts alone"),
        ("ours, city-release", "Hexveil's own, A whole city under one budget (documentation of the program)"),
    ],
)
def test_each_form_is_expanded(reference: str, expected: str) -> None:
    assert citation(reference) == expected.format(**{key: work.cited for key, work in WORKS.items()})


@pytest.mark.parametrize("reference", IN_USE)
def test_every_reference_in_use_becomes_a_citation_that_stands_alone(reference: str) -> None:
    published = citation(reference)
    known = [*(work.cited for work in WORKS.values()), *DOCUMENTS.values()]
    assert published == "Hexveil's own" or any(cited in published for cited in known)
    assert not re.search(r"\b(P[0-9]+|TR|SPEC|CITY|ours)\b", published)


@given(st.lists(st.tuples(LABELS, PLACES), min_size=1, max_size=4), st.sampled_from(("; ", ";", ", ")))
def test_works_and_places_keep_their_order(parts: list[tuple[str, str]], between: str) -> None:
    reference = between.join(f"{label} {place}".strip() for label, place in parts)
    wanted = [WORKS[label].cited + (f", {place}" if place else "") for label, place in parts]
    assert citation(reference) == "; ".join(wanted)


@pytest.mark.parametrize("reference", ["P9", "P1; P9 Alg. 1", "P1, P9", "example", "oursin", "", "P1;", " "])
def test_an_unknown_label_is_our_own_bug(reference: str) -> None:
    with pytest.raises(InternalError, match=r"which core\.references lacks"):
        citation(reference)


@pytest.mark.parametrize("reference", ["ours (SPEC 6)", "ours, CITY 4", "P1 SPEC 7", "ours (method.md 3)"])
def test_no_paper_of_the_project_is_cited(reference: str) -> None:
    with pytest.raises(InternalError, match="is not published"):
        citation(reference)
