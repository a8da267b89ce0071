"""Whole releases by labels of the records and of the whole area: what is published, refused, never told."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from core.accounting.ledger import Ledger
from core.bundle.place_outlines import lines_geojson
from core.cli import main
from core.contributions import contributions_of
from core.contributions.file_read import read_contributions
from core.draft.draft import document, draft_of
from core.errors import InputError
from core.release.prepare_publish import prepare
from core.signed.findings import Finding
from core.spec import load_spec, reading_rules
from core.spec.identity import identity
from core.store.load_records import load_records
from core.verify.claims import check_rows
from core.verify.folder import read_folder
from core.verify.maps import map_checks
from core.verify.tables import check_cells
from core.verify.values import bundle_values
from resources.verifier import hexveil_verify
from tests.city import EVERY_STATISTIC, PASSPHRASE, POPULATION, TOKENS
from tests.commands import release
from tests.geojson import box, feature, polygon, write_geojson
from tests.labelled_city import (
    BY_ROUTE,
    BY_STREET,
    BY_ZONE,
    MARKED,
    OPEN_LABELS,
    RARE,
    USER,
    WHOLE_AREA,
    WITH_LINES,
    ZONES,
    write_labelled_city,
)
from tests.records import assert_same, assert_tells
from tests.timetables import write_timetable

Edits = tuple[tuple[str, str], ...]
SMOOTHED = (*TOKENS, ('total = "6"\n', 'total = "6"\n[query.parameters]\nsmooth = true\n'))
VARIANTS: dict[str, Edits] = {
    "by route": BY_ROUTE,
    "by zone": BY_ZONE,
    "by zone, smoothed": (*BY_ZONE, *SMOOTHED),
    "by street": BY_STREET,
    "by route with lines": WITH_LINES,
    "every statistic by route, with lines": (*WITH_LINES, *EVERY_STATISTIC),
    "whole area": WHOLE_AREA,
    "by route, smoothed": (*BY_ROUTE, *SMOOTHED),
    "every statistic by route": (*BY_ROUTE, *EVERY_STATISTIC),
    "by route, listed": (*BY_ROUTE, ('rule = "hat"\nthreshold = 2', 'rule = "cells"\nfile = "places.txt"')),
    "user by route": (*BY_ROUTE, *USER),
    "user by zone": (*BY_ZONE, *USER, ('file = "places.txt"', 'file = "zones.txt"')),
    "user, whole area": (*WHOLE_AREA, *USER),
}


def ledger_in(home: Path) -> Ledger:
    ledger = Ledger.open(home)
    for population in (POPULATION, "Typed buses"):
        ledger.set_limit(population, per_vehicle=Decimal(1000))
    return ledger


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", PASSPHRASE)
    assert main(["keygen"]) == 0
    for population in (POPULATION, "Typed buses"):
        assert main(["ledger", "set-limit", population, "--per-vehicle", "1000"]) == 0


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("edits", VARIANTS.values(), ids=VARIANTS)
def test_a_release_is_verified_and_calls_no_place_a_hexagon(
    edits: Edits, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(write_labelled_city(tmp_path, edits), tmp_path / "out") == 0
    told = capsys.readouterr().out
    bundle = tmp_path / "out" / "test-speed-1.0.0"
    assert main(["verify", str(bundle)]) == 0
    assert hexveil_verify.main([str(bundle)]) == 0
    files = {
        str(path.relative_to(bundle)): path.read_text("utf-8", "replace") for path in bundle.rglob("*.*")
    }
    (data,) = [name for name in files if name.startswith("data/") and name.endswith("_by_place.csv")][:1]
    assert all(
        name.endswith(("_by_place.csv", "/places.geojson"))
        for name in files
        if name.startswith("data/") and "summary" not in name
    )
    added = "".join(new for _, new in edits)
    zoned, drawn = "zones = {" in added, "shapes = " in added
    if "map.html" in files:  # the words of its scripts nobody reads
        files["map.html"] = re.sub(r"<script>.*?</script>", "", files["map.html"], flags=re.DOTALL)
    assert ("data/places.geojson" in files) == ("map.html" in files) == (zoned or drawn)
    assert "data/cells.geojson" not in files
    assert (f"map/{Path(data).stem}.geojson" in files) == (zoned or drawn)
    for text in (told, *files.values()):
        assert "hexagon" not in text.lower().replace("hexagons of resolution", "")
        assert RARE not in text
    assert "<b>" not in files["report.html"].replace("<b>1.0", "")
    places = {line.split(",")[0] for line in files[data].splitlines()[1:]}
    if drawn:
        outlines = json.loads(files["data/places.geojson"])
        assert [one["properties"]["place_id"] for one in outlines["features"]] == ["1", "=2"]
        features = json.loads(files[f"map/{Path(data).stem}.geojson"])["features"]
        kinds = {
            one["properties"]["place_id"]: one["geometry"] and one["geometry"]["type"] for one in features
        }
        assert kinds == {"1": "LineString", "'=2": "LineString", MARKED: None}
        shown = bundle_values(bundle).outlines or {}
        assert {place: one["type"] for place, one in shown.items()} == {
            place: kind for place, kind in kinds.items() if kind
        }
        assert "<b>&" not in files["map.html"]
    elif "buffer_m" in "".join(new for _, new in edits):
        features = json.loads(files[f"map/{Path(data).stem}.geojson"])["features"]
        assert {one["properties"]["place_name"] for one in features} == {"North", "South"}
        assert {one["geometry"]["type"] for one in features} == {"Polygon"}
    elif zoned:
        outlines = json.loads(files["data/places.geojson"])
        assert outlines["licence"] == "CC0-1.0"
        named = [tuple(one["properties"].values()) for one in outlines["features"]]
        assert named == [("1", MARKED), ("=2", "=East")]
        assert "'=2,'=East,09:00" in files[data]
    elif "place_column" not in "".join(new for _, new in edits):
        assert places == {"all"}
        assert "all,whole area,09:00" in files[data]
    elif "places.txt" in "".join(new for _, new in edits):
        assert places == {"1", "'=2", "nobody"}
    else:
        assert places == {"1", "'=2", '"' + MARKED.replace('"', '""') + '"'}


@pytest.mark.parametrize("edit", [BY_ROUTE, BY_ZONE])
def test_all_engines_write_the_same_table_and_it_is_read_again(edit: Edits, tmp_path: Path) -> None:
    spec = write_labelled_city(tmp_path, edit)
    written = []
    for engine in ("local", "duckdb"):
        out = tmp_path / f"{engine}.parquet"
        given = [str(tmp_path / "records.csv"), "--spec", str(spec), "--out", str(out), "--engine", engine]
        assert main(["contributions", *given]) == 0
        written.append(out.read_bytes())
    assert written[0] == written[1]
    asked = load_spec(spec)
    loaded = load_records(asked.data.paths(), asked.data.rules).records
    ours = contributions_of(loaded, asked.resolution, asked.window, choice=asked.place)
    assert_same(read_contributions(tmp_path / "local.parquet"), ours)
    listed = read_contributions(tmp_path / "local.parquet", listed=("nobody", "1"))
    assert listed.places.ids[:2] == ("nobody", "1")
    assert {listed.hat_name(hat) for hat in range(listed.hats)} == {
        ours.hat_name(hat) for hat in range(ours.hats)
    }
    assert sorted(zip(listed.cell, listed.slot, strict=True)) == list(
        zip(listed.cell, listed.slot, strict=True)
    )
    hexagons = contributions_of(loaded, 7, asked.window)
    assert np.array_equal(np.sort(hexagons.values[:]), np.sort(ours.values[:]))


@pytest.mark.usefixtures("limits")
def test_a_release_by_zones_is_found_again_and_its_outlines_are_checked(tmp_path: Path) -> None:
    """Whatever the layer's file is called; other bytes of it are another request."""
    path = write_labelled_city(tmp_path, BY_ZONE)
    asked = identity(load_spec(path))
    again = document(*draft_of(load_spec(path)), tmp_path)["hats"]["zones"]
    assert again == {"file": "wards.geojson", "id": "ward", "name": "title", "licence": "CC0-1.0"}
    assert release(path, tmp_path / "out") == 0
    bundle = tmp_path / "out" / "test-speed-1.0.0"
    outlines = bundle / "data" / "places.geojson"
    sound = outlines.read_text("utf-8")
    assert check_cells(read_folder(bundle)) == "2 places with one outline each"
    for old, new, words in (
        ("=East", "West", "other places than the data"),
        ("72.9,", "272.9,", "not the outline of a place"),
        ('"licence":"CC0-1.0",', "", "with a licence"),
        ('"place_id":"1"', '"place_id":">"', "not in order"),
    ):
        outlines.write_text(sound.replace(old, new), encoding="utf-8")
        with pytest.raises(Finding, match=words):
            check_cells(read_folder(bundle))
    checks = dict(map_checks())
    outlines.write_text(sound.replace("72.9,", "72.91,"), encoding="utf-8")
    for name, words in (
        ("geojson", "not that row"),
        ("geoparquet", "outline of row"),
        ("map", "other outlines"),
        ("dcat", "does not match"),
        ("linked_data", "other facts"),
    ):
        with pytest.raises(Finding, match=words):
            checks[name](read_folder(bundle))
    lines = dict.fromkeys(("1", "=2"), ((72.8, 21.1), (72.9, 21.2)))
    outlines.write_bytes(lines_geojson(lines))
    with pytest.raises(Finding, match="lines of zones"):
        check_rows(read_folder(bundle))
    outlines.unlink()
    with pytest.raises(Finding, match="goes with zones"):
        check_rows(read_folder(bundle))
    layer = (tmp_path / "wards.geojson").rename(tmp_path / "other.geojson")
    path.write_text(path.read_text("utf-8").replace("wards.geojson", layer.name), encoding="utf-8")
    assert identity(load_spec(path)) == asked
    layer.write_text(layer.read_text("utf-8") + " ", encoding="utf-8")
    assert identity(load_spec(path)) != asked


