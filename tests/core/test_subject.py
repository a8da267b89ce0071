"""A release of sensors says sensor: no file, no page and no line of its review calls them vehicles."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.cli import main
from core.errors import InputError
from core.subject import VEHICLE, Subject
from core.texts import Name, text_of
from resources.verifier import hexveil_verify
from tests.city import EVERY_STATISTIC, TOKENS, write_city
from tests.commands import limit, release
from tests.labelled_city import BY_ZONE, MAPPED, WHOLE_AREA, WITH_LINES, write_labelled_city
from tests.taxis import DAYS, others, write_taxis
from tests.taxis import POPULATION as TAXIS

KEY = re.compile(
    r"(unit |`)?vehicle(-hat)?-days?|`vehicle`|`minimum_vehicles`|(?<=unit )vehicle\b|>vehicle<"
    r'|(?<=[uU]nit: )vehicle\b|"statistic":"cdf_of_vehicles"|"unit":"vehicle"'
)
"""Keys of units and other code names, which the README explains."""
NAMES = ("vehicle", "vehicle-day", "vehicle-hat-day", "cdf_of_vehicles", "vehicles_dp", "vehicle_days_dp")
SAID = re.compile(r".{0,60}[Vv]ehicle.{0,40}")
TYPED = "Every vehicle's lane <b>"
"""Free text is nobody's to change."""
SENSORS = 'relation = "{}"\nsubject = "air sensor"\nsubject_plural = "air sensors"'
EDITS = tuple(
    (f'title = "{old}"', f'title = "{TYPED}"\npolicy = true')
    for old in ("Speeds of a made-up city", "Speeds of made-up taxis")
)


PEAK, LANE = "vehicle peak", "vehicles lane"
"""Names of periods and labels are typed as well."""
_GROUPED = (
    (
        "slot_minutes = 60",
        f'periods = {{ "{PEAK}" = ["09:00", "10:00"], rest = ["10:00", "12:00"] }}\ngroup = ["direction"]',
    ),
    ("[hats]", f'[data.filter]\ndirection = ["DN", "{LANE}"]\n\n[hats]'),
)
OTHER_PLACES = {
    "zones": (MAPPED, *BY_ZONE, *_GROUPED),
    "routes": (*WITH_LINES, *_GROUPED),
    "whole area": (MAPPED, *WHOLE_AREA, *_GROUPED),
}


def named(kind: str, folder: Path) -> Path:
    """A spec of air sensors: every statistic, a whole city, or relation `user`."""
    if kind == "user":
        edit = (*DAYS, *others(histogram=True), EDITS[1], ('relation = "user"', SENSORS.format("user")))
        return write_taxis(folder, edits=edit)
    edit = (EDITS[0], ('relation = "values"', SENSORS.format("values")))
    if kind in OTHER_PLACES:
        path = write_labelled_city(folder, (*TOKENS, *edit, *OTHER_PLACES[kind]))
        records = folder / "records.csv"
        records.write_text(records.read_text("utf-8").replace(",UP", f",{LANE}"), encoding="utf-8")
        return path
    return write_city(folder, edit=(*(EVERY_STATISTIC if kind == "values" else TOKENS), *edit))


