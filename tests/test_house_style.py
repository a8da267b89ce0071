"""The words that docs/house-style.md rules out are in no name, docstring, comment, text or document.

Quotations are free: code blocks, backticks and quotation marks.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.syntax_tree import nodes_of
from tests.test_vocabulary import bindings

ROOT = Path(__file__).resolve().parent.parent
PAGE = "docs/house-style.md"
HAT_PAGES = frozenset({"docs/method.md", PAGE})
"""Where the short name of a hexagon slot stands; elsewhere code and quotations alone have it."""
STORED = {
    "kept_error": "core/bundle/region_facts.py",
    "kept_until": "core/release_texts.py",
}
"""Names that published bundles hold: their keys cannot change."""
FIXED_TEXTS = {
    "core/bundle/csv_columns.py": 3,
    "core/bundle/privacy_statement.py": 1,
    "core/bundle/protection_texts.py": 2,
    "core/bundle/readme_md.py": 1,
    "core/cli/resolution_table.py": 1,
    "core/portal/policy.py": 3,
    **{f"core/statistics/{name}.py": 1 for name in ("mean", "mean_variance", "query1")},
    **{f"core/statistics/{name}.py": 2 for name in ("cdf", "query2", "share")},
}
"""How many literals of a file hold a word that cannot change: `verify` makes texts of published bundles
again, and `table --json` has a key."""

_ROW = re.compile(r"^\| (?P<words>[^|]+?) \|", re.MULTILINE)
_QUOTED = re.compile(r"`[^`]*`|\"[^\"\n]*\"|“[^”]*”")


def words_ruled_out() -> tuple[str, ...]:
    """The first column of the page's table, without its head."""
    rows = [row["words"] for row in _ROW.finditer((ROOT / PAGE).read_text(encoding="utf-8"))]
    return tuple(word.strip() for row in rows[2:] for word in row.split(","))


def pattern_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """Any of them, also over the end of a line, of a comment or of a table's cell."""
    any_of = "|".join(word.replace(" ", r"[\s#|]+") for word in words)
    return re.compile(rf"\b(?:{any_of})\b", re.IGNORECASE)


PROSE = pattern_of(words_ruled_out())
NAME = re.compile(rf"(?:^|_)(?:{'|'.join(word.replace(' ', '_') for word in words_ruled_out())})(?:_|$)")
ANYWHERE = re.compile("|".join(word.replace(" ", r"[\s#|_]*") for word in words_ruled_out()), re.IGNORECASE)
"""In whatever part of a text: most sources have none, and need not be taken apart."""


def strays_in_source(path: str, text: str) -> Iterator[str]:
    """`path:line word` of each ruled-out word in its name, names, docstrings and comments."""
    if not ANYWHERE.search(f"{path}\n{text}"):
        return
    tree = ast.parse(text)
    for name, line in [(Path(path).stem, 1), *((one.name, one.line) for one in bindings(tree))]:
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
        if NAME.search(snake) and STORED.get(name) != path:
            yield f"{path}:{line} {name}"
    literals = [(line, prose) for line, prose in _literals(tree) if PROSE.search(prose)]
    if len(literals) == FIXED_TEXTS.get(path):
        literals = []
    for line, prose in (*_docstrings(tree), *_comments(text), *literals):
        for found in PROSE.finditer(prose):
            yield f"{path}:{line + prose.count(chr(10), 0, found.start())} {found[0]!r}"


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Texts that stand alone, of fields and constants too."""
    for node in nodes_of(tree):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                yield node.lineno, text


def _literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Texts of several words; one word alone is a key or a name."""
    nodes = list(nodes_of(tree))
    alone = {id(one.value) for one in nodes if isinstance(one, ast.Expr)}
    for node in nodes:
        match node:
            case ast.Constant(str(text)) if id(node) not in alone and " " in text.strip():
                yield node.lineno, text


