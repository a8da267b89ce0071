"""What the documents say of the parts is what the registries hold, and their examples run as they stand."""

from __future__ import annotations

import datetime as dt
import doctest
import importlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from core import __version__
from core.accounting.ledger import Ledger
from core.bundle.csv_columns import data_tables
from core.cli.commands import COMMANDS
from core.keys.signing_key import generate_key
from core.mechanisms.registry import all_mechanisms
from core.read.reader_registry import all_readers
from core.release.prepare_publish import prepare, publish
from core.selection.registry import all_rules
from core.spec import load_spec
from core.statistics.registry import all_statistics, published_statistics
from core.verify.verify import verify_bundle
from docs.print_layout import layout
from docs.write_commands import commands_page
from docs.write_keys import with_keys
from resources.installer.parts import own_data
from tests.city import PASSPHRASE, POPULATION, SPEC, write_city

ROOT = Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs" / "mechanisms.md").read_text(encoding="utf-8")
STATISTICS = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
SECTION = re.compile(r"^## (?P<title>.+) \(`(?P<key>[a-z0-9_-]+)`\)$", re.MULTILINE)
EXAMPLE = re.compile(r"^```python\n# (?P<path>[a-z_/]+\.py)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
"""A block that is a whole file, named in its first line."""
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]*)+|[A-Za-z0-9_-]+\.(?:py|md|toml)")
FOLDERS = (ROOT, ROOT / "core", ROOT / "ui")
"""What paths in documents are relative to."""
KEYS = list(all_mechanisms())


def sections(text: str) -> dict[str, tuple[str, str]]:
    """Key -> (title, body up to the next section)."""
    heads = list(SECTION.finditer(text))
    assert len({head["key"] for head in heads}) == len(heads)
    return {head["key"]: (head["title"], text[head.end() :].split("\n## ", 1)[0]) for head in heads}


def test_every_room_and_file_says_in_a_line_what_it_alone_holds() -> None:
    lines = list(layout())
    said = [re.split(r"/  |\.py: ", line, maxsplit=1)[1] for line in lines]
    assert all(len(line) > 10 for line in said)
    assert not [line for line, times in Counter(said).items() if times > 1]
    assert {"core/", "ui/"} < {line.split("  ")[0] for line in lines}


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


def test_the_commands_are_those_that_the_program_reads() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert page == commands_page(), "run make docs"


def test_readme_and_changelog_are_short_and_documents_name_the_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(README.splitlines()) <= 160
    assert len(changes.splitlines()) <= 150
    versions = re.findall(r"^## (\d+\.\d+\.\d+)\b", changes, re.MULTILINE)
    assert versions == sorted(versions, reverse=True)
    assert versions[0] == __version__
    for page in ("README.md", "docs/building.md", "docs/verify.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert set(re.findall(r"hexveil[_-](\d+\.\d+\.\d+)", text)) == {__version__}


def test_what_people_read_away_from_the_sources_calls_the_program_by_its_name() -> None:
    """The README alone says how a checkout starts it; messages take the name from `program_name`."""
    by_file = re.compile(rf"main\.py ({'|'.join(COMMANDS)})\b")
    folders = [ROOT / "core", ROOT / "ui", ROOT / "docs", *(Path(source) for source, _ in own_data())]
    pages = [
        ROOT / "README.md",
        *(
            path
            for folder in folders
            for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".pyc"
        ),
    ]
    texts = {page: page.read_bytes().decode("utf-8", "replace") for page in pages}
    assert [page.relative_to(ROOT).as_posix() for page, text in texts.items() if by_file.search(text)] == []


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


def run_page(page: Path, **names: object) -> None:
    """Run what stands behind `>>>` in a page."""
    failed, tried = doctest.testfile(
        str(page), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8", extraglobs=names
    )
    assert tried > 10
    assert failed == 0


def test_the_guide_to_mechanisms_runs_as_it_stands() -> None:
    run_page(ROOT / "docs" / "mechanism-guide.md")


def forget_parts() -> None:
    """Let the registries look at the files anew."""
    for registry in (all_readers, all_rules, all_statistics, published_statistics, data_tables):
        registry.cache_clear()


@pytest.fixture
def example_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """The files that CONTRIBUTING.md shows, as if they lay where it puts them: path -> text."""
    shown = {found["path"]: found["text"] for found in EXAMPLE.finditer(CONTRIBUTING.read_text("utf-8"))}
    known = set(sys.modules)
    for path, text in shown.items():
        file = tmp_path / "parts" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        package = importlib.import_module(".".join(Path(path).parent.parts))
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(file.parent)])
    forget_parts()
    yield shown
    forget_parts()
    for name in set(sys.modules) - known:
        package_name, _, module = name.rpartition(".")
        if f"{name.replace('.', '/')}.py" in shown:
            del sys.modules[name]
            delattr(sys.modules[package_name], module)


