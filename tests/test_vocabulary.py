"""One meaning for each of three words, wherever core or ui binds a name.

query: a released statistic with its parameters and budget (its id is a `query_id`). steps: those of the
analyst's job in the window (numbers have increments or spacings, loops have iterations). form: widgets that
a person fills in (what a cell or file is written in is a format).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.syntax_tree import nodes_of

ROOT = Path(__file__).resolve().parent.parent
QUERY_TYPES = frozenset(
    {
        *("FirstQuery", "StatedQuery", "ThirdQuery"),
        *("Query", "QueryDraft", "QueryEpsilons", "QueryResult", "QueryReview"),
    }
)
HOME_OF_STEPS = ("ui/session/steps.py", "ui/shell/")
FORM_TYPE = re.compile("Form(?!at)|^in_form$")
"""In the name of a class, QFormLayout, ParamForm, not FileFormat; and what makes one."""


class Binding(NamedTuple):
    """A name where it gets its meaning."""

    name: str
    line: int
    type: ast.expr | None = None
    """Its annotation; of a function, of what it returns."""
    value: ast.expr | None = None
    """What is assigned to it alone."""

    @property
    def words(self) -> set[str]:
        return {word.lower() for word in re.findall("[A-Z]?[a-z0-9]+|[A-Z]+", self.name)}


def bindings(tree: ast.Module) -> Iterator[Binding]:
    """Classes, functions, parameters, assigned names and attributes."""
    for node in nodes_of(tree):
        match node:
            case ast.ClassDef():
                yield Binding(node.name, node.lineno)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield Binding(node.name, node.lineno, node.returns)
            case ast.arg():
                yield Binding(node.arg, node.lineno, node.annotation)
            case ast.AnnAssign():
                yield from _targets(node.target, node.annotation, node.value)
            case ast.Assign():
                for target in node.targets:
                    yield from _targets(target, None, node.value)
            case ast.NamedExpr():
                yield from _targets(node.target, None, node.value)
            case ast.For() | ast.comprehension():
                yield from _targets(node.target, None, None)


def _targets(target: ast.expr, annotation: ast.expr | None, value: ast.expr | None) -> Iterator[Binding]:
    match target:
        case ast.Name(name) | ast.Attribute(_, name):
            yield Binding(name, target.lineno, annotation, value)
        case ast.Tuple(parts):
            alike = isinstance(value, ast.Tuple) and len(value.elts) == len(parts)
            for part, one in zip(parts, value.elts if alike else [None] * len(parts), strict=True):
                yield from _targets(part, None, one)


def _names(expression: ast.expr) -> set[str]:
    return set(re.findall(r"\w+", ast.unparse(expression)))


def strays_as_query(path: str, found: Binding) -> bool:  # noqa: ARG001 - a query is one everywhere
    """Of another type, or a text."""
    if found.name.strip("_") not in ("query", "queries"):
        return False
    if found.type is not None and not QUERY_TYPES & _names(found.type):
        return True
    return isinstance(found.value, ast.Constant) and isinstance(found.value.value, str)


def strays_as_steps(path: str, found: Binding) -> bool:
    """Outside the rooms that the job's steps live in."""
    return "steps" in found.words and not path.startswith(HOME_OF_STEPS)


def strays_as_form(path: str, found: Binding) -> bool:
    """In core, which has no widgets; or a name for what is made by no class of forms."""
    if not found.words & {"form", "forms"}:
        return False
    if path.startswith("core/"):
        return True
    if found.name.strip("_") != "form":
        return False
    if found.type is not None:
        return not any(map(FORM_TYPE.search, _names(found.type)))
    match found.value:
        case None | ast.Constant(None):
            return False
        case ast.Call(ast.Name(name) | ast.Attribute(_, name)) | ast.Name(name) | ast.Attribute(_, name):
            return name.strip("_") != "form" and not FORM_TYPE.search(name)
    return True