TABLE = ('files = ["records.csv"]', 'contributions = "table.parquet"')
COLUMN = "hats.place_column"
REFUSED = {
    "the value's own column": ((*BY_ROUTE, ('route = "route"', 'route = "speed"')), COLUMN),
    "the vehicle's column": ((*BY_ROUTE, ('route = "route"', 'route = "vehicle"')), COLUMN),
    "a column of no name": ((*BY_ROUTE, ('place_column = "route"', 'place_column = "rout"')), COLUMN),
    "another kind": ((("resolution = 7", 'place = "street"'),), "hats.place"),
    "a resolution of labels": (
        (*BY_ROUTE, ('place = "column"', 'place = "column"\nresolution = 7')),
        "hats.resolution",
    ),
    "a column of hexagons": ((("resolution = 7", 'resolution = 7\nplace_column = "route"'),), COLUMN),
    "a boundary of routes": (
        (*BY_ROUTE, ('rule = "hat"\nthreshold = 2', 'rule = "boundary"\nfile = "places.txt"')),
        "selection.rule",
    ),
    "zones without a layer": ((("resolution = 7", 'place = "zones"'),), "hats.zones"),
    "a timetable of hexagons": (
        (("resolution = 7", 'resolution = 7\nshapes = "timetable.zip"'),),
        "hats.shapes",
    ),
    "a layer of routes": ((*BY_ROUTE, ('place = "column"', f'place = "column"\n{ZONES}')), "hats.zones"),
    "a field that the layer has not": ((*BY_ZONE, ('id = "ward"', 'id = "no"')), "no field 'no'"),
    "user, a zone that the layer has not": ((*BY_ZONE, *USER), "no zone 'nobody'"),
    "a zone that the layer has not": (
        (*BY_ZONE, ('rule = "hat"\nthreshold = 2', 'rule = "cells"\nfile = "places.txt"')),
        "no zone 'nobody'",
    ),
    "regions of routes": (
        (*BY_ROUTE, *TOKENS, ('total = "6"\n', 'total = "6"\n[query.parameters]\nregions = true\n')),
        "query.parameters.regions",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("edits", "where"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused_by_its_key(edits: Edits, where: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        load_spec(write_labelled_city(tmp_path, edits))
    assert_tells(refused.value)
    assert where in str(refused.value)


@pytest.mark.parametrize(
    ("edits", "labels", "words"),
    [
        ((), "driver of", "names vehicles, drivers or trips"),
        ((("threshold = 2", "threshold = 2000"),), "driver of", "names vehicles, drivers or trips"),
        ((('minimum_vehicles = 2', 'minimum_vehicles = 99'),), "", "No label has enough vehicles"),
    ],
)  # fmt: skip
def test_labels_that_name_vehicles_or_are_all_rare_are_refused(
    edits: Edits, labels: str, words: str, tmp_path: Path
) -> None:
    more = "".join(
        f"bus-{number % 9:02d},2022-01-03T10:30:{number:02d}+05:30,21.17,72.83,30,{labels} {number},UP\n"
        for number in range(9 if labels else 0)
    )
    with pytest.raises(InputError, match=words) as refused:
        prepare(
            load_spec(write_labelled_city(tmp_path, (*BY_ROUTE, *edits), more)), ledger_in(tmp_path / "home")
        )
    assert_tells(refused.value)
    assert not any(label in str(refused.value) for label in ("driver of", RARE, MARKED))


def test_neither_progress_nor_log_names_a_label(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str] = []
    caplog.set_level("DEBUG")
    prepare(
        load_spec(write_labelled_city(tmp_path, (*WITH_LINES, OPEN_LABELS))),
        ledger_in(tmp_path / "home"),
        progress=lambda _, text="": told.append(text),
    )
    assert len(set(told)) > 3
    said = "".join((*told, caplog.text, *capsys.readouterr()))
    assert not any(label in said for label in (RARE, MARKED, "UP", "DN"))


def test_zones_that_hold_no_record_are_looked_for_in_their_layer(tmp_path: Path) -> None:
    path = write_labelled_city(tmp_path, BY_ZONE)
    far = [feature(polygon(box(10, 10, 11, 11)), {"ward": "1", "title": "far"})]
    write_geojson(tmp_path / "wards.geojson", {"type": "FeatureCollection", "features": far})
    with pytest.raises(InputError, match="position_outside_zones") as refused:
        prepare(load_spec(path), ledger_in(tmp_path / "home"))
    assert "hats.zones" in refused.value.mend


def test_more_labels_than_places_may_be_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.selection.rare_labels.MOST_PLACES", 2)
    with pytest.raises(InputError, match="at most 2") as refused:
        prepare(load_spec(write_labelled_city(tmp_path, BY_ROUTE)), ledger_in(tmp_path / "home"))
    assert refused.value.where == COLUMN


@pytest.mark.usefixtures("limits")
def test_a_refusal_calls_no_place_a_hexagon(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_labelled_city(tmp_path, (*BY_ROUTE, ("threshold = 2", "threshold = 2000")))
    assert release(path, tmp_path / "out") == 2
    said = capsys.readouterr().err
    assert "place slot" in said
    assert "hexagon" not in said


def test_the_review_asks_what_only_a_person_knows_and_other_speeds_change_nothing(tmp_path: Path) -> None:
    spec = load_spec(write_labelled_city(tmp_path, BY_ROUTE))
    ledger = ledger_in(tmp_path / "home")
    review = prepare(spec, ledger).review
    lines = dict(review.lines())
    assert "3 labels of route" in lines["Labels"]
    assert "1 with fewer are left out" in lines["Labels"]
    assert "without knowing its speed" in review.label_question
    assert "Warning" not in lines or "sounds as if" not in lines["Warning"]
    text = (tmp_path / "records.csv").read_text("utf-8").splitlines()
    rows = [line.split(",") for line in text[1:]]
    changed = [",".join((*row[:4], str(65 - float(row[4])), *row[5:])) for row in rows]
    (tmp_path / "records.csv").write_text("\n".join([text[0], *changed]) + "\n", "utf-8")
    assert prepare(spec, ledger).review == review
    renamed = ("{ route =", "{ speed_band ="), ('place_column = "route"', 'place_column = "speed_band"')
    named = write_labelled_city(tmp_path / "named", (*BY_ROUTE, *renamed))
    assert "sounds as if" in "".join(prepare(load_spec(named), ledger).review.warnings)


def test_the_review_lists_overlaps_of_zones_with_their_area(tmp_path: Path) -> None:
    path = write_labelled_city(tmp_path, BY_ZONE)
    ledger = ledger_in(tmp_path / "home")
    assert "Overlaps" not in dict(prepare(load_spec(path), ledger).review.lines())
    layer = tmp_path / "wards.geojson"
    layer.write_text(layer.read_text("utf-8").replace("72.85", "72.86", 1), encoding="utf-8")
    text = dict(prepare(load_spec(path), ledger).review.lines())["Overlaps"]
    assert text.startswith("of zones: 1 and =2 share ")
    assert "counts in the first" in text


def test_in_relation_user_one_vehicle_with_a_new_label_changes_no_list_and_no_text(tmp_path: Path) -> None:
    seen = []
    for number, more in enumerate(("", "new bus,2022-01-03T10:00:00+05:30,21.1,72.8,9,secret label,UP\n")):
        spec = load_spec(write_labelled_city(tmp_path, (*BY_ROUTE, *USER), more))
        prepared = prepare(spec, ledger_in(tmp_path / f"home {number}"))
        assert "secret" not in str(prepared.review.lines())
        hats = [[(hat.name, hat.plan) for hat in plan.hats] for plan in prepared.plans]
        seen.append((prepared.review, hats, prepared.plans[0].charge))
    assert seen[0] == seen[1]
    assert {name.partition("\x1f")[2] for name, _ in seen[0][1][0]} == {"1", "=2", "nobody"}


def test_two_lists_of_places_are_two_requests(tmp_path: Path) -> None:
    from core.spec.identity import identity

    spec = write_labelled_city(tmp_path, (*BY_ROUTE, *USER))
    asked = load_spec(spec)
    (tmp_path / "places.txt").write_text("1\n3\nnobody\n")
    assert identity(load_spec(spec)) != identity(asked)
    assert identity(asked)["hats"] | {"place": "column", "place_column": "route"} == identity(asked)["hats"]


def test_a_timetable_without_lines_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    path = write_labelled_city(tmp_path, WITH_LINES)
    (tmp_path / "records.csv").unlink()
    write_timetable(tmp_path, zipped=True, routes="route_id\n1\n", trips="route_id,trip_id\n1,t\n")
    with pytest.raises(InputError, match=r"no shapes\.txt") as refused:
        prepare(load_spec(path), ledger_in(tmp_path / "home"))
    assert_tells(refused.value)


@pytest.mark.parametrize("edits", [BY_ROUTE, WITH_LINES, WHOLE_AREA, (*BY_ROUTE, *USER)])
def test_a_draft_carries_the_places_and_writes_them_again(edits: Edits, tmp_path: Path) -> None:
    path = write_labelled_city(tmp_path, edits)
    draft, source = draft_of(load_spec(path))
    written, asked = document(draft, source, tmp_path)["hats"], tomllib.loads(path.read_text("utf-8"))["hats"]
    assert written | {"dates": asked["dates"]} == asked
    rules = reading_rules(path)
    assert rules.labels == load_spec(path).data.rules.labels
    assert dataclasses.replace(draft, place_kind="h3").place_column == draft.place_column