@pytest.mark.usefixtures("example_parts")
def test_contributing_runs_as_it_stands(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    run_page(CONTRIBUTING, folder=folder)


def test_each_example_of_contributing_is_one_file_and_all_that_a_release_needs(
    example_parts: dict[str, str], tmp_path: Path
) -> None:
    """From the spec to the verified bundle with nothing but the three files: no other file names them."""
    assert len(example_parts) == 3
    edits = (
        ('files = ["records.csv"]', 'files = ["records.pings"]'),
        ('rule = "hat"', 'rule = "busiest"'),
        (SPEC[SPEC.index("[[query]]") :], '[[query]]\nid = "fast"\nstatistic = "fast_share"\ntotal = "6"\n'),
    )
    spec = write_city(tmp_path, edit=edits)
    records = (tmp_path / "records.csv").read_text("utf-8").replace(",", "|")
    (tmp_path / "records.pings").write_text(records, encoding="utf-8")
    ledger = Ledger.open(tmp_path / "home" / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(100))
    key = generate_key(tmp_path / "key", PASSPHRASE)
    now = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)
    bundle = publish(prepare(load_spec(spec), ledger), ledger, key=key, out=tmp_path / "out", now=now).bundle
    assert verify_bundle(bundle).ok
    assert (bundle / "data" / "fast_share_by_hat.csv").is_file()
    assert "`fast_share`" in with_keys((ROOT / "docs" / "file-formats.md").read_text("utf-8"))


def paths_named(text: str) -> set[str]:
    """What in backticks looks like a file or a folder of ours; `km/h` and patterns do not."""
    named = {found for found in CODE.findall(text) if PATH.fullmatch(found)}
    return named - {"km/h"}


@pytest.mark.parametrize("page", [CONTRIBUTING, ARCHITECTURE], ids=lambda page: page.name)
def test_files_and_folders_that_a_page_names_exist(page: Path) -> None:
    named = paths_named(page.read_text("utf-8"))
    assert len(named) > 10
    missing = [name for name in sorted(named) if not any((folder / name).exists() for folder in FOLDERS)]
    assert missing == []


def test_a_path_that_a_page_names_is_seen() -> None:
    text = (
        "`core/cli/`, `kit/jobs.py`, `system/parallel.py`, `km/h`, `*.csv`, `make test`, `method n`, `.pings`"
    )
    assert paths_named(text) == {"core/cli/", "kit/jobs.py", "system/parallel.py"}


def test_every_room_has_its_place_in_the_architecture() -> None:
    drawing = ARCHITECTURE.read_text("utf-8").split("```")[1]
    words = set(re.findall(r"[a-z_]+", drawing))
    for tree in ("core", "ui"):
        rooms = {path.stem for path in (ROOT / tree).iterdir() if path.suffix == ".py" or path.is_dir()}
        assert {room for room in rooms if not room.startswith("__")} <= words


def test_the_keys_of_a_spec_are_those_that_the_program_reads() -> None:
    page = (ROOT / "docs" / "file-formats.md").read_text(encoding="utf-8")
    assert page == with_keys(page), "run make docs"


def test_links_between_documents_lead_somewhere() -> None:
    tour = ROOT / "resources" / "tour" / "tour.md"
    for page in (ROOT / "README.md", CONTRIBUTING, tour, *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+\.(?:md|png))\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).is_file(), f"{page.name}: {target}"


TARGET = re.compile(r"(?<![\w-])make ([a-z]+)(?=[ `\n]|$)")


def test_every_target_of_make_that_a_document_names_is_one() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    code = [
        (page.name, name)
        for page in pages
        for block in re.findall(r"```[a-z ]*\n(.*?)```|`([^`\n]+)`", page.read_text("utf-8"), re.DOTALL)
        for name in TARGET.findall("\n".join(block))
    ]
    assert {("privacy.md", name) for name in ("crash", "race", "fuzz", "leaks", "tamper", "audit")} <= set(
        code
    )
    assert [(page, name) for page, name in code if name not in targets] == []
