"""What earlier versions published, stored and asked for keeps its meaning, byte for byte.

Each folder `v*` was written by that version (`make.py`). Nothing in it is ever made anew. What was
published verifies, what was paid for is found and published with the numbers that are stored, and requests
are marked as they were. New draws may come out otherwise than those of an older version, where a formula
changed: they are compared with the newest folder.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.accounting import ledger as ledgers
from core.accounting.ledger import Ledger
from core.assist.known_mappings import recall, shape_of
from core.bundle.interval_rules import NOISE_AND_BIAS, NOISE_ONLY
from core.cli import main
from core.draft.draft import draft_of
from core.draft.project_file import PROJECT_FORMAT, read_project
from core.errors import BudgetRefused
from core.keys.signing_key import load_key
from core.mechanisms.registry import all_mechanisms
from core.portal.differences import differences
from core.portal.embedded_json import find_json
from core.portal.map_page import MAP_DATA_ID
from core.portal.policy import POLICY_FORMAT
from core.portal.row_parts import part_named
from core.privacy import Relation
from core.records.column_cache import MemoryColumnCache
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import prepare
from core.release.request_identity import canonical, spec_mark, table_bytes
from core.signed.bundle_names import (
    FIRST_MAP_FORMAT,
    MANIFEST,
    MAP_FORMATS,
    MAP_PAGE,
    POLICY_PAGE,
    PUBLIC_KEY,
)
from core.spec import load_spec
from core.spec.schema import FIRST_IDENTITY
from core.statistics.registry import all_statistics
from core.store.load_records import load_records
from core.store.record_store import open_store
from core.system.paths import Home
from core.verify.folder import read_folder
from core.verify.maps import map_checks, published_of
from core.verify.verify import verify_bundle
from resources.verifier.hexveil_verify import read_key, verify
from tests.city import PASSPHRASE
from tests.golden.make import ledger_events
from tests.golden.steady import (
    BESIDE,
    GOLDEN,
    INPUT,
    POPULATION,
    RELEASED,
    key,
    open_ledger,
    open_ledger_beside,
    release,
    steady,
)
from ui.kit.theme import Mode
from ui.session.settings import Settings

pytestmark = pytest.mark.whole
"""What is published stays so: nothing of it waits for an audit."""

VERSIONS = sorted(path.name for path in GOLDEN.glob("v*"))
NEWEST = VERSIONS[-1]
BUNDLES = sorted(path.parent for path in GOLDEN.glob(f"**/{MANIFEST}"))
IDENTITIES = {"v0.1": 1, "v0.2": 2, "v0.3": 2, "v0.4": 3, "v0.4.1": 3, "v1.0": 3}
"""The canonical form that each version marked requests by; they are looked up by all of them."""
MARKS = {"fingerprint", "spec_fingerprint"}
"""Keys of an entry that follow from the canonical form."""
INTERVALS = dict.fromkeys(VERSIONS, NOISE_AND_BIAS) | {"v0.1": NOISE_ONLY}
"""By which rule each version made intervals."""
MAY_DIFFER = {"versions", "software", "mechanism_reference", "map_files", "portal_files"}
"""Keys that say what made a bundle, by which words a method is cited, and of which form its page is."""
ADDED = {"zone", "format"}
"""Keys of a ledger's events that versions after the first one write, or write otherwise."""


@pytest.fixture(params=VERSIONS)
def old(request: pytest.FixtureRequest) -> Path:
    """What one version left."""
    folder: Path = GOLDEN / request.param
    return folder


@pytest.fixture
def home(old: Path, tmp_path: Path) -> Path:
    """A home folder of that version, as it was found."""
    folder = tmp_path / "home"
    shutil.copytree(old / "home", folder)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def told(value: Any) -> Any:
    """JSON without the keys that may differ, at any depth."""
    if isinstance(value, dict):
        return {name: told(one) for name, one in value.items() if name not in MAY_DIFFER}
    return [told(one) for one in value] if isinstance(value, list) else value


def privacy(bundle: Path) -> Any:
    return told(json.loads((bundle / "privacy.json").read_bytes()))


def test_there_is_a_version_to_look_at() -> None:
    assert VERSIONS