Rule = Callable[[str, Binding], bool]
RULES: dict[str, Rule] = {"query": strays_as_query, "steps": strays_as_steps, "form": strays_as_form}


Named = list[tuple[str, Binding]]
"""Bindings with the paths of their files."""


def named_in(root: Path) -> Named:
    """All that core and ui bind; a file is named as well."""
    paths = sorted(path for room in ("core", "ui") for path in (root / room).rglob("*.py"))
    return [
        (path.relative_to(root).as_posix(), found)
        for path in paths
        for found in (Binding(path.stem, 1), *bindings(ast.parse(path.read_text(encoding="utf-8"))))
    ]


def strays(named: Named, rule: Rule) -> list[str]:
    """`path:line name` of each name that gives a word another meaning."""
    return [f"{path}:{found.line} {found.name}" for path, found in named if rule(path, found)]


@pytest.fixture(scope="module")
def named() -> Named:
    return named_in(ROOT)


@pytest.mark.parametrize("word", RULES)
def test_the_word_has_one_meaning(word: str, named: Named) -> None:
    assert strays(named, RULES[word]) == []


@pytest.mark.parametrize("name", ["query", "steps_of", "form"])
def test_the_real_sources_are_read(name: str, named: Named) -> None:
    assert name in {found.name for _, found in named}


PLANTED = [
    ("query", "core/a.py", "def ask(query: str): ...", "query"),
    ("query", "core/a.py", "class Asked:\n    query: str", "query"),
    ("query", "ui/a.py", 'query, known = "", False', "query"),
    ("query", "core/a.py", "def _query() -> dict[str, object]: ...", "_query"),
    ("query", "core/a.py", "def add(queries: list[Table]): ...", "queries"),
    ("steps", "core/a.py", "def sums(steps: Floats): ...", "steps"),
    ("steps", "core/a.py", "_STEPS = 200", "_STEPS"),
    ("steps", "ui/kit/a.py", "for steps in rows: ...", "steps"),
    ("steps", "core/a.py", "x = [steps_left for steps_left in rows]", "steps_left"),
    ("form", "core/a.py", "class TimeForm: ...", "TimeForm"),
    ("form", "core/a.py", "(shape, form), _ = rows[0]", "form"),
    ("form", "core/a.py", "OTHER_FORMS = ()", "OTHER_FORMS"),
    ("form", "core/clean/time_forms.py", "", "time_forms"),
    ("form", "ui/a.py", "def read(form: FileFormat): ...", "form"),
    ("form", "ui/a.py", "limits, form = self.limits, self.format", "form"),
    ("form", "ui/a.py", "self._form = FileFormat()", "_form"),
]


@pytest.mark.parametrize(("word", "path", "text", "name"), PLANTED)
def test_another_meaning_is_found(tmp_path: Path, word: str, path: str, text: str, name: str) -> None:
    _plant(tmp_path, path, text)
    (found,) = strays(named_in(tmp_path), RULES[word])
    assert found.startswith(f"{path}:")
    assert found.endswith(f" {name}")


KEPT = [
    "def charge(query: Query, queries: Callable[[], Sequence[Query]], query_id: str): ...",
    "query = draft.queries[0]\nqueries = [query]\nlines = sorted(rows, key=lambda query: query.query_id)",
    "def find() -> QueryResult | None: ...\nstep = 3",
    "class Page:\n    _form: ParamForm | None = None\n    format: FileFormat\n    kind = FormatGroup()",
    "form = QFormLayout()\nself._form = form\nself.form = None",
]


@pytest.mark.parametrize("word", RULES)
@pytest.mark.parametrize("text", KEPT)
def test_the_meaning_that_it_has_passes(tmp_path: Path, word: str, text: str) -> None:
    _plant(tmp_path, "ui/data/a.py", text)
    _plant(tmp_path, "ui/shell/a.py", "def show(steps: Sequence[Step]): ...")
    assert strays(named_in(tmp_path), RULES[word]) == []


def _plant(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")
