"""A session on a made-up city, with ledger and key: what the tests of *Release* and *Verify* start from."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.draft.draft import draft_of
from core.keys.signing_key import generate_key
from core.spec import load_spec
from core.system.paths import find_home
from tests.city import PASSPHRASE, POPULATION, write_city
from tests.ui.user_actions import LEFT, show, write
from ui.release.dialog import Phase, ReleaseDialog
from ui.release.page import ReleasePage
from ui.session.session import Session
from ui.shell.workspace import Workspace

FOLDER = "test-speed-1.0.0"
WAIT_MS = 20_000


def make_home(*, limit: str = "10", key: bool = True) -> None:
    """A ledger with one population, and a signing key, in the test's own home."""
    home = find_home()
    home.create()
    Ledger.open(home.ledger).set_limit(POPULATION, per_vehicle=Decimal(limit))
    if key:
        generate_key(home.default_key.with_suffix(""), PASSPHRASE)


def make_session(qtbot: QtBot, spec: Path) -> Session:
    """A session that has loaded a spec with its data, and is at rest."""
    session = Session(find_home())
    draft, source = draft_of(load_spec(spec))
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT_MS):
        session.ledger.read()
    session.load(source, draft)
    qtbot.waitUntil(lambda: session.forecast is not None and not session.busy, timeout=WAIT_MS)
    return session


def city_session(qtbot: QtBot, folder: Path, *, limit: str = "10", key: bool = True) -> Session:
    """Home and session at once."""
    make_home(limit=limit, key=key)
    return make_session(qtbot, write_city(folder / "city"))


def make_page(qtbot: QtBot, session: Session, out: Path) -> ReleasePage:
    """The page *Release*, as wide as the column that it lives in, with `out` as its folder."""
    page = ReleasePage(session)
    page.folder.setText(str(out))
    show(qtbot, page, width=320, height=700)
    return page


def release_in_window(
    qtbot: QtBot, workspace: Workspace, out: Path, name: str, passphrase: str
) -> ReleaseDialog:
    """Fill in page *Release*, review, and release as version 1.0.0; the dialog that shows what came of it."""
    workspace.steps.choose("release")
    page = workspace.release
    for field, text in {
        "title": "Speeds by hexagon and hour",
        "name": name,
        "publisher": "City",
        "contact": "opendata@city.example",
    }.items():
        write(qtbot, page.fields[field], text)
    write(qtbot, page.folder, str(out))
    qtbot.waitUntil(page.start.isEnabled, timeout=WAIT_MS)
    qtbot.mouseClick(page.start, LEFT)
    dialog = page.dialog
    assert page.message.isHidden(), page.message.text
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    qtbot.keyClicks(dialog.typed, f"{name}-1.0.0")
    qtbot.keyClicks(dialog.passphrase, passphrase)
    qtbot.mouseClick(dialog.release, LEFT)
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT_MS)
    return dialog


def spent() -> Decimal:
    """What the ledger says the population has spent per vehicle."""
    (population,) = Ledger.open(find_home().ledger).populations()
    return population.spent