def test_a_request_is_still_the_same_request(old: Path) -> None:
    retained = json.loads((old / "canonical.json").read_text(encoding="utf-8"))
    assert retained
    for name, text in retained.items():
        assert canonical(load_spec(INPUT / f"{name}.toml"), IDENTITIES[old.name]).decode() == text, name


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same releases once more, one after the other in one ledger, with the code of today."""
    folder = tmp_path_factory.mktemp("today")
    with steady():
        ledger = open_ledger(folder / "ledger.sqlite")
        for name in RELEASED:
            release(name, ledger, folder / "releases")
        ledger.mark_evaluated(POPULATION)
        beside = open_ledger_beside(folder / "beside.sqlite")
        for name in BESIDE:
            release(name, beside, folder / "beside" / "releases")
    return folder


@pytest.mark.parametrize("name", [*RELEASED, *(f"beside/{name}" for name in BESIDE)])
def test_the_same_noise_gives_the_same_tables_and_statement(name: str, today: Path) -> None:
    place = Path(name).parent / "releases" / f"{Path(name).name}-1.0.0"
    retained, bundle = GOLDEN / NEWEST / place, today / place
    assert files_of(bundle / "data") == files_of(retained / "data")
    assert privacy(bundle) == privacy(retained)


def test_the_same_releases_write_the_same_ledger(old: Path, today: Path) -> None:
    """The same charges in the same order, whatever was drawn; and the same draws as the newest version's."""
    retained = json.loads((old / "events.json").read_text(encoding="utf-8"))
    made = ledger_events(today / "ledger.sqlite")
    drawn = old.name == NEWEST
    assert [_told(row, drawn=drawn) for row in made] == [_told(row, drawn=drawn) for row in retained]
    assert [set(json.loads(row["private"] or "{}")) for row in made] == [
        set(json.loads(row["private"] or "{}")) for row in retained
    ]


def test_requests_have_the_marks_of_their_time_in_its_version(old: Path, today: Path) -> None:
    """What was kept in an entry then is what is looked for now: spec and table as they were hashed."""
    retained = json.loads((old / "events.json").read_text(encoding="utf-8"))
    reserved = [json.loads(row["private"]) for row in retained if row["kind"] == "reserved"]
    ledger, version = Ledger.open(today / "ledger.sqlite"), IDENTITIES[old.name]
    for name, marks in zip(RELEASED, reserved, strict=True):
        spec = load_spec(INPUT / f"{name}.toml")
        table, _ = contributions_for(spec)
        visits = version > FIRST_IDENTITY and any(query.question.uses_visits for query in spec.queries)
        rows = table_bytes(table, with_visits=visits, with_others=True)
        whole = ledger.fingerprint(POPULATION, canonical(spec, version), *rows)
        assert (spec_mark(spec, ledger, version), whole) == (marks["spec_fingerprint"], marks["fingerprint"])


def _told(row: dict[str, str], *, drawn: bool) -> dict[str, Any]:
    """An event without the hashes of its chain, the bundle's sums, the program's version and what may differ.

    drawn: with what noise gave, and what is told of it.
    """
    body, private = json.loads(row["body"]), json.loads(row["private"] or "{}")
    for name in ADDED | {"manifest_sha256", "code_version"}:
        body.pop(name, None)
    private = {name: value for name, value in private.items() if name not in MARKS}
    if draws := body.get("draws"):
        body["draws"] = told(json.loads(draws)) if drawn else charge_of(json.loads(draws))
    return {"seq": row["seq"], "at": row["at"], "kind": row["kind"], "body": body, "private": private}


def charge_of(draws: dict[str, Any]) -> dict[str, Any]:
    """What stored draws say of their release, but for the numbers and what is told of how they came about."""
    queries = [
        {name: query[name] for name in ("query_id", "mechanism", "charge", "division")}
        for query in draws["queries"]
    ]
    wanted = (
        "relation",
        "unit",
        "date_ranges",
        "hours",
        "zone",
        "charge",
        "cumulative",
        "limits",
        "reserved_on",
    )
    return {name: draws[name] for name in wanted} | {"queries": queries}


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: path.relative_to(GOLDEN).as_posix())
def test_a_published_bundle_verifies(bundle: Path) -> None:
    """For the program and for the public's; what no golden release made is signed with another key."""
    text = (bundle / PUBLIC_KEY).read_text("utf-8") if "compared" in bundle.parts else key().public_text
    found = verify_bundle(bundle, public_key=text)
    assert found.ok, [check for check in found.checks if not check.passed]
    assert found.trusted
    assert all(holds for _, holds, _ in verify(str(bundle), read_key(text)))


