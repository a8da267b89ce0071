"""Write the golden files of this version: `python -m tests.golden.make NEW_FOLDER`.

Run once for each version that publishes or stores something in a new form, into a folder of that
version's name. A folder that is there is frozen: it is refused.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from pathlib import Path

from core.assist.known_mappings import remember, shape_of
from core.cli import main as command
from core.keys.signing_key import generate_key
from core.release.request_identity import canonical
from core.spec import load_spec
from core.system.paths import Home
from tests.city import PASSPHRASE
from tests.golden.steady import (
    BESIDE,
    GOLDEN,
    INPUT,
    NOW,
    RELEASED,
    SPECS,
    open_ledger,
    open_ledger_beside,
    release,
    steady,
)
from ui.kit.theme import Mode
from ui.session.settings import Settings


def ledger_events(path: Path) -> list[dict[str, str]]:
    """Every row of a ledger, with the draws of an entry in the event that names their hash."""
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    rows = [dict(row) for row in connection.execute("SELECT * FROM events ORDER BY seq")]
    draws = dict(connection.execute("SELECT entry, content FROM draws"))
    connection.close()
    for row in rows:
        if row["kind"] == "spent":
            entry = json.loads(row["body"])["entry"]
            row["body"] = json.dumps({"entry": entry, "draws": draws[entry]})
    return rows


def write_all(folder: Path) -> None:
    """Canonical specs, releases with steady noise, the ledger's events, a home, and a signed bundle."""
    folder.mkdir()
    specs = {name: canonical(load_spec(INPUT / f"{name}.toml")).decode() for name in SPECS}
    _write_json(folder / "canonical.json", specs)
    with steady():
        ledger = open_ledger(folder / "home" / "ledger.sqlite")
        for name in RELEASED:
            release(name, ledger, folder / "releases")
        ledger.mark_evaluated(ledger.populations()[0].name)
        beside = open_ledger_beside(folder / "beside" / "ledger.sqlite")
        for name in BESIDE:
            release(name, beside, folder / "beside" / "releases")
    _write_json(folder / "events.json", ledger_events(folder / "home" / "ledger.sqlite"))
    _write_home(folder / "home")


def _write_home(home: Path) -> None:
    """What else a home holds: a key, settings, known mappings, and a private copy of records."""
    os.environ["HEXVEIL_HOME"] = str(home)
    generate_key(home / "keys" / "release-key", PASSPHRASE)
    settings = Settings(Home(home))
    settings.theme = Mode.DARK
    settings.cache_limit = 3 * 10**9
    records = home.parent / "records.csv"
    shutil.copy(INPUT / "records.csv", records)
    assert command(["inspect", str(records), "--spec", str(INPUT / "one-query.toml"), "--json"]) == 0
    _hide_the_place(home, records)
    shape = shape_of(records, _columns(records))
    remember(home / "mappings.json", shape, load_spec(INPUT / "one-query.toml").data.rules, NOW.date())
    records.unlink()


def _hide_the_place(home: Path, records: Path) -> None:
    """No path of the machine that made the files stays in them."""
    for path in home.glob("cache/*/sources.json"):
        path.write_text(path.read_text(encoding="utf-8").replace(str(records), "/srv/records.csv"))


def _columns(records: Path) -> list[str]:
    return records.read_text(encoding="utf-8").splitlines()[0].split(",")


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_all(GOLDEN / sys.argv[1])