def _comments(text: str) -> Iterator[tuple[int, str]]:
    """Each comment, and each pair of comments on neighbouring lines."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]
    yield from comments
    for (line, first), (following, second) in pairwise(comments):
        if following == line + 1:
            joined = f"{first}\n{second}"
            if any(found.start() < len(first) < found.end() for found in PROSE.finditer(joined)):
                yield line, joined


def strays_in_page(path: str, text: str) -> Iterator[str]:
    """`path:line word` of each ruled-out word outside of quotations; HAT where people read."""
    prose = _without_code(text)
    pattern = PROSE if path in HAT_PAGES else re.compile(rf"{PROSE.pattern}|\b(?-i:HATs?)\b", re.IGNORECASE)
    for found in pattern.finditer(prose):
        yield f"{path}:{prose.count(chr(10), 0, found.start()) + 1} {found[0]!r}"


def _without_code(text: str) -> str:
    """The page with what is quoted made blank, line by line."""
    lines, inside = [], False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        inside ^= fence
        lines.append("" if inside or fence or line.startswith("    ") else _QUOTED.sub("_", line))
    return "\n".join(lines)


def sources() -> Iterator[Path]:
    yield ROOT / "main.py"
    for room in ("core", "ui"):
        yield from (ROOT / room).rglob("*.py")


def pages() -> Iterator[Path]:
    yield from sorted((ROOT / "resources" / "templates").glob("*.j2"))
    yield from (path for path in sorted(ROOT.glob("*.md")) if path.name != "THIRD_PARTY.md")
    yield from (path for path in sorted((ROOT / "docs").glob("*.md")) if path != ROOT / PAGE)
    yield ROOT / "resources" / "tour" / "tour.md"


def test_the_program_says_it_in_plain_english() -> None:
    found = [
        stray
        for path in sources()
        for stray in strays_in_source(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_documents_say_it_in_plain_english() -> None:
    found = [
        stray
        for path in pages()
        for stray in strays_in_page(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_list_is_read_from_the_page() -> None:
    assert {"told", "kept", "held", "worked out", "whoever", "of its own", "at once", "tells of"} <= set(
        words_ruled_out()
    )


def test_names_that_are_stored_still_are() -> None:
    for name, path in STORED.items():
        assert name in {one.name for one in bindings(ast.parse((ROOT / path).read_text(encoding="utf-8")))}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("core/told_ahead.py", ""),
        ("core/a.py", "told = 1"),
        ("core/a.py", "def is_told(): ..."),
        ("core/a.py", "def find(kept): ..."),
        ("core/a.py", "class HeldData: ..."),
        ("core/a.py", "for kept_rows in (): ..."),
        ("core/a.py", "self._held = 1"),
        ("core/a.py", "_AT_ONCE = 5"),
        ("core/a.py", '"""Whoever reads it."""'),
        ("core/a.py", 'def find():\n    """What is worked\n    out here."""'),
        ("core/a.py", 'SIZE = 1\n"""Read at once."""'),
        ("core/a.py", "x = 1  # held here"),
        ("core/a.py", "# a place of\n# its own\nx = 1"),
        ("core/other.py", "kept_error = 1"),
        ("core/a.py", 'what = "All is read at once."'),
        ("core/a.py", 'say(f"{count} rows kept")'),
        ("core/a.py", 'HELP = "What is "  "told here"'),
    ],
)
def test_a_planted_word_is_found_in_a_source(path: str, text: str) -> None:
    (found,) = strays_in_source(path, text)
    assert found.startswith(f"{path}:")


def test_a_file_of_fixed_texts_may_have_no_other() -> None:
    path, text = "core/bundle/privacy_statement.py", 'SAY = "one is kept"\n'
    assert list(strays_in_source(path, text)) == []
    assert len(list(strays_in_source(path, text + 'MORE = "one is told"\n'))) == 2


def test_what_the_list_does_not_mean_passes() -> None:
    words = 'retold = "told"\nKEY = "kept"\nupheld = f(told=1)\nx.kept()'
    text = f'"""What a plan keeps, holds and tells."""\n{words}'
    assert list(strays_in_source("core/a.py", text)) == []


@pytest.mark.parametrize(
    "text", ["It is told.", "A name of\nits own.", "- *Held* here", "of every HAT", "| kept |", "in sight"]
)
def test_a_planted_word_is_found_in_a_page(text: str) -> None:
    (found,) = strays_in_page("docs/tour.md", text)
    assert found.startswith("docs/tour.md:1 ")


@pytest.mark.parametrize("text", ["`told`", "```\nkept at once\n```", "    HAT = 1", 'It says "held"'])
def test_a_quotation_passes(text: str) -> None:
    assert list(strays_in_page("docs/tour.md", text)) == []


def test_the_method_may_say_hat() -> None:
    assert list(strays_in_page("docs/method.md", "every HAT")) == []
    assert len(list(strays_in_page("docs/method.md", "every HAT is told"))) == 1
