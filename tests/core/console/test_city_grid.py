"""core.console.city_grid: a spec's HATs and its population's delta, or those of a new draft."""

from __future__ import annotations

import argparse
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.console.city_grid import add_delta, delta_for, grid_of
from core.console.home_option import add_home, home_of
from core.errors import InputError
from core.privacy import Unit
from core.spec import load_spec
from tests.city import POPULATION, write_city


def options(*given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_home(parser)
    add_delta(parser)
    return parser.parse_args(given)


def test_a_specs_grid(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))
    grid = grid_of(spec, None)  # type: ignore[arg-type]
    assert (grid.resolution, grid.window, grid.selection) == (spec.resolution, spec.window, spec.selection)
    assert (grid.unit, grid.minimum_vehicles) == (Unit.VEHICLE, 2)


def test_delta_is_the_populations_unless_one_is_given(tmp_path: Path, home: Path) -> None:
    assert home.is_dir()
    spec = load_spec(write_city(tmp_path))
    with Ledger.open(home_of(options()).ledger) as ledger:
        ledger.set_limit(POPULATION, per_vehicle=Decimal(10), delta=Decimal("1e-7"))
    assert delta_for(options(), spec) == Decimal("1e-7")
    assert delta_for(options("--delta", "1e-5"), spec) == Decimal("1e-5")
    assert delta_for(options(), None) == 0
    assert delta_for(options(), None, POPULATION) == Decimal("1e-7")
    with pytest.raises(InputError, match="delta"):
        delta_for(options("--delta", "1"), spec)
