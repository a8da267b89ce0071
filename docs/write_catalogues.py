"""Bring the catalogues of languages up to date with the texts of the sources: `make languages`.

New texts come in without a translation, texts that are gone leave; what is translated stays.
"""

from __future__ import annotations

import ast
import calendar
import json
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from core.catalogue import CORE, CatalogueEntry, read_entries
from core.portal.spoken_map import page_entries

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "languages"

DISCOVERED = ("core.mechanisms", "core.statistics", "core.selection", "core.read.readers")
"""Rooms whose files are found by `core.discovery`: no import statement names them."""

PUBLISHED = (
    "core.charts",
    "core.codec",
    "core.evaluate.replica",
    "core.figures",
    "core.records.zone_places",
    "core.references",
    "core.bundle.resources",
    "core.bundle.csv_columns",
    "core.bundle.data_files",
    "core.bundle.datapackage",
    "core.portal.dcat_record",
    "core.portal.description_files",
    "core.bundle.interval_rules",
    "core.bundle.licences",
    "core.portal.map_data",
    "core.portal.map_page",
    "core.planning.joint",
    "core.planning.planned_bounding",
    "core.release.planned_facts",
    "core.bundle.privacy_statement",
    "core.bundle.query_sentence",
    "core.bundle.readme_md",
    "core.bundle.region_facts",
    "core.portal.report_html",
    "core.portal.schema_org",
    "core.portal.slot_pictures",
    "core.bundle.zcdp_texts",
    "core.signed.minisign",
)
"""Rooms and files whose texts go into files, or are names: these are English, byte for byte."""

OF_QT = (
    "&Close", "&Copy", "&No", "&OK", "&Open", "&Paste", "&Redo", "&Save", "&Undo", "&Yes", "Cancel", "Close",
    "Cu&t", "Delete", "Don't Save", "Help", "OK", "Open", "Save", "Select All", "Step &down", "&Step up",
    # of dialogs for files and colours
    "%1 already exists.\nDo you want to replace it?", "&Add to Custom Colors", "&Basic colors", "&Choose",
    "&Custom colors", "&Delete", "&Green:", "&HTML:", "&Look in:", "&New Folder", "&Pick Screen Color",
    "&Red:", "&Rename", "&Sat:", "&Val:", "A&lpha channel:", "All Files (*)", "Back", "Bl&ue:",
    "Change to detail view mode", "Change to list view mode", "Computer", "Create New Folder",
    "Create a New Folder", "Date Modified", "Detail View", "Directories", "Directory:", "Drive", "File",
    "File &name:", "Files", "Files of &type:", "Folder", "Forward", "Go back", "Go forward",
    "Go to the parent directory", "Hu&e:", "List View", "List of places and bookmarks", "Name",
    "Parent Directory", "Remove", "Select Color", "Show &hidden files", "Sidebar", "Size", "Type",
)  # fmt: skip
"""Texts of Qt's own buttons, menus and dialogs that the window shows; Qt ships no Hindi of them."""


@cache
def parsed(path: Path) -> ast.Module:
    """A source's tree: most are asked for twice."""
    return ast.parse(path.read_text(encoding="utf-8"))


def of_window(root: Path = ROOT) -> Iterator[CatalogueEntry]:
    """Texts that the window says itself, each once."""
    seen = set()
    for path in sorted((root / "ui").rglob("*.py")):
        for entry in _translated(parsed(path)):
            if entry.text not in seen:
                seen.add(entry.text)
                yield entry
    yield from (CatalogueEntry(text=text) for text in OF_QT if text not in seen)


def _translated(tree: ast.AST) -> Iterator[CatalogueEntry]:
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        texts = [
            arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        ]
        if _called(call) in ("_tr", "tr") and texts:
            yield CatalogueEntry(text=texts[0])
        elif _called(call) == "counted" and len(texts) > 1:
            yield CatalogueEntry(text=texts[0], many=texts[1])


def _called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def modules_on_screen(root: Path = ROOT) -> list[str]:
    """Modules of core whose texts can reach the window: what it imports, and what that imports."""
    files = {_module(path, root): path for room in ("core", "ui") for path in (root / room).rglob("*.py")}
    begun = [name for name in files if name.startswith(("ui", *DISCOVERED))]
    seen: set[str] = set()
    while begun:
        name = begun.pop()
        if name in seen or name not in files:
            continue
        seen.add(name)
        begun += _imported(files[name].read_text(encoding="utf-8"))
        begun.append(name.rpartition(".")[0])
    return sorted(name for name in seen if name.startswith("core") and not _within(name, PUBLISHED))


