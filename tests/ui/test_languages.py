"""Every text that can reach the screen is in the catalogues, whole; nothing else is."""

from __future__ import annotations

import ast
import os
import pickle
import re
from pathlib import Path

import pytest
from filelock import FileLock
from PySide6.QtWidgets import QApplication

from docs.write_catalogues import (
    FOLDER,
    ROOT,
    brought_up_to_date,
    modules_on_screen,
    of_core,
    of_window,
    parsed,
)
from tests.syntax_tree import nodes_of
from tests.ui.languages import disguised, spoken
from ui.kit.glossary import glossary
from ui.language.catalogue import CORE, COUNTED, FIELD, Catalogue, CatalogueEntry, read_catalogue
from ui.language.translation import catalogue_of, core_text, languages

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
    assert [entry.text for entry in catalogue.entries if not entry.forms] == []
    path = FOLDER / f"{catalogue.language}.po"
    assert brought_up_to_date(path, texts) == path.read_text(encoding="utf-8")


def test_every_form_is_there_with_every_field(catalogue: Catalogue) -> None:
    assert catalogue.plural(1) != catalogue.plural(2)
    for entry in catalogue.entries:
        assert len(entry.forms) == (1 + max(map(catalogue.plural, range(200))) if entry.many else 1), entry
        sources = (entry.text, entry.many) if entry.many else (entry.text,)
        needed = set.intersection(*map(fields, sources)) - ({"{n}"} if entry.many else set())
        for form in entry.forms:
            assert needed <= fields(form) <= set.union(*map(fields, sources)), entry


def test_letters_of_menus_and_fields_stay_on_latin_keyboards(catalogue: Catalogue) -> None:
    for entry in catalogue.entries:
        letter = MNEMONIC.findall(entry.text)
        for form in entry.forms:
            assert [one.lower() for one in MNEMONIC.findall(form)] == [one.lower() for one in letter], entry


def test_no_translation_joins_two_numbers_by_a_hyphen(catalogue: Catalogue) -> None:
    """It reads as a minus: dates and options are so in English too."""
    for entry in catalogue.entries:
        for form in entry.forms:
            assert set(JOINED.findall(form)) <= set(JOINED.findall(entry.text)), form


def test_terms_of_the_glossary_are_told_apart(catalogue: Catalogue) -> None:
    assert len({catalogue.text(term) for term in glossary()}) == len(glossary())


def _filling(name: str, number: int) -> str:
    """Dates and numbers for fields that take nothing else."""
    if name.startswith(COUNTED):
        return f"{number} things"
    shaped = {"date": f"2022-01-{10 + number}", "figure": f"{number}.5", "number": str(number), "n": "1"}
    return shaped.get(name.split("_")[-1], f"⟨{number}⟩")


def test_true_errors_are_not_called_correct_ones(shipped: Catalogue) -> None:
    """`सही` is both; an error cannot be correct."""
    said = [
        form for entry in shipped.entries if re.search(r"\b[Tt]rue\b", entry.text) for form in entry.forms
    ]
    assert len(said) > 5
    assert [form for form in said if "सही" in form] == []


def test_vehicles_leave_hexagon_slots_and_are_not_stopped(shipped: Catalogue) -> None:
    """As police would; `रोकना` withholds a hexagon slot."""
    said = [form for entry in shipped.entries for form in entry.forms]
    assert [form for form in said if re.search("वाहन (?:नहीं )?रोक", form)] == []
    named = [entry.forms[0] for entry in shipped.entries if re.search(r"uppression\b", entry.text)]
    assert len(named) > 5
    assert [form for form in named if "हटा" not in form] == []


def test_the_error_at_worst_is_not_called_the_largest(shipped: Catalogue) -> None:
    said = [entry.forms[0] for entry in shipped.entries if re.search(r"\b[Aa]t worst\b", entry.text)]
    assert len(said) > 5
    assert [form for form in said if "सबसे बुरी स्थिति" not in form] == []


def test_what_is_unpinned_is_not_removed(shipped: Catalogue) -> None:
    """The button stood beside the pinned set as `Remove` alone: of what, one could not tell."""
    said = {entry.text: entry.forms[0] for entry in shipped.entries}
    assert "टाँका" in said["Unpin"]
    assert said["Unpin"] != said["Remove"]


def test_a_single_vehicle_is_not_the_same_vehicle(shipped: Catalogue) -> None:
    """`एक ही वाहन` says both."""
    said = [form for entry in shipped.entries if "single vehicle" in entry.text for form in entry.forms]
    assert len(said) > 1
    assert [form for form in said if "एक ही वाहन" in form] == []


