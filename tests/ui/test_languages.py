"""Every text that can reach the screen is in the catalogues, whole; nothing else is."""

from __future__ import annotations

import ast
import os
import pickle
import re
from pathlib import Path

import pytest
from filelock import FileLock

from core.catalogue import CORE, Catalogue, CatalogueEntry, read_catalogue
from docs.write_catalogues import (
    FOLDER,
    ROOT,
    brought_up_to_date,
    modules_on_screen,
    of_core,
    of_window,
    parsed,
    without_template,
)
from tests.syntax_tree import nodes_of
from tests.ui.languages import disguised
from ui.kit.glossary import glossary
from ui.language.translation import catalogue_of, languages

FIELDS = re.compile(r"\{[^{}]*\}")
ASKS = re.compile(r"\b(?:_tr|counted)\b")
FORMATTED = re.compile(r":[^\n{}]*,[^\n{}]*\}|\{[^\n{}]*:[^\n{}]*\{")
"""What has such a format, and more: only sources with one are taken apart."""
MNEMONIC = re.compile(r"&(\w)")
JOINED = re.compile(r"(?<![\w-])[0-9]+-[0-9]+(?![\w-])")


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[CatalogueEntry, ...]:
    """Whichever worker of a run wants them first reads the sources, which takes seconds; others wait."""
    own = tmp_path_factory.getbasetemp()
    retained = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "texts-on-screen.pickle"
    with FileLock(retained.with_suffix(".lock")):
        if not retained.exists():
            retained.write_bytes(pickle.dumps((*of_window(), *of_core())))
        found: tuple[CatalogueEntry, ...] = pickle.loads(retained.read_bytes())
    return found


@pytest.fixture(scope="module", params=languages()[1:])
def catalogue(request: pytest.FixtureRequest) -> Catalogue:
    return catalogue_of(request.param)


@pytest.fixture(scope="module")
def shipped() -> Catalogue:
    """Read and prepared once: a catalogue changes no more."""
    return catalogue_of("hi")


def fields(text: str) -> set[str]:
    return set(FIELDS.findall(text))


def test_hindi_ships() -> None:
    assert languages() == ("en", "hi")


def test_the_sources_say_what_is_to_be_translated(texts: tuple[CatalogueEntry, ...]) -> None:
    told = {(entry.context, entry.text): entry.many for entry in texts}
    assert told["", "{n} hexagon"] == "{n} hexagons"
    assert ("", "&Undo") in told  # Qt's own
    assert (CORE, "The file is empty.") in told  # what
    assert (CORE, "choose a file with records") in told  # mend
    assert (CORE, "write one of {value}") in told  # a sum of strings
    assert (CORE, "There is no parameter {name} here.") in told  # fields
    assert (CORE, "Sorting records") in told  # progress
    assert (CORE, "Baseline") in told  # a title of one word
    shown = modules_on_screen()
    assert "core.verify.verify" in shown
    assert "core.cli.verify" not in shown
    assert not [text for context, text in told if context == CORE and "SELECT" in text]


def test_no_text_is_left_untranslated_and_none_is_obsolete(
    catalogue: Catalogue, texts: tuple[CatalogueEntry, ...]
) -> None:
    """`make languages` brings texts in and out; a person translates them."""
    written = {(entry.context, entry.text, entry.many) for entry in catalogue.entries}
    assert written == {(entry.context, entry.text, entry.many) for entry in texts}
    assert [entry.text for entry in catalogue.entries if not entry.said] == []
    path = FOLDER / f"{catalogue.language}.po"
    assert brought_up_to_date(path, texts) == path.read_text(encoding="utf-8")


def test_every_form_is_there_with_every_field(catalogue: Catalogue) -> None:
    assert catalogue.plural(1) != catalogue.plural(2)
    for entry in catalogue.entries:
        assert len(entry.said) == (1 + max(map(catalogue.plural, range(200))) if entry.many else 1), entry
        sources = (entry.text, entry.many) if entry.many else (entry.text,)
        needed = set.intersection(*map(fields, sources)) - ({"{n}"} if entry.many else set())
        for form in entry.said:
            assert needed <= fields(form) <= set.union(*map(fields, sources)), entry


def test_letters_of_menus_and_fields_stay_on_latin_keyboards(catalogue: Catalogue) -> None:
    for entry in catalogue.entries:
        letter = MNEMONIC.findall(entry.text)
        for form in entry.said:
            assert [one.lower() for one in MNEMONIC.findall(form)] == [one.lower() for one in letter], entry


def test_no_translation_joins_two_numbers_by_a_hyphen(catalogue: Catalogue) -> None:
    """It reads as a minus: dates and options are so in English too."""
    for entry in catalogue.entries:
        for form in entry.said:
            assert set(JOINED.findall(form)) <= set(JOINED.findall(entry.text)), form


def test_terms_of_the_glossary_are_told_apart(catalogue: Catalogue) -> None:
    assert len({catalogue.text(term) for term in glossary()}) == len(glossary())


