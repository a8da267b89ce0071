"""What an editor took out of texts that people read stays out: turns of phrase, and the short name HAT."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.syntax_tree import nodes_of
from tests.test_house_style import ROOT, sources

GONE = (
    *("vehicle reported in the whole window", "nearly as likely if", "Unit of the mechanism: vehicle"),
    *("Odds that one vehicle is there", "in half of the numbers", "interval of a usual one"),
    *("as advised.", "Advice from public counts", "shared out: each pays", "buys it for"),
    *("raw or smoothed, whichever is less", "worse than the best one", "as exact as {vehicles}"),
    *("Edges only aid the eye", "has cost, for good", "vehicle count is not named", "type about as many as"),
    *("not told by the file", "rows are judged once", "The dates may be read in", "The check starts when"),
    *("larger values become U", "Not used as they were", "open at once the next time"),
    *("there is only the column", "Either way title", "hours stay where these records"),
    *("The release goes on charging", "Which C is best?", "to be protected, however old"),
    *("Records of one there", "What you confirm is told", "has its rows anyhow", "What is hidden of a"),
    *("only what you type. Protected", "public anyway who drove where", "change the odds between"),
    *("is a decision of your office", "may alter which of its", "Just this was paid before"),
    *("allows no more like it", "no hexagon slot of A", "of the choices before, until"),
    *("is chosen: each has its own", "At worst a number tells nothing", "more than chance is not told"),
    *("of the records are in 5", "is alone in each hexagon slot", "That is one artificial"),
    *("Made from the facts that", "that are chosen after looking", "Noise is made for it"),
    *("may not have been done", "None fits: one alone", "is no use to get", "the ledger remembers it"),
    *("hardly better and less simple", "that are to be had", "many records a vehicle pay off"),
    *("Marked in every tab, to be",),
)
"""Six words at most of each text, as it stood."""
DIALECT = re.compile(
    r"\banew\b|\b(?:This|The [a-z]+) is no (?!longer)|\} is no (?!longer)|\bof use\b"
    r"|\bmay be written\b(?! in)"
)
"""What a native reader stumbles over in any text: it is `not a` thing, done `again`, `useful`, `writable`."""
_SEAM = re.compile(r"[\"']\s+f?[\"']")
_SHORT = re.compile(r"\bHATs?\b")
OF_STATEMENTS = frozenset(
    {
        "core/bounding/bounding_facts.py",
        "core/bundle/data_files.py",
        *(f"core/statistics/{name}.py" for name in ("cdf", "mean", "mean_variance", "query2")),
    }
)
"""What privacy.json and datapackage.json say, byte for byte; pages say it in full (`said_to_people`)."""


def spoken() -> Iterator[tuple[str, str]]:
    for path in (*sources(), *(ROOT / "resources/templates").glob("*.j2")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def strays(texts: Iterator[tuple[str, str]]) -> list[str]:
    """`path fragment`; texts: path and source, whose literals may go on in the next line."""
    found = []
    for path, text in texts:
        whole = _SEAM.sub("", text)
        found += [f"{path} {fragment}" for fragment in GONE if fragment in whole]
    return found


def short_names(path: str, text: str) -> list[str]:
    """`path:line` of each literal with the short name."""
    return [] if path in OF_STATEMENTS else literals_with(_SHORT, path, text)


def literals_with(pattern: re.Pattern[str], path: str, text: str) -> list[str]:
    """`path:line` of each literal in which it is found; docstrings are for those who maintain it."""
    if not pattern.search(_SEAM.sub("", text)):
        return []
    nodes = list(nodes_of(ast.parse(text)))
    prose = {id(one.value) for one in nodes if isinstance(one, ast.Expr)}
    return [
        f"{path}:{one.lineno}"
        for one in nodes
        if isinstance(one, ast.Constant)
        and isinstance(one.value, str)
        and id(one) not in prose
        and pattern.search(one.value)
    ]


def test_no_text_says_it_as_before() -> None:
    assert all(len(fragment.split()) <= 6 for fragment in GONE)
    assert strays(spoken()) == []


def test_people_read_of_hexagon_slots() -> None:
    assert [one for path, text in spoken() if path.endswith(".py") for one in short_names(path, text)] == []
    assert not any(_SHORT.search(text) for path, text in spoken() if path.endswith(".j2"))


def test_no_text_is_in_dialect() -> None:
    found = [
        one for path, text in spoken() if path.endswith(".py") for one in literals_with(DIALECT, path, text)
    ]
    assert found == []
    assert not any(DIALECT.search(text) for path, text in spoken() if path.endswith(".j2"))


@pytest.mark.parametrize(
    "text", ['_tr("Which C is best?")', 'say = (\n    "That is one "\n    f"artificial slot"\n)']
)
def test_a_planted_fragment_is_found(text: str) -> None:
    assert len(strays(iter([("ui/a.py", text)]))) == 1


@pytest.mark.parametrize("text", ["This is no file.", "write it anew", "{name} is no text", "a grid of use"])
def test_planted_dialect_is_found(text: str) -> None:
    assert literals_with(DIALECT, "ui/a.py", f"TIP = {text!r}") == ["ui/a.py:1"]


def test_a_planted_short_name_is_found() -> None:
    assert short_names("ui/a.py", '"""Of a HAT."""\nTIP = "of two HATs"\nWHAT = "what"') == ["ui/a.py:2"]


def test_no_progress_is_said_by_one_word() -> None:
    """Which no catalogue takes: a window in Hindi said it in English."""
    said = [
        (path.name, step.value)
        for path in sources()
        if "progress(" in (text := path.read_text(encoding="utf-8"))
        for call in nodes_of(ast.parse(text))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "progress"
        for step in call.args[1:2]
        if isinstance(step, ast.Constant) and step.value
    ]
    assert len(said) > 10
    assert [one for one in said if " " not in one[1]] == []