def test_no_hindi_text_says_than_twice_in_a_row(shipped: Catalogue) -> None:
    """`सबसे अच्छे से अधिक से अधिक 0.4 % बुरा`: worse than the best than more."""
    forms = [form for entry in shipped.entries for form in entry.forms]
    assert [form for form in forms if " से अधिक से अधिक" in form] == []


def test_every_sentence_of_core_finds_its_template(catalogue: Catalogue) -> None:
    """With something in each field, the sentence is said as its own translation says it."""
    for entry in catalogue.entries:
        if entry.context == CORE:
            values = {name: _filling(name, number) for number, name in enumerate(FIELD.findall(entry.text))}
            said = entry.text.format(**values) if values else entry.text
            told = entry.forms[0].format(**values) if values else entry.forms[0]
            touching = "}{" in entry.text
            assert catalogue.of_core(said) == told or touching, entry
        if entry.context == CORE and entry.many:
            several = entry.forms[catalogue.plural(2304)].format(n=catalogue.number("2,304"))
            assert catalogue.of_core(entry.many.format(n="2,304")) == several, entry


@pytest.mark.parametrize(
    ("english", "hindi"),
    [
        ("The threshold leaves no hexagon slot.", "थ्रेशोल्ड कोई षट्भुज-स्लॉट नहीं छोड़ता।"),
        ("Mean speed of every hexagon and timeslot", "हर षट्भुज और स्लॉट की औसत गति"),
        (
            "Mean speed of each hexagon slot by Tokens: epsilon 0.9757 to 3.25396 per hexagon slot, typical "
            "error 2 km/h in the median hexagon slot, 2 km/h in the least exact "
            "(at worst 2.01 and 2.01 km/h)",
            "हर षट्भुज-स्लॉट, औसत गति (टोकन से): प्रति षट्भुज-स्लॉट epsilon 0.9757 से 3.25396, सामान्य त्रुटि "
            "माध्यिका षट्भुज-स्लॉट में 2 km/h, सबसे कम सटीक में 2 km/h (सबसे बुरी स्थिति में 2.01 और 2.01 km/h)",
        ),
        (
            "Mean speed of each region by Tokens: epsilon 0.9757 to 3.25396 per region, typical error 2.00 "
            "km/h in the median region, 2.00 km/h in the least exact (at worst 2.01 and 2.01 km/h)",
            "हर क्षेत्र, औसत गति (टोकन से): प्रति क्षेत्र epsilon 0.9757 से 3.25396, सामान्य त्रुटि माध्यिका क्षेत्र में "
            "2.00 km/h, सबसे कम सटीक में 2.00 km/h (सबसे बुरी स्थिति में 2.01 और 2.01 km/h)",
        ),
        (
            "Mean speed of each region by Plan and enforce: epsilon 2 to 3 per region, typical error 2.00 "
            "km/h in every region if public counts are right, 2.00 km/h in the least exact",
            "हर क्षेत्र, औसत गति (योजना और पालन से): प्रति क्षेत्र epsilon 2 से 3, सामान्य त्रुटि 2.00 km/h "
            "सार्वजनिक गिनतियाँ सही हों तो हर क्षेत्र में, सबसे कम सटीक में 2.00 km/h",
        ),
        (
            "Mean speed: 15 regions hold 60 hexagon slots: hexagons in all of their hours, where the "
            "promised error can be kept; they need 9.61474 of the 10 in all",
            "औसत गति: 15 क्षेत्रों में 60 षट्भुज-स्लॉट हैं: षट्भुजों के सभी घंटे, जहाँ वादा की गई त्रुटि निभाई जा सकती है; "
            "उन्हें कुल 10 में से 9.61474 चाहिए",
        ),
        (
            "Distribution of speeds of each hexagon slot: epsilon 0.2 per hexagon slot, typical error 16.08 "
            "percentage points in the median hexagon slot, 17.00 percentage points in the least exact (at "
            "worst 16.08 and 17.00 percentage points)",
            "हर षट्भुज-स्लॉट, गति का वितरण: प्रति षट्भुज-स्लॉट epsilon 0.2, सामान्य त्रुटि माध्यिका षट्भुज-स्लॉट "
            "में 16.08 प्रतिशत अंक, सबसे कम सटीक में 17.00 प्रतिशत अंक (सबसे बुरी स्थिति में 16.08 और 17.00 प्रतिशत अंक)",
        ),
        ("vehicles per day", "वाहन प्रतिदिन"),
        (
            "No grid compared has a hexagon slot with 1 vehicle a day: compare coarser grids, or lower the "
            "threshold.",
            "तुलना किए किसी ग्रिड में प्रतिदिन 1 वाहन वाला षट्भुज-स्लॉट नहीं है: मोटे ग्रिड की तुलना करें, या थ्रेशोल्ड घटाएँ।",
        ),
        (
            "81 % of the records are in 1,204 hexagon slots with 10 vehicles a day or more",
            "81 % रिकॉर्ड ऐसे 1,204 षट्भुज-स्लॉट में हैं, जहाँ प्रतिदिन 10 वाहन या अधिक हैं",
        ),
        ("1 region of 1 hexagon, apart and in place", "1 क्षेत्र, 1 षट्भुज: अलग-अलग और अपनी जगह"),
        ("1 row as declared", "1 पंक्ति, जैसा बताया गया"),
        ("12,345 rows as declared", "12,345 पंक्तियाँ, जैसा बताया गया"),
        (
            "1 of its features has no geometry and is not drawn.",
            "इसकी 1 आकृति की कोई ज्यामिति नहीं है, वह नहीं बनाई जाती।",
        ),
        (
            "No usable record is left of 1 row (no_value 1).",
            "कोई उपयोगी रिकॉर्ड नहीं बचा: पढ़ी गईं 1 पंक्ति (no_value 1).",
        ),
        ("1 hexagon and 2 tables as in data/", "1 षट्भुज और 2 तालिकाएँ, data/ जैसी"),
        ("16 hexagons and 1 table as in data/", "16 षट्भुज और 1 तालिका, data/ जैसी"),
        ("speed_by_hat: 1 row as declared", "speed_by_hat: 1 पंक्ति, जैसा बताया गया"),
        ("Busy hexagon slots, at least 1 vehicle a day", "व्यस्त षट्भुज-स्लॉट, प्रतिदिन कम से कम 1 वाहन"),
        ("6 files for maps and portals", "मानचित्रों और पोर्टलों के लिए 6 फ़ाइलें"),
        ("tokens split and zoom, Gaussian", "टोकन, बँटवारा और दो बार देखना, गाउसी"),
        ("tokens exact, Laplace", "टोकन, सटीक, लाप्लास"),
        ("2022-01-03 to 2022-01-09, 2022-02-01, 8 dates", "2022-01-03 से 2022-01-09, 2022-02-01, 8 तारीख़ें"),
        (
            "dmy (day first): the first in doubt is 10 January 2023; 36 dates, 1 May 2023 to 12 May 2023",
            "dmy (पहले दिन): पहली संदिग्ध 10 जनवरी 2023 है; 36 तारीख़ें, 1 मई 2023 से 12 मई 2023",
        ),
        (
            "Read as day first or month first, like 31/12/2023 10:15 or 12/31/2023 10:15",
            "पढ़ने का रूप: पहले दिन या पहले महीना, जैसे 31/12/2023 10:15 या 12/31/2023 10:15",
        ),
        (
            '"99/99/9999, 9:99:99 aa" is read as day first or month first, like 31/12/2023 10:15 or '
            "12/31/2023, 9:05:30 PM",
            '"99/99/9999, 9:99:99 aa" पढ़ने का रूप: पहले दिन या पहले महीना, जैसे 31/12/2023 10:15 या '
            "12/31/2023, 9:05:30 PM",
        ),
        (
            '"99/99/9999 99:99:99" is read as day first, like 31/12/2023 10:15',
            '"99/99/9999 99:99:99" पढ़ने का रूप: पहले दिन, जैसे 31/12/2023 10:15',
        ),
        ("too few times to tell", "समय की प्रविष्टियाँ बहुत कम हैं"),
        ("resolution 5 with slots of 30 minutes", "रिज़ॉल्यूशन 5, 30 मिनट के स्लॉट,"),
        (
            "Inside a boundary, from cells/box.geojson, at least 10 vehicles a day, C = 65, H3 resolution 6",
            "सीमारेखा के भीतर, cells/box.geojson से, प्रतिदिन कम से कम 10 वाहन, C = 65, H3 रिज़ॉल्यूशन 6",
        ),
        (
            "Inside a boundary, a noisy number of at least 10 vehicles or records, H3 resolution 6",
            "सीमारेखा के भीतर, शोर-सहित संख्या कम से कम 10 वाहन या रिकॉर्ड, H3 रिज़ॉल्यूशन 6",
        ),
        (
            "Mean speed of each hexagon slot by Bounded mean: epsilon 2.6 per hexagon slot, "
            "typical error 7.85 km/h in a hexagon slot "
            "of 10 vehicles",
            "हर षट्भुज-स्लॉट, औसत गति (सीमित औसत से): प्रति षट्भुज-स्लॉट epsilon 2.6, सामान्य "
            "त्रुटि 7.85 km/h ऐसे षट्भुज-स्लॉट में जहाँ 10 वाहन हों",
        ),
        (
            "write data.value.physical_min = -600 or less, or other bounds",
            "data.value.physical_min = -600 या उससे कम लिखें, या दूसरी सीमाएँ",
        ),
        (
            "everything that one vehicle reported on one day; and whether it reported anything at all",
            "एक वाहन ने एक दिन में जो कुछ भेजा; और उसने कुछ भेजा भी या नहीं",
        ),
        (
            "A total of 0.1 is not worth spending on this grid: the median hexagon slot would "
            "typically be off by 9.7 km/h"
            ", one constant for all of them 7 km/h. What would do: a total of 0.29, or resolution 5 with "
            "one slot of the whole window (typical error 6 km/h with Laplace noise).",
            "इस ग्रिड पर 0.1 का कुल ख़र्च करने योग्य नहीं है: माध्यिका षट्भुज-स्लॉट सामान्यतः 9.7 "
            "km/h चूकेगा, सबके लिए एक "
            "स्थिरांक 7 km/h\u00a0। क्या काम करेगा: 0.29 का कुल, या रिज़ॉल्यूशन 5, पूरी अवधि का एक स्लॉट "
            "(लाप्लास शोर के साथ सामान्य त्रुटि 6 km/h)।",
        ),
        (
            "speed_by_hat: 48 rows as declared, speed_cdf: 3,120 rows as declared",
            "speed_by_hat: 48 पंक्तियाँ, जैसा बताया गया, speed_cdf: 3,120 पंक्तियाँ, जैसा बताया गया",
        ),
        (
            'In the column FECHA, "99/99/99" is not read: a year of two digits. '
            "9 stands for a digit, a for a letter. Choose another column, or write its dates in a form of "
            "docs/file-formats.md. In a spec file the key data.mapping.date decides this.",
            'स्तंभ FECHA में "99/99/99" पढ़ा नहीं जाता: दो अंकों का वर्ष। यहाँ 9 का '
            "अर्थ कोई अंक है और a का अर्थ कोई अक्षर। कोई दूसरा स्तंभ चुनें, या उसकी तारीख़ें docs/file-formats.md के "
            "किसी रूप में लिखें। स्पेक फ़ाइल में यह कुंजी data.mapping.date से तय होता है।",
        ),
        (
            "2 queries add up to the charge of every unit (relation values)",
            "2 क्वेरियों का जोड़ हर इकाई की लागत के बराबर (संबंध केवल मान)",
        ),
        (
            "half of the values tell no more than one constant for the whole city would "
            "(typical error 7.85 km/h, a constant's 7 km/h); raise epsilon, or choose coarser hexagons, "
            "longer slots or fewer hexagon slots",
            "आधे मानों से पूरे शहर के लिए एक स्थिरांक से अधिक जानकारी नहीं मिलती (सामान्य "
            "त्रुटि 7.85 km/h, स्थिरांक की 7 km/h); epsilon बढ़ाएँ, या बड़े षट्भुज, लंबे स्लॉट या कम "
            "षट्भुज-स्लॉट चुनें",
        ),
        ("/city/buses.parquet, row 3", "/city/buses.parquet, पंक्ति 3"),
        (
            'In the column when, "99/99/9999 99a99" is not read: no form of times looks like it. '
            "9 stands for a digit, a for a letter. Choose another column, or write its times in a form of "
            "docs/file-formats.md. In a spec file the key data.mapping.time decides this.",
            'स्तंभ when में "99/99/9999 99a99" पढ़ा नहीं जाता: समय का कोई रूप ऐसा नहीं दिखता। यहाँ 9 का '
            "अर्थ कोई अंक है और a का अर्थ कोई अक्षर। कोई दूसरा स्तंभ चुनें, या उसके समय docs/file-formats.md के किसी रूप में "
            "लिखें। स्पेक फ़ाइल में यह कुंजी data.mapping.time से तय होता है।",
        ),
        (
            "1,234,567 candidate hexagon slots are more than 500,000.",
            "12,34,567 संभावित षट्भुज-स्लॉट 5,00,000 से अधिक हैं।",
        ),
    ],
)
def test_what_core_says_in_hindi(qapp: QApplication, shipped: Catalogue, english: str, hindi: str) -> None:
    with spoken(qapp, shipped):
        assert core_text(english) == hindi


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
    assert (retained.text, retained.forms) == ("kept", ("xkept",))
    assert (added.text, added.many, added.context, added.forms) == ("{n} row", "{n} rows", CORE, ())


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
    told = [form for entry in catalogue_of("hi").entries for form in entry.forms]
    keys = re.compile(
        r"संबंध [“`]?(user|values)\b|(इकाई|या|और) `?vehicle\b|[“`]vehicle|vehicle-(hat-)?day(?!\w)"
    )
    assert [form for form in told if keys.search(form)] == []