def test_true_errors_are_not_called_correct_ones(shipped: Catalogue) -> None:
    """`सही` is both; an error cannot be correct."""
    said = [form for entry in shipped.entries if re.search(r"\b[Tt]rue\b", entry.text) for form in entry.said]
    assert len(said) > 5
    assert [form for form in said if "सही" in form] == []


def test_vehicles_leave_hexagon_slots_and_are_not_stopped(shipped: Catalogue) -> None:
    """As police would; `रोकना` withholds a hexagon slot."""
    said = [form for entry in shipped.entries for form in entry.said]
    assert [form for form in said if re.search("वाहन (?:नहीं )?रोक", form)] == []
    named = [entry.said[0] for entry in shipped.entries if re.search(r"uppression\b", entry.text)]
    assert len(named) > 5
    assert [form for form in named if "हटा" not in form] == []


def test_the_error_at_worst_is_not_called_the_largest(shipped: Catalogue) -> None:
    said = [entry.said[0] for entry in shipped.entries if re.search(r"\b[Aa]t worst\b", entry.text)]
    assert len(said) > 5
    assert [form for form in said if "सबसे बुरी स्थिति" not in form] == []


def test_what_is_unpinned_is_not_removed(shipped: Catalogue) -> None:
    """The button stood beside the pinned set as `Remove` alone: of what, one could not tell."""
    said = {entry.text: entry.said[0] for entry in shipped.entries}
    assert "टाँका" in said["Unpin"]
    assert said["Unpin"] != said["Remove"]


def test_a_single_vehicle_is_not_the_same_vehicle(shipped: Catalogue) -> None:
    """`एक ही वाहन` says both."""
    said = [form for entry in shipped.entries if "single vehicle" in entry.text for form in entry.said]
    assert len(said) > 1
    assert [form for form in said if "एक ही वाहन" in form] == []


def test_no_hindi_text_says_than_twice_in_a_row(shipped: Catalogue) -> None:
    """`सबसे अच्छे से अधिक से अधिक 0.4 % बुरा`: worse than the best than more."""
    forms = [form for entry in shipped.entries for form in entry.said]
    assert [form for form in forms if " से अधिक से अधिक" in form] == []


def test_every_sentence_of_core_with_fields_carries_its_template() -> None:
    """An f-string forgets what it was made of, and would be English in every language."""
    assert list(without_template()) == []


def test_no_text_is_asked_for_before_the_language_is_known() -> None:
    """A text at the top of a module would be that of the moment when it was imported."""
    early = []
    for path in sorted((ROOT / "ui").rglob("*.py")):
        if not ASKS.search(path.read_text(encoding="utf-8")):
            continue
        for statement in parsed(path).body:
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                early += [
                    f"{path.relative_to(ROOT)}, line {node.lineno}"
                    for node in nodes_of(statement)
                    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_tr", "counted")
                ]
    assert early == []


def test_numbers_and_forms_are_left_to_the_language(texts: tuple[CatalogueEntry, ...]) -> None:
    """No thousands grouped by hand, no `row(s)`."""
    by_hand = [
        f"{path.relative_to(ROOT)}, line {node.lineno}"
        for path in (ROOT / "ui").rglob("*.py")
        if path != ROOT / "ui" / "language" / "translation.py" and FORMATTED.search(path.read_text("utf-8"))
        for node in nodes_of(parsed(path))
        if isinstance(node, ast.FormattedValue) and node.format_spec and "," in ast.unparse(node.format_spec)
    ]
    assert by_hand == []
    assert [entry.text for entry in texts if "(s)" in entry.text] == []


def test_a_catalogue_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "xx.po"
    head = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n'
    path.write_text(
        head + '\nmsgid "kept"\nmsgstr "xkept"\n\nmsgid "gone"\nmsgstr "xgone"\n', encoding="utf-8"
    )
    new = CatalogueEntry(text="{n} row", many="{n} rows", context=CORE)
    path.write_text(brought_up_to_date(path, (CatalogueEntry(text="kept"), new)), encoding="utf-8")
    retained, added = read_catalogue(path).entries
    assert (retained.text, retained.said) == ("kept", ("xkept",))
    assert (added.text, added.many, added.context, added.said) == ("{n} row", "{n} rows", CORE, ())


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("&Open", "⟦&Opéñ··⟧"),
        ("{n:.3g} rows ", "⟦{n:.3g} róws··⟧ "),
    ],
)
def test_the_made_up_language(text: str, made: str) -> None:
    assert disguised(text) == made


def test_sentences_in_hindi_name_units_and_relations_as_the_fields_do() -> None:
    told = [form for entry in catalogue_of("hi").entries for form in entry.said]
    keys = re.compile(
        r"संबंध [“`]?(user|values)\b|(इकाई|या|और) `?vehicle\b|[“`]vehicle|vehicle-(hat-)?day(?!\w)"
    )
    assert [form for form in told if keys.search(form)] == []