def _within(name: str, rooms: Iterable[str]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def _module(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


_IMPORT = re.compile(r"^[ \t]*(?:from (\S+) )?import (?:\(([^)]*)\)|([^\n(]+))", re.MULTILINE)


def _imported(source: str) -> Iterator[str]:
    for room, several, one in _IMPORT.findall(source):
        names = re.findall(r"[\w.]+", several or one)
        yield from (f"{room}.{name}" for name in names) if room else names
        if room:
            yield room


WORDS = (
    *("speed", "Speed", "speeds", "above", "below", "less", "more", "or", "values", "user"),
    *("Good", "Rough", "and"),
    *("by {mechanism}", "{first_date} to {last_date}", "{least_figure} to {most_figure}"),
    *(
        "in {region}",
        "in {place}",
        "from {hours}",
        "{first}. {second}.",
        "{start} to {end}",
        "{value} {where}",
    ),
    "{value} {where} ({range})",
    *("Midday", "Weekday", "Weekend"),
    *(f"{{day_number}} {month} {{year_number}}" for month in calendar.month_name[1:]),
)
"""What core hands from function to function into a sentence; names of other values are the analyst's."""
_KEYS = {"lower", "mechanism", "slots", "statistic", "unit", "upper", "vehicles"}
"""Keys and columns of this name stay as they are written in files."""
_CHOSEN = re.compile(r"[a-z]{2,}")


def of_core(root: Path = ROOT) -> Iterator[CatalogueEntry]:
    """Texts that core makes for people, as templates, each once."""
    seen = set(WORDS)
    yield from (CatalogueEntry(text=word, context=CORE) for word in WORDS)
    yield from page_entries()
    for tree in _on_screen(root):
        told = [CatalogueEntry(text=text, context=CORE) for text in _Reader().texts(tree)]
        told += [CatalogueEntry(text=text, context=CORE) for text in _chosen_words(tree)]
        for entry in (*told, *_counted_nouns(tree)):
            if entry.text not in seen:
                seen.add(entry.text)
                yield entry


def without_template(root: Path = ROOT) -> Iterator[str]:
    """Sentences of core that a person may see, and that forget what they were made of: f-strings."""
    for tree in _on_screen(root):
        reader = _Reader()
        reader.visit(tree)
        yield from reader.formatted


def _on_screen(root: Path) -> Iterator[ast.Module]:
    for name in modules_on_screen(root):
        path = root / Path(*name.split("."))
        yield parsed(path / "__init__.py" if path.is_dir() else path.with_suffix(".py"))


def _counted_nouns(tree: ast.AST) -> Iterator[CatalogueEntry]:
    """What `core.counted` puts behind a count, in both forms."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "count_of":
            one, many = _both_forms(node)
            yield CatalogueEntry(text=f"{{n}} {one}", many=f"{{n}} {many}", context=CORE)


def _both_forms(call: ast.Call) -> tuple[str, str]:
    one, *many = (ast.literal_eval(noun) for noun in call.args[1:])
    return one, many[0] if many else f"{one}s"


def _chosen_words(tree: ast.AST) -> Iterator[str]:
    """One word or another, as a sentence needs it: `"mostly" if share > half else "often"`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.FormattedValue) and isinstance(node.value, ast.IfExp):
            for word in (node.value.body, node.value.orelse):
                told = str(word.value) if isinstance(word, ast.Constant) else ""
                if _CHOSEN.fullmatch(told) and told not in _KEYS:
                    yield told


NAMING = {"label", "title", "help", "word", "what", "mend", "summary", "became", "reason"}
"""Arguments, fields and constants that are shown as they are, even of one word."""
_OURS_ALONE = {
    "InternalError",
    "AssertionError",
    "ValueError",
    "TypeError",
    "KeyError",
    "RuntimeError",
    "OSError",
}
"""What a person never reads: `fault_report` tells that there was a mistake."""
_TECHNICAL = {"compile", "execute", "fullmatch", "match", "sub", "strftime", "strptime", "encode", "search"}
_NO_PROSE = re.compile(
    r"^[\w.\[\]]+, [\w.]+$|^\w+ = |[<>\\]|\{\}|\b(?:SELECT|CREATE|PRAGMA|BEGIN|UPDATE|INSERT)\b|%[YmdHM]"
)
_PROSE = re.compile(r"[A-Za-z]{2,}|\{")
_ONE_WORD = re.compile(r"[a-z]{4,}[:,]?")
"""Beside a field: `{days} dates`."""
_FIELD = re.compile(r"(?<!\{)\{(\w+)\}")


class _Reader(ast.NodeVisitor):
    """The texts of one module, those with fields as templates."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.formatted: list[str] = []

    def texts(self, tree: ast.Module) -> list[str]:
        self.visit(tree)
        return self.found

    def _visit_body(self, node: ast.Module | ast.ClassDef | ast.FunctionDef) -> None:
        for statement in node.body:
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                self.visit(statement)
        for decorator in getattr(node, "decorator_list", ()):
            self.visit(decorator)

    visit_Module = visit_ClassDef = _visit_body  # noqa: N815 - ast's names

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *(one for one in node.args.kw_defaults if one)):
            self.visit(default)
        self._visit_body(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._assigned([node.target], node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._assigned(node.targets, node.value)

    def _assigned(self, targets: list[ast.expr], value: ast.expr | None) -> None:
        named = any(isinstance(target, ast.Name) and target.id.lower() in NAMING for target in targets)
        if value is not None:
            self._say(value, named=named)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Of nobody's concern but ours."""

    def visit_Compare(self, node: ast.Compare) -> None:
        """Keys that are compared are no texts."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)

    def visit_Dict(self, node: ast.Dict) -> None:
        for value in node.values:
            self._say(value, named=False)

    def visit_Call(self, node: ast.Call) -> None:
        name = _called(node)
        if name in _OURS_ALONE or name in _TECHNICAL:
            return
        if name == "count_of":
            self.visit(node.args[0])
            return
        self.visit(node.func)
        for argument in node.args:
            self._say(argument, named=False)
        for keyword in node.keywords:
            if keyword.arg == "titles" and isinstance(keyword.value, ast.Dict):
                for value in keyword.value.values:
                    self._say(value, named=True)
            elif keyword.arg not in ("reference", "default", "where"):
                self._say(keyword.value, named=keyword.arg in NAMING)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        """Of a pair, the first may be the name of a fact: `("Publisher", texts.publisher)`."""
        for number, item in enumerate(node.elts):
            word = item.value if isinstance(item, ast.Constant) else None
            named = len(node.elts) == 2 and number == 0 and isinstance(word, str) and word.istitle()
            self._say(item, named=named)

    def visit_Constant(self, node: ast.Constant) -> None:
        self._say(node, named=False)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """What it says has no template, and nobody can translate it; what is in its fields may be a text."""
        literal = "".join(str(value.value) for value in node.values if isinstance(value, ast.Constant))
        if _is_prose(literal.strip(), named=False, field=True):
            self.formatted.append(ast.unparse(node))
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                self._say(value.value, named=False)

    def _say(self, node: ast.expr, *, named: bool) -> None:
        if isinstance(node, ast.IfExp):
            self.visit(node.test)
            self._say(node.body, named=named)
            self._say(node.orelse, named=named)
        elif not isinstance(node, ast.Constant):
            self.visit(node)
        elif isinstance(node.value, str):
            literal, fields = _FIELD.subn("", node.value)
            if _is_prose(literal.strip(), named=named, field=fields > 0):
                self.found.append(node.value.strip())


def _is_prose(literal: str, *, named: bool, field: bool) -> bool:
    """Of what stands between the fields of a text."""
    told = named or " " in literal or (field and _ONE_WORD.fullmatch(literal))
    return bool(told and _PROSE.search(literal) and not _NO_PROSE.search(literal))


def po_text(head: str, entries: Iterable[CatalogueEntry]) -> str:
    """A `.po` file: its head as it was, and the entries."""
    return head + "\n" + "\n".join(map(_po_entry, entries))


def _po_entry(entry: CatalogueEntry) -> str:
    lines = ["#, python-brace-format"] if "{" in entry.text + entry.many else []
    if entry.context:
        lines.append(f"msgctxt {_quoted(entry.context)}")
    lines.append(f"msgid {_quoted(entry.text)}")
    if entry.many:
        lines.append(f"msgid_plural {_quoted(entry.many)}")
        forms = entry.said or ("", "")
        lines += [f"msgstr[{number}] {_quoted(form)}" for number, form in enumerate(forms)]
    else:
        lines.append(f"msgstr {_quoted(entry.said[0] if entry.said else '')}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def brought_up_to_date(path: Path, texts: Iterable[CatalogueEntry]) -> str:
    """A catalogue with exactly these texts."""
    content = path.read_text(encoding="utf-8")
    head = content[: content.index("\n\n") + 1]
    known = {(entry.context, entry.text, entry.many): entry for entry in read_entries(path)}
    return po_text(head, (known.get((one.context, one.text, one.many), one) for one in texts))


if __name__ == "__main__":
    texts = [*of_window(), *of_core()]
    for path in sorted(FOLDER.glob("*.po")):
        path.write_text(brought_up_to_date(path, texts), encoding="utf-8")
        missing = sum(not entry.said for entry in read_entries(path))
        sys.stdout.write(f"{path.name}: {len(texts)} texts, {missing} without a translation\n")