@pytest.mark.parametrize("name", RELEASED)
def test_stored_draws_are_published_again_at_no_cost(
    name: str, old: Path, home: Path, tmp_path: Path
) -> None:
    """With the population's own keys: neither noise nor clock is steadied."""
    ledger = Ledger.open(home / "ledger.sqlite")
    spent = ledger.populations()[0].spent
    again = release(name, ledger, tmp_path / "out")
    assert again.repeated
    assert files_of(again.bundle / "data") == files_of(old / "releases" / f"{name}-1.0.0" / "data")
    assert verify_bundle(again.bundle).ok
    assert privacy(again.bundle)["interval_rule"] == INTERVALS[old.name]
    assert ledger.populations()[0].spent == spent


@pytest.mark.parametrize("name", BESIDE)
def test_stored_draws_of_a_later_kind_are_published_again_at_no_cost(name: str, tmp_path: Path) -> None:
    """A whole city, shares, presence, wards: with the same tables from stored draws."""
    beside = tmp_path / "beside"
    shutil.copytree(GOLDEN / "v1.0" / "beside", beside)
    bundle = beside / "releases" / f"{name}-1.0.0"
    ledger = Ledger.open(beside / "ledger.sqlite")
    spent = [population.spent for population in ledger.populations()]
    again = release(name, ledger, tmp_path / "out")
    assert again.repeated
    assert files_of(again.bundle / "data") == files_of(bundle / "data")
    assert verify_bundle(again.bundle).ok
    assert [population.spent for population in ledger.populations()] == spent


