"""Every document that the code cites stands in the repository, and every cited section in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.references import WORKS

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ("method", "architecture", "two-step-clipping", "city-release")
HEADING = re.compile(r"^#{2,4} (\d+(?:\.\d+)?) ", re.MULTILINE)
CITED = re.compile(rf"(?<![\w/-])({'|'.join(DOCUMENTS)}) (\d+(?:\.\d+)?(?:(?:, |-| and )\d+(?:\.\d+)?)*)")
ABSENT = re.compile(r"\b(?:SPEC|DESIGN|RECIPES|ENGINE|CITY) (?:\d|[A-F]\b)")
"""Names of texts that are not part of the repository, with a section."""
LABEL = re.compile(r"\b(P\d|TR) (?:Sec\.|Alg\.|eq\.|Thm|Fig\.|[IVX]+\.)")
PLANTED = {"test_citations.py", "test_references.py"}
"""Tests that hold wrong citations on purpose."""
SUFFIXES = {".py", ".md", ".j2", ".js", ".sh", ".spec", ".toml"}


def sections(document: str) -> set[str]:
    """Numbers of the headings of a page in docs/."""
    found = HEADING.findall((ROOT / "docs" / f"{document}.md").read_text(encoding="utf-8"))
    assert len(found) == len(set(found)), f"{document}: a section has two headings"
    return set(found)


def sources(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """(path, text) of all that we write, but for what earlier versions wrote and this very test."""
    for folder in ("core", "ui", "tests", "resources", "docs", "."):
        for path in sorted((root / folder).glob("*" if folder == "." else "**/*")):
            retained = path.is_relative_to(root / "tests" / "golden")
            if path.is_file() and path.suffix in SUFFIXES and not retained and path.name not in PLANTED:
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def citations(text: str) -> Iterator[tuple[str, str]]:
    """(document, section) of each citation: `method 6, 10`, `method 7-9` and `method 6.1` are understood."""
    for document, places in CITED.findall(text):
        for place in re.split(r", | and ", places):
            first, _, last = place.partition("-")
            if last:
                yield from ((document, str(number)) for number in range(int(first), int(last) + 1))
            else:
                yield document, first


def test_citations_are_found_in_every_form() -> None:
    text = "(method 6, 10); method 7-9 and `two-step-clipping 4.2`; its method 5 and 6."
    assert list(citations(text)) == [
        *(("method", number) for number in ("6", "10", "7", "8", "9")),
        ("two-step-clipping", "4.2"),
        ("method", "5"),
        ("method", "6"),
    ]


@pytest.fixture(scope="module")
def texts() -> list[tuple[str, str]]:
    """What all tests here read, once."""
    return list(sources())


def test_every_cited_section_stands_in_its_document(texts: list[tuple[str, str]]) -> None:
    known = {(document, section) for document in DOCUMENTS for section in sections(document)}
    cited = {(path, citation) for path, text in texts for citation in citations(text)}
    assert {document for _, (document, _) in cited} == set(DOCUMENTS)
    assert sorted(item for item in cited if item[1] not in known) == []


def test_no_text_outside_of_the_repository_is_cited(texts: list[tuple[str, str]]) -> None:
    assert [(path, hit.group()) for path, text in texts for hit in ABSENT.finditer(text)] == []


def test_every_paper_that_is_cited_has_its_row_among_the_sources(texts: list[tuple[str, str]]) -> None:
    page = (ROOT / "docs" / "method.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (P\d|TR) \| \*(.+?)\*", page, re.MULTILINE))
    assert {label for _, text in texts for label in LABEL.findall(text)} <= rows.keys()
    assert rows == {label: work.title for label, work in WORKS.items()}


@pytest.mark.parametrize("planted", ["see SPEC 6", "DESIGN 2 says", "RECIPES C"])
def test_a_planted_citation_of_an_absent_text_is_found(planted: str) -> None:
    assert ABSENT.search(planted)
