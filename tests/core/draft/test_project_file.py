"""A project is read back as it was saved, complete or not, and is its owner's alone."""

from __future__ import annotations

import dataclasses
import datetime as dt
import stat
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.budgets import Budget
from core.clean.bounded_value import BoundedValue
from core.clean.mapping import Box, DerivedSpeed, UnitRange
from core.draft.draft import DataSource, Draft, QueryDraft
from core.draft.project_file import Project, project_bytes, read_project, save_project
from core.errors import InputError
from core.geodata.map_layer import MapLayer
from core.hats.slots import PeriodOfDay
from core.prior.public_prior import PublicPrior
from core.prior.public_source import SourceRequest
from core.privacy import Relation, Unit
from core.read.file_format import FileFormat
from tests.records import rules

DAY = dt.date(2022, 1, 3)
epsilons = st.decimals("0.000001", "1000", places=6)
budgets = st.one_of(
    epsilons.map(lambda value: Budget(total=value)),
    epsilons.map(lambda value: Budget(per_hat=value)),
    epsilons.map(lambda value: Budget(noise_scale=value, divide="optimal")),
)
parameters = st.dictionaries(
    st.sampled_from(["limits", "bins", "noise", "gamma", "zoom"]),
    st.one_of(
        st.integers(-5, 5), st.booleans(), st.text(), epsilons, st.floats(0, 1), st.tuples(st.floats(0, 9))
    ),
)
drafts = st.builds(
    Draft,
    resolution=st.integers(5, 9),
    slot_minutes=st.sampled_from([30, 60, "all", (PeriodOfDay(600, 780, "noon"),)]),
    date_ranges=st.sampled_from([(), ((DAY, DAY),), ((DAY, DAY), (DAY.replace(day=9), DAY.replace(day=10)))]),
    relation=st.sampled_from([None, *Relation]),
    unit=st.sampled_from([None, *Unit]),
    confirmed=st.booleans(),
    hats_per_vehicle=st.none() | st.integers(1, 99),
    population=st.text(),
    title=st.text(),
    prior=st.builds(PublicPrior, fleet=st.integers(0, 9), source=st.builds(SourceRequest, path=st.text())),
    queries=st.tuples(st.builds(QueryDraft, parameters=parameters, budget=budgets)),
)
SOURCE = DataSource(files=(Path("/data/a b.csv"), Path("/data/é.csv.gz")), rules=rules())


@given(drafts, st.text())
def test_whatever_is_chosen_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, draft: Draft, page: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "law.hexveil-project"
    project = Project(draft=draft, source=SOURCE, page=page, compared=(Path("/a b/é-1.0.0"), Path("/c")))
    path.write_bytes(project_bytes(project))
    assert read_project(path) == project


def test_every_way_to_read_records_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "city.hexveil-project"
    plain = rules()
    units = (UnitRange(unit="mph", last=DAY), UnitRange(unit="m/s", first=DAY.replace(day=4)))
    delay = BoundedValue(
        name="delay", column_unit="s", unit="s", lower=0, upper=9000, physical_min=0, physical_max=9000
    )
    mapping = dataclasses.replace(plain.mapping, units=units, box=Box(south=1, west=2, north=3.5, east=4))
    derived = dataclasses.replace(plain.mapping, value="", derived=DerivedSpeed(max_gap_seconds=60))
    for retained in (
        dataclasses.replace(plain, mapping=mapping, zone=None),
        dataclasses.replace(plain, mapping=derived, format=FileFormat(encoding="cp1252", delimiter=";")),
        dataclasses.replace(plain, value=delay, upper_bound=9000, pings="events"),
    ):
        source = DataSource(files=SOURCE.files, rules=retained)
        save_project(Project(draft=Draft(), source=source), path)
        assert read_project(path).source == source
    save_project(Project(draft=Draft()), path)
    assert read_project(path) == Project(draft=Draft())


@pytest.mark.skipif(sys.platform == "win32", reason="no modes there")
def test_the_file_is_its_owner_s_alone_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "city.hexveil-project"
    for _ in range(2):
        save_project(Project(draft=Draft(title="Ours"), source=SOURCE), path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [found.name for found in tmp_path.iterdir()] == [path.name]
    with pytest.raises(InputError, match="cannot be written"):
        save_project(Project(draft=Draft()), tmp_path / "nowhere" / "x")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"format = 'hexveil-project-9'\n[draft]\n",
        b"format = 'hexveil-project-1'\n",
        b"format = 'hexveil-project-1'\n[draft]\nresolution = '7'\n",
        b"format = 'hexveil-project-1'\n[draft]\nrelation = 'both'\n",
        b"format = 'hexveil-project-1'\n[draft]\ndate_ranges = [[2022-01-01]]\n",
        b"format = 'hexveil-project-1'\n[draft]\n[[draft.queries]]\nbudget = {total = 'much'}\n",
        b"format = 'hexveil-project-1'\ndraft = 7\n",
        b"format = 'hexveil-project-1'\n[draft]\n[source]\nfiles = ['a']\nrules = {}\n",
    ],
)
def test_what_is_no_project_is_refused_whole(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.hexveil-project"
    path.write_bytes(content)
    with pytest.raises(InputError, match="cannot read this project"):
        read_project(path)


def test_keys_of_later_versions_are_passed_over_and_missing_ones_are_as_in_a_new_draft(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.hexveil-project"
    path.write_bytes(b"format = 'hexveil-project-1'\n[draft]\ntitle = 'Ours'\nfuture = 3\n")
    assert read_project(path).draft == Draft(title="Ours")


def test_decimals_keep_every_digit(tmp_path: Path) -> None:
    path = tmp_path / "x.hexveil-project"
    query = QueryDraft(budget=Budget(total=Decimal("10.500000")), parameters={"gamma": Decimal("0.10")})
    save_project(Project(draft=Draft(queries=(query,))), path)
    (found,) = read_project(path).draft.queries
    assert str(found.budget.total) == "10.500000"
    assert str(found.parameters["gamma"]) == "0.10"


def test_layers_move_with_the_project_that_they_lie_beside(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "maps").mkdir(parents=True)
    beside = MapLayer(file=here / "maps" / "stops.gpkg", table="stops", places=True, name_field="name")
    elsewhere = MapLayer(file=tmp_path / "tiles.mbtiles", over=True, opacity=0.5, colour="#00ff00", width=3.5)
    retained = Project(draft=Draft(layers=(elsewhere, beside)))
    save_project(retained, here / "city.hexveil-project")
    text = (here / "city.hexveil-project").read_text("utf-8")
    assert '"maps/stops.gpkg"' in text or '"maps\\\\stops.gpkg"' in text
    assert read_project(here / "city.hexveil-project") == retained, "whether the files are there or not"
    here.rename(there)
    moved, tiles = read_project(there / "city.hexveil-project").draft.layers[::-1]
    assert moved == dataclasses.replace(beside, file=there / "maps" / "stops.gpkg")
    assert tiles == elsewhere


def test_a_look_that_there_is_none_of_is_no_project(tmp_path: Path) -> None:
    path = tmp_path / "city.hexveil-project"
    save_project(Project(draft=Draft(layers=(MapLayer(file=tmp_path / "a.gpkg"),))), path)
    path.write_text(path.read_text("utf-8").replace("opacity = 1.0", "opacity = 7.0"), "utf-8")
    with pytest.raises(InputError, match="cannot read this project"):
        read_project(path)