@pytest.mark.parametrize("name", RELEASED)
def test_what_was_paid_stays_paid_when_a_method_gets_another_version(
    name: str, old: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And when the population has no budget left: nothing is refused before the data are read.

    The second form tells versions of methods apart: there another one is another request.
    """
    if IDENTITIES[old.name] != FIRST_IDENTITY:
        pytest.skip("a request of the second form names the versions of its methods")
    ledger = Ledger.open(home / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=ledger.populations()[0].spent)
    for method in (*all_mechanisms().values(), *all_statistics().values()):
        monkeypatch.setattr(type(method), "version", 7)
    stored = prepare(load_spec(INPUT / f"{name}.toml"), ledger).stored
    assert stored is not None
    assert stored.entry == 1 + RELEASED.index(name)


def test_an_old_ledger_is_whole_and_goes_on(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ledgers.check(home / "ledger.sqlite") == []
    assert main(["ledger", "show", "--json", "--home", str(home)]) == 0
    (population,) = json.loads(capsys.readouterr().out)["populations"]
    assert population["name"] == POPULATION
    assert len(population["entries"]) == len(RELEASED)
    assert main(["ledger", "set-limit", POPULATION, "--per-vehicle", "2000", "--home", str(home)]) == 0
    assert ledgers.check(home / "ledger.sqlite") == []


def test_an_old_ledger_takes_its_zone_from_its_draws(home: Path) -> None:
    ledger = Ledger.open(home / "ledger.sqlite")
    (population,) = ledger.populations()
    assert population.zone == "Asia/Kolkata"
    assert {entry.zone for entry in population.entries} == {"Asia/Kolkata"}
    spent = sum((entry.charge.per_vehicle_day for entry in population.entries), Decimal(0))
    assert population.spent_per_day <= spent  # nothing counts twice where the zone is known
    with pytest.raises(BudgetRefused, match='in the zone "Asia/Kolkata"'):
        ledger.check_known(
            POPULATION, Relation.VALUES, "America/Chicago", per_vehicle=Decimal(1), least=Decimal(1)
        )


@pytest.mark.parametrize("version", ["v0.1", NEWEST])
def test_a_key_of_either_form_is_read(version: str) -> None:
    """From v0.3 on its passphrase takes memory to try."""
    key = GOLDEN / version / "home" / "keys" / "release-key.pem"
    assert load_key(key, PASSPHRASE).public_text.startswith("RW")


def test_the_rest_of_an_old_home_is_understood(home: Path) -> None:
    settings = Settings(Home(home))
    assert (settings.theme, settings.cache_limit) == (Mode.DARK, 3 * 10**9)
    records = INPUT / "records.csv"
    shape = shape_of(records, ["vehicle", "time", "lat", "lon", "speed"])
    known = recall(Home(home).known_mappings, shape)
    assert known is not None
    assert known.choices.value == "speed"


@pytest.mark.parametrize(
    "path", sorted(GOLDEN.glob("v*/*.hexveil-project")), ids=lambda path: path.parent.name
)
def test_a_project_of_an_old_version_holds_the_same_choices(path: Path) -> None:
    project = read_project(path)
    draft, source = draft_of(load_spec(INPUT / f"{path.stem}.toml"))
    assert project.draft == draft
    assert project.source is not None
    assert (project.source.rules, project.page) == (source.rules, "parameters")


def test_every_form_of_a_project_is_kept_here() -> None:
    """The next form of the file needs a golden file of this one beside it."""
    forms = {tomllib.loads(path.read_text("utf-8"))["format"] for path in GOLDEN.glob("v*/*.hexveil-project")}
    assert PROJECT_FORMAT in forms


def test_a_private_copy_of_an_old_version_holds_the_same_records(home: Path) -> None:
    (entry,) = [path for path in (home / "cache").iterdir() if (path / "meta.json").is_file()]
    records, _ = open_store(entry, MemoryColumnCache())
    loaded = load_records((INPUT / "records.csv",), load_spec(INPUT / "one-query.toml").data.rules).records
    for name in ("vehicle", "second", "latitude", "longitude", "value"):
        assert getattr(records, name).tolist() == getattr(loaded, name).tolist(), name
    assert records.vehicles == loaded.vehicles


def test_comparisons_that_were_published_are_made_again() -> None:
    """Parts, sums and their law may not change; `compared/` is `compared_release(rings=1)` as it was."""
    (bundle,) = (GOLDEN / "compared").iterdir()
    folder = read_folder(bundle)
    assert dict(map_checks())["map"](folder) == "7 hexagons and 1 table as in data/"
    stated = find_json(MAP_PAGE, folder.read(MAP_PAGE), MAP_DATA_ID)["compared"]
    assert stated["cards"][0]["heading"] == "Middle against edge"


@pytest.mark.parametrize(("version", "lines_lie"), [("1.0.0", True), ("1.0.1", False)])
def test_lines_of_routes_are_drawn_and_nothing_else(version: str, lines_lie: bool) -> None:
    """`lines/` has a bundle of before, whose page took a line's middle for a place, and one of after."""
    bundle = GOLDEN / "lines" / f"lines-{version}"
    assert verify_bundle(bundle, public_key=key().public_text).ok
    folder = read_folder(bundle)
    drawn = published_of(folder)
    bare = dataclasses.replace(
        drawn, tables=tuple(dataclasses.replace(one, outlines={}) for one in drawn.tables)
    )
    pages = [one.page_data(folder.map_format)["compared"] for one in (drawn, bare)]
    assert (pages[0] != pages[1]) is lines_lie
    found = []
    for rows in (drawn.rows("mean"), bare.rows("mean")):
        assert rows is not None
        found += differences(rows, [(part_named(rows, "R0"), part_named(rows, "R1"))])
    assert found[0].said == found[1].said
    assert found[0].smoothed is not None


def test_a_distribution_with_its_policy_is_kept_as_it_was_read_first() -> None:
    """`curve/` is the first bundle of the sixth form of maps and the fourth of policies."""
    bundle, text = GOLDEN / "curve" / "curve-1.0.0", key().public_text
    assert verify_bundle(bundle, public_key=text).ok
    assert all(holds for _, holds, _ in verify(str(bundle), read_key(text)))
    data = find_json(MAP_PAGE, (bundle / MAP_PAGE).read_bytes(), MAP_DATA_ID)
    assert data["privacy"]["mu"] == "5.049"
    assert [float(text) for text in data["tables"][0]["labels"]["values"]] == [*range(5, 65, 5)]
    assert POLICY_FORMAT in (bundle / POLICY_PAGE).read_text("utf-8")


def test_every_form_of_a_map_is_kept_here_and_verifies() -> None:
    """Those of the first form without the library that was in them: it is not ours to keep here."""
    found = {
        json.loads((page.parent / "privacy.json").read_bytes())["map_files"]: page
        for page in sorted(GOLDEN.glob("**/map.html"))
    }
    assert set(found) == set(MAP_FORMATS)
    assert b"leaflet.js stands here" in found[FIRST_MAP_FORMAT].read_bytes()
    for page in found.values():
        assert verify_bundle(page.parent, public_key=key().public_text).ok
