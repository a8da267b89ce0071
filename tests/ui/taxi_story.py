"""A session on made-up taxis, for tests of relation `user`: loaded, with everything typed, or neither."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from pytestqt.qtbot import QtBot

from core.accounting.ledger import Ledger
from core.draft.draft import draft_of
from core.prior.public_prior import PublicPrior
from core.privacy import Relation, Unit
from core.spec import load_spec
from core.system.paths import find_home
from tests.taxis import POPULATION, Ping, pings, write_taxis
from ui.session.session import Session

WAIT = 20_000
DAYS = (dt.date(2022, 1, 3), dt.date(2022, 1, 4))
ZONE = "Asia/Kolkata"
PRIOR = PublicPrior(fleet=60, vehicles=20, records=3)


def taxi_session(qtbot: QtBot, folder: Path, rows: Sequence[Ping] | None = None) -> Session:
    """The taxis are loaded as any data; nothing is chosen, and a population may pay."""
    home = find_home()
    home.create()
    Ledger.open(home.ledger).set_limit(POPULATION, per_vehicle=Decimal(1000), delta=Decimal("1e-6"))
    spec = write_taxis(folder / "city", pings() if rows is None else rows)
    _, source = draft_of(load_spec(spec))
    session = Session(home)
    with qtbot.waitSignal(session.ledger_changed, timeout=WAIT):
        session.ledger.read()
    session.load(source)
    rest(qtbot, session)
    return session


def rest(qtbot: QtBot, session: Session) -> None:
    """Wait until everything is planned, or told to be unfit."""
    qtbot.waitUntil(
        lambda: not session.busy and (session.forecast is not None or session.planning.problem is not None),
        timeout=WAIT,
    )


def type_constants(
    qtbot: QtBot,
    session: Session,
    folder: Path,
    *,
    hats: int | None = 4,
    prior: PublicPrior = PRIOR,
) -> None:
    """Relation user, and all that it needs before a release."""
    session.choose_relation("Relation", Relation.USER)
    session.edit(
        "constants",
        zone=ZONE,
        date_ranges=(DAYS,),
        hours=("09:00", "12:00"),
        cells_file=str(folder / "city" / "cells.txt"),
        threshold=5,
        unit=Unit.VEHICLE,
        hats_per_vehicle=hats,
        prior=prior,
        population=POPULATION,
    )
    rest(qtbot, session)


def user_session(qtbot: QtBot, folder: Path, rows: Sequence[Ping] | None = None) -> Session:
    """Loaded, typed and planned."""
    session = taxi_session(qtbot, folder, rows)
    type_constants(qtbot, session, folder)
    return session
