"""Counts of one: the helper, and that no text of core counts beside it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path

import pytest

from core.counted import count_of
from docs.write_catalogues import PUBLISHED
from tests.syntax_tree import nodes_of

ROOT = Path(__file__).resolve().parents[2]
CORE, UI = ROOT / "core", ROOT / "ui"
NOUN_PHRASE = re.compile(r" [A-Za-z]+(?:[ -][A-Za-z]+){0,2}")
"""A noun behind a value, with the words that may stand before it: `largest hexagon slots`."""
FIELD = re.compile(r"\{(?!counted_)\w[^{}]*\}(?=( [A-Za-z]+(?:[ -][A-Za-z]+){0,2}))")
"""A field of a template with what stands behind it; one that holds a counted noun is named so."""
NO_COUNT = {"and", "answers", "cannot", "for", "has", "if", "in", "is", "its", "of", "on", "other", "repeats"}
NO_COUNT |= {"name", "over", "state", "states", "with", "would"}
"""Behind such a word the plural is not what the value counts: `{path} has other columns`."""
IN_BUNDLES = ("core.bounding.bounding_facts", "core.statistics.mean")
"""Beside `PUBLISHED`: sentences that published files hold."""
NEVER_ONE = {
    "{self.candidates} candidate hexagon slots are more than {MOST_HATS}.",
    "With at most {self.hats_per_vehicle} hexagon slots per vehicle no record counts.",
    "At most {self.days_per_vehicle} days of a vehicle cannot count in a window of {self.window.days}.",
    "A threshold of {threshold} vehicles would publish hexagon slots that are only noise.",
    "A fleet of {self.fleet} cannot have {int(self.units.max())} vehicles in one hexagon slot.",
    "The window has {window.days} dates, more than {_MOST_DAYS}.",
    "{len(frame)} rows do not fit on one sheet.",
    "The file gave no answer within {self._seconds} seconds.",
    "write {PING_SECONDS.start} to {PING_SECONDS.stop - 1} seconds",
    "{least} to {most} records",
    "{self.title} values",
    "{most} cells",
    "{_short(self._rows)} rows",
    "{progress_text}, {_short(round(self._rows / elapsed))} rows/s, about {_duration(left)} left",
}
"""Texts that are said of no number, of many alone, or of a range."""
OF_MANY = frozenset(
    """{candidates} candidate hexagon slots | {count} labels | {count} places | {days_per_vehicle} days of a |
{days} dates | {empty} more without records | {frame} rows do not | {hats_per_vehicle} hexagon slots per |
{hats} hexagon slots | {hat} holds no records | {longest} minutes or of | {minutes} minutes |
{most_cells} hexagons of resolution | {most_entries} files | {most_features} features |
{most_hats} hexagon slots | {most_planned} releases | {most} parts and holes | {most} ranges | {n} minutes |
{n} ranges from | {n} such releases | {n} releases like it | {n} vehicles | {n} vehicles have ids |
{count} releases like the |
{pairs} pairs may overlap | {rows} rows | {seconds} seconds | {title} values | {value} from shares |
{value} rows | {value} seconds | {value} vehicles in one | {vehicles:.1f} vehicles a day |
{vehicles} equally active vehicles | {what} The values of""".replace("\n", " ").split(" | ")
)
"""The same of templates, from the field to the noun."""


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 hexagons"), (1, "1 hexagon"), (2, "2 hexagons"), (1204, "1,204 hexagons")],
)
def test_a_noun_is_told_as_its_number_asks(count: int, told: str) -> None:
    assert count_of(count, "hexagon") == told


def test_verbs_and_nouns_with_a_plural_of_their_own_agree() -> None:
    assert count_of(1, "query adds", "queries add") == "1 query adds"
    assert count_of(3, "query adds", "queries add") == "3 queries add"


Sources = dict[str, list[ast.AST]]
"""Module -> all nodes of its source."""


@pytest.fixture(scope="module")
def sources() -> Sources:
    """Of core, taken apart once; what is written into published files is fixed there, byte for byte."""
    paths = {
        ".".join(path.relative_to(CORE.parent).with_suffix("").parts): path
        for path in sorted(CORE.rglob("*.py"))
    }
    return {
        module: [*nodes_of(ast.parse(path.read_text(encoding="utf-8")))]
        for module, path in paths.items()
        if not any(module == room or module.startswith(f"{room}.") for room in (*PUBLISHED, *IN_BUNDLES))
    }


@pytest.fixture(scope="module")
def nouns(sources: Sources) -> set[str]:
    """Plurals that are counted somewhere."""
    calls = (node for nodes in sources.values() for node in nodes if isinstance(node, ast.Call))
    forms = [call.args[1:] for call in calls if _called(call) == "count_of"]
    told = (f"{ast.literal_eval(one)}s" if not many else ast.literal_eval(many[0]) for one, *many in forms)
    # of a whole phrase (`queries add`) the first plural is the noun
    plurals = ([word for word in phrase.split() if word.endswith("s") and word != "its"] for phrase in told)
    return {words[0] for words in plurals if words}


def _bare(text: ast.JoinedStr, nouns: set[str]) -> bool:
    """Whether a value of it stands before a plural noun; a constant of ours is never 1."""
    for field, behind in pairwise(text.values):
        if not (isinstance(field, ast.FormattedValue) and isinstance(behind, ast.Constant)):
            continue
        constant = isinstance(field.value, ast.Name) and field.value.id.isupper()
        phrase = NOUN_PHRASE.match(str(behind.value))
        if constant or phrase is None or _called(field.value) == "count_of":
            continue
        words = re.findall("[A-Za-z]+", phrase[0])
        if nouns & set(takewhile(lambda word: word not in NO_COUNT, words)):
            return True
    return False


def _called(value: ast.AST) -> str:
    return getattr(value.func, "id", "") if isinstance(value, ast.Call) else ""


def test_no_text_counts_without_the_helper(sources: Sources, nouns: set[str]) -> None:
    assert {"hexagons", "slots", "vehicles", "rows", "days"} <= nouns
    found = {
        f"{module}: {_shown(node)}"
        for module, nodes in sources.items()
        for node in nodes
        if isinstance(node, ast.JoinedStr) and _bare(node, nouns) and _shown(node) not in NEVER_ONE
    }
    assert sorted(found) == []


def test_no_template_counts_without_the_helper(sources: Sources, nouns: set[str]) -> None:
    """Of core, as it is filled in, and of the window: `counted` has one for one and one for many."""
    of_ui = {str(path): [*nodes_of(ast.parse(path.read_text(encoding="utf-8")))] for path in UI.rglob("*.py")}
    found = {
        f"{source}: {field[0]}{field[1]}"
        for source, nodes in (sources | of_ui).items()
        for template in _templates(nodes)
        for field in FIELD.finditer(template)
        if nouns & set(takewhile(lambda word: word not in NO_COUNT, re.findall("[A-Za-z]+", field[1])))
        if template not in NEVER_ONE and f"{field[0]}{field[1]}" not in OF_MANY
    }
    assert sorted(found) == []


def _templates(nodes: list[ast.AST]) -> Iterator[str]:
    """Texts with fields, other than those that are counted, and than docstrings."""
    counted = (node for node in nodes if _called(node) in {"count_of", "counted"})
    beside = {id(part) for node in counted for part in nodes_of(node)}
    beside |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in beside:
            yield node.value


def _shown(text: ast.JoinedStr) -> str:
    return "".join(
        f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else str(part.value)
        for part in text.values
        if isinstance(part, ast.FormattedValue | ast.Constant)
    )
