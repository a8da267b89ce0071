"""What cannot be drawn is found before anything is spent, and nothing confidential decides it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.accounting.ledger import Ledger, LedgerReservation
from core.accounting.ledger_events import ReservationRequest
from core.contributions import Contributions
from core.errors import ReleaseAborted
from core.planning.from_constants import FromConstants
from core.planning.joint import Joint
from core.planning.separate import Separate
from core.privacy import Relation
from core.release.prepare_publish import prepare, publish
from core.release.preview import preview
from core.spec import load_spec
from core.store.working_folders import WORKING_NAME
from core.verify.verify import verify_bundle
from tests import taxis
from tests.builders import make_key
from tests.city import POPULATION, TOKENS, write_city

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)
SPECS = {
    "one by one": (Separate, write_city),
    "a city": (Joint, partial(write_city, edit=TOKENS)),
    "relation user": (FromConstants, taxis.write_taxis),
}


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    opened = Ledger.open(tmp_path / "home" / "ledger.sqlite")
    for population in (POPULATION, taxis.POPULATION):
        opened.set_limit(population, per_vehicle=Decimal(1000), delta=Decimal("1e-6"))
    return opened


def entries(ledger: Ledger) -> list[str]:
    return [entry.state for one in ledger.populations() for entry in one.entries]


@pytest.mark.parametrize(("kind", "write"), SPECS.values(), ids=SPECS)
def test_a_mistake_in_the_draw_costs_nothing(
    kind: type[Any],
    write: Callable[[Path], Path],
    tmp_path: Path,
    ledger: Ledger,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepared = prepare(load_spec(write(tmp_path / "city")), ledger)

    def mistaken(*_: object) -> None:
        raise KeyError("31.7")

    with monkeypatch.context() as planted:
        planted.setattr(kind, "draw", mistaken)
        with pytest.raises(KeyError):
            publish(prepared, ledger, key=make_key(), out=tmp_path / "out", now=NOW)
    assert entries(ledger) == []
    assert not (tmp_path / "out").exists()
    published = publish(prepared, ledger, key=make_key(), out=tmp_path / "out", now=NOW)
    assert entries(ledger) == ["published"]
    assert verify_bundle(published.bundle).ok


@pytest.mark.parametrize(("kind", "write"), SPECS.values(), ids=SPECS)
def test_what_records_alone_bring_about_is_not_found_out_for_nothing(
    kind: type[Any],
    write: Callable[[Path], Path],
    tmp_path: Path,
    ledger: Ledger,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise a refusal that costs nothing would say something of a vehicle."""
    prepared = prepare(load_spec(write(tmp_path / "city")), ledger)
    draw = kind.draw

    def mistaken_about_values(plan: Any, contributions: Contributions, *rest: Any) -> Any:
        values = contributions.values
        if values[: len(values)].any():
            raise KeyError("31.7")
        return draw(plan, contributions, *rest)

    monkeypatch.setattr(kind, "draw", mistaken_about_values)
    with pytest.raises(ReleaseAborted, match="counts as spent") as stopped:
        publish(prepared, ledger, key=make_key(), out=tmp_path / "out", now=NOW)
    assert "31.7" not in str(stopped.value)
    assert entries(ledger) == ["reserved"]


@pytest.mark.parametrize("write", [write for _, write in SPECS.values()], ids=SPECS)
def test_a_ledger_that_is_thrown_away_never_knows_a_vehicle(
    write: Callable[[Path], Path], tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies among temporary files, its key beside it, until the next start where the program is killed."""
    spec, reserve, noted = load_spec(write(tmp_path / "city")), Ledger.reserve, []

    def seen(self: Ledger, request: ReservationRequest) -> LedgerReservation:
        noted.append((self.path == ledger.path, request.vehicles, request.other_texts))
        assert self.path == ledger.path or re.fullmatch(WORKING_NAME, self.path.parent.name)
        return reserve(self, request)

    monkeypatch.setattr(Ledger, "reserve", seen)
    prepared = prepare(spec, ledger)
    if spec.relation is Relation.VALUES:
        preview(spec, prepared.contributions, delta=Decimal("1e-6"))
    publish(prepared, ledger, key=make_key(), out=tmp_path / "out", now=NOW)
    *thrown_away, (is_own, vehicles, _) = noted
    assert is_own
    assert vehicles == set(prepared.contributions.vehicles)
    assert thrown_away
    assert not any(is_own or others & vehicles or texts for is_own, others, texts in thrown_away)