def texts_of(value: object) -> list[str]:
    """All texts of a JSON document but its keys."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in texts_of(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts_of(inner)]
    return [value] if isinstance(value, str) else []


def said(bundle: Path) -> dict[str, str]:
    """What each file says to people, without what was typed and without keys."""
    found = {}
    for path in bundle.rglob("*"):
        if path.suffix == ".parquet":
            found[path.name] = " ".join(pq.read_schema(path).names)
        elif path.suffix in (".json", ".jsonld", ".geojson"):
            document = json.loads(path.read_text("utf-8"))
            found[path.name] = "\n".join(text for text in texts_of(document) if text not in NAMES)
            if path.suffix == ".geojson":
                found[path.name] += " ".join(key for one in document["features"] for key in one["properties"])
        elif path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                rows = [[cell for cell in row if cell not in NAMES] for row in csv.reader(file)]
            found[path.name] = f"{path.name} {rows}"
        elif path.is_file():
            found[path.name] = path.read_text("utf-8")
    return found


def without_typed(text: str) -> str:
    """Apostrophes stand escaped in a page."""
    for typed in ("Every vehicle's lane", "Every vehicle&#39;s lane", PEAK, LANE):
        text = text.replace(typed, "")
    return KEY.sub("", text)


@pytest.mark.parametrize("kind", ["values", "city", "user", *OTHER_PLACES])
def test_nothing_of_a_release_calls_sensors_vehicles(
    kind: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit("1000")
    main(["ledger", "set-limit", TAXIS, "--per-vehicle", "1000"])
    capsys.readouterr()
    assert release(named(kind, tmp_path / "spec"), tmp_path / "out") == 0, capsys.readouterr().err
    (bundle,) = (tmp_path / "out").iterdir()
    key = home / "keys" / "release-key.pub"
    assert main(["verify", str(bundle), "--public-key", str(key)]) == 0, capsys.readouterr().out
    assert hexveil_verify.main([str(bundle), "--public-key", str(key)]) == 0, capsys.readouterr().out
    printed = capsys.readouterr()
    files = {"review": printed.out + printed.err, **said(bundle)}
    wrong = [f"{name}: {one}" for name, text in files.items() for one in SAID.findall(without_typed(text))]
    assert not wrong, "\n".join(wrong)
    assert json.loads((bundle / "privacy.json").read_text("utf-8"))["title"] == TYPED
    assert "epsilon" in files["review"]
    assert "call it `vehicle` all the same" in files["README.md"]
    if kind in OTHER_PLACES:
        for name in ("report.html", "README.md", "review"):
            assert PEAK in files[name], name
            assert LANE in files[name], name
    if kind == "city":
        assert "effective_air_sensors" in files["speed_by_hat.csv"]


def test_a_text_says_it_in_every_form_and_leaves_keys_alone() -> None:
    air = Subject(name="air meter", plural="air meters")
    text = 'A vehicle\'s day, Vehicles; `vehicle_fold`, vehicle-day, data/vehicles.csv, unit = "vehicle"'
    told = 'An air meter\'s day, Air meters; `vehicle_fold`, vehicle-day, data/vehicles.csv, unit = "vehicle"'
    taxi = Subject(name="Taxi", plural="Taxis")
    assert (air.says(text), VEHICLE.says(text)) == (told, text)
    assert (air.says(told), taxi.says("a vehicle")) == (told, "a Taxi")
    assert air.column("effective_vehicles") == "effective_air_meters"
    filled = text_of("{name} of {n} vehicles", name=Name("vehicle"), n=2)
    assert taxi.says(filled) == "vehicle of 2 Taxis"
    assert air.says(text_of("with a {unit}", unit="vehicle")) == "with an air meter"
    assert taxi.says("our vehicle lanes of vehicles", ("our vehicle lanes",)) == "our vehicle lanes of Taxis"
    electric = Subject(name="electric vehicle", plural="electric vehicles")
    assert electric.says(electric.says("a vehicle, vehicles")) == "an electric vehicle, electric vehicles"


@pytest.mark.parametrize("name", ["", " sensor", "two  blanks", "<b>", "1st", "s\u0259nsor", "s" * 41, "a|b"])
def test_what_columns_and_pages_cannot_bear_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        Subject(name=name, plural="sensors")
    with pytest.raises(InputError):
        Subject(name="sensor", plural=name)


ONE_RECORD = ["--event-level", "--trials", "10", "--eps", "1:1:1", "--mechanisms", "baseline"]


@pytest.mark.parametrize(
    "line",
    [
        ["table", "{data}", "--spec", "{spec}"],
        ["plan", "{data}", "--spec", "{spec}"],
        ["hats", "{data}", "--spec", "{spec}"],
        [
            "evaluate",
            "{data}",
            "--spec",
            "{spec}",
            "--hat",
            "{hat}",
            "--population",
            "Air",
            "--yes",
            *ONE_RECORD,
        ],
    ],
    ids=lambda line: line[0],
)
def test_commands_that_are_no_release_say_it_too(
    line: list[str], tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert home.is_dir()
    spec = named("city", tmp_path)
    data = tmp_path / "records.csv"
    capsys.readouterr()
    assert main(["hats", str(data), "--spec", str(spec), "--top", "1", "--json"]) == 0
    (hat,) = json.loads(capsys.readouterr().out)["hats"]
    given = [part.format(data=data, spec=spec, hat=hat["hat"]) for part in line]
    assert main(given) == 0
    printed = capsys.readouterr()
    assert not SAID.findall(without_typed(printed.out + printed.err))
    assert "air sensor" in printed.out
