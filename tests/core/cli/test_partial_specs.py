"""Commands that are no release read those tables of a spec that they need, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import main
from tests.city import SPEC, write_city

HEADS = ("[release]", "[data]", "[hats]", "[selection]", "[privacy]", "[[query]]")


def tables(*wanted: str) -> str:
    """The city's spec with these tables alone; `files` of [data] go too, since a command names its own."""
    starts = [SPEC.index(head) for head in HEADS] + [len(SPEC)]
    parts = {head: SPEC[a:b] for head, a, b in zip(HEADS, starts, starts[1:], strict=False)}
    return "".join(parts[head] for head in wanted).replace('files = ["records.csv"]\n', "")


BROKEN = '[release]\nnmae = "x"\n[privacy]\nrelation = "?"\n[selection]\nrule = 7\n[[query]]\nid = "?"\n'


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("city")
    write_city(folder)
    return folder


def ran(city: Path, spec: str, command: str, *more: str) -> int:
    path = city / "part.toml"
    path.write_text(spec, encoding="utf-8")
    line = [command, str(city / "records.csv"), "--spec", str(path), "--home", str(city / "home"), *more]
    return main(line)


@pytest.mark.parametrize(
    ("command", "more"),
    [("hats", ("--json",)), ("inspect", ("--json",)), ("contributions", ("--out", "TABLE"))],
)
def test_mistakes_in_other_tables_do_not_matter(city: Path, command: str, more: tuple[str, ...]) -> None:
    more = tuple(str(city / "table.parquet") if one == "TABLE" else one for one in more)
    assert ran(city, tables("[data]", "[hats]") + BROKEN, command, *more) == 0


@pytest.mark.parametrize(("command", "more"), [("table", ("--resolutions", "7", "--slot-minutes", "60"))])
def test_a_threshold_is_the_specs_where_it_has_one(
    city: Path, command: str, more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran(city, tables("[data]", "[hats]", "[selection]"), command, "--json", *more) == 0
    assert '"threshold": 2' in capsys.readouterr().out
    assert ran(city, tables("[data]"), command, "--json", *more) == 0
    assert '"threshold": 10' in capsys.readouterr().out


@pytest.mark.parametrize(
    "wanted", [("[data]", "[hats]", "[selection]"), ("[data]", "[hats]", "[selection]", "[privacy]")]
)
def test_a_plan_needs_no_query(city: Path, wanted: tuple[str, ...]) -> None:
    assert ran(city, tables(*wanted), "plan", "--total", "60", "--json", "--delta", "0") == 0


def test_a_plan_of_relation_user_is_refused_whatever_else_is_wrong(
    city: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = (
        tables("[data]", "[hats]") + '[privacy]\nrelation = "user"\nunit = "vehicle"\npopulation = "Buses"\n'
    )
    assert ran(city, spec + "hats_per_vehicle = 3\n", "plan") == 2
    assert "no record may choose" in capsys.readouterr().err


def test_a_table_that_is_needed_is_asked_for(city: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(city, tables("[data]"), "contributions", "--out", str(city / "t.parquet")) == 2
    assert "add [hats]" in capsys.readouterr().err
    assert ran(city, tables("[data]") + "[hats]\nresolution = 99\n", "hats") == 2
    assert "resolution" in capsys.readouterr().err
