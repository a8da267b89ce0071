"""What the documents say of mechanisms is what the registry holds."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from core.mechanisms.registry import all_mechanisms
from core.spec.page import with_keys
from core.statistics.registry import all_statistics

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "mechanisms.md").read_text(encoding="utf-8")
STATISTICS = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^## (?P<title>.+) \(`(?P<key>[a-z0-9_-]+)`\)$", re.MULTILINE)
ROW = re.compile(r"^\| `(?P<key>[a-z-]+)` \| (?P<does>.+) \| (?P<source>.+) \|$", re.MULTILINE)
KEYS = list(all_mechanisms())


def sections(text: str) -> dict[str, tuple[str, str]]:
    """Key -> (title, body up to the next section)."""
    heads = list(SECTION.finditer(text))
    assert len({head["key"] for head in heads}) == len(heads)
    return {head["key"]: (head["title"], text[head.end() :].split("\n## ", 1)[0]) for head in heads}


def readme_rows(text: str) -> dict[str, str]:
    """Key -> source, of the table under *Mechanisms*."""
    part = text.split("\n## Mechanisms\n", 1)[1].split("\n## ", 1)[0]
    return {row["key"]: row["source"] for row in ROW.finditer(part)}


def test_every_mechanism_has_a_section_and_no_section_is_left_over() -> None:
    assert sorted(sections(GUIDE)) == sorted(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_a_section_says_what_the_registry_says(key: str) -> None:
    title, body = sections(GUIDE)[key]
    mechanism = all_mechanisms()[key]
    assert title == mechanism.title
    assert f"- *Source:* {mechanism.reference}.\n" in body
    for part in ("- *Choose it* ", "- *Differs:* ", "Lap("):
        assert part in body


def test_the_readme_lists_every_mechanism_with_its_source() -> None:
    assert readme_rows(README) == {key: one.reference for key, one in all_mechanisms().items()}


def test_every_statistic_has_a_section_with_its_title_and_its_file() -> None:
    found = sections(STATISTICS)
    assert sorted(found) == sorted(all_statistics())
    for key, (title, body) in found.items():
        statistic = all_statistics()[key]
        assert title == statistic.title
        assert f"`data/{statistic.table}.csv`" in body
        assert "- *Ask for it* " in body


def test_a_missing_and_a_left_over_section_would_be_found() -> None:
    found = sections("# M\n\n## Levy (`levy`)\n\ntext\n\n## Other (`no-such-key`)\n\nmore\n## Notes\n")
    assert found == {"levy": ("Levy", "\n\ntext\n"), "no-such-key": ("Other", "\n\nmore")}


def test_every_section_of_the_proof_that_code_cites_exists() -> None:
    proof = (ROOT / "docs" / "two-step-clipping.md").read_text(encoding="utf-8")
    sections_of_proof = set(re.findall(r"^##+ ([0-9.]+) ", proof, re.MULTILINE))
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "core").rglob("*.py"))
    cited = set(re.findall(r"two-step-clipping ([0-9]+(?:\.[0-9]+)?)", sources))
    assert {"4.2", "4.3", "4.4", "4.5"} <= cited <= sections_of_proof


def test_the_guide_to_mechanisms_runs_as_it_stands() -> None:
    failed, tried = doctest.testfile(
        str(ROOT / "docs" / "mechanism-guide.md"), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert tried > 10
    assert failed == 0


def test_the_keys_of_a_spec_are_those_that_the_program_reads() -> None:
    page = (ROOT / "docs" / "file-formats.md").read_text(encoding="utf-8")
    assert page == with_keys(page), "run make docs"


def test_links_between_documents_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+\.(?:md|png))\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).is_file(), f"{page.name}: {target}"
