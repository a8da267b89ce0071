"""JSON: previews, records that are none, fields that nest."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.assist.column_guesses import find_columns
from core.errors import InputError
from core.read.file_format import FileFormat, format_of_each
from core.read.input_files import NoRecord
from core.read.json_cells import as_json_text
from core.read.readers import json_files
from core.read.readers.base import MOST_LINES
from core.read.readers.json_files import READER
from core.store.load_records import load_records
from tests.records import (
    POINT_MAPPING,
    as_itms,
    assert_same,
    assert_tells,
    make_records,
    rules,
    sample_pings,
)

PINGS = sample_pings()


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_no_object_counts_as_unparsable(tmp_path: Path) -> None:
    items = [1, *as_itms(PINGS), "text", None, [2]]
    loaded = load_records([_write(tmp_path / "a.json", json.dumps(items))], rules(POINT_MAPPING))
    assert_same(loaded.records, make_records(PINGS))
    assert loaded.report.dropped == {"unparsable": 4}
    assert loaded.report.rows_read == len(items)


@pytest.mark.parametrize(
    "start", ["[", '{"when": 1, "pages": [{"vehicles": [', ""], ids=["array", "inside", "lines"]
)
def test_a_small_file_is_one_block_that_starts_no_thread(start: str, tmp_path: Path) -> None:
    """Of 135,000 polls in an archive each would start two, which costs more than to read it."""
    records = [json.dumps(item) for item in as_itms(PINGS[:4])]
    text = start + ",\n".join(records) + ("]" if start == "[" else "]}]}")
    path = _write(tmp_path / "a.json", text if start else "\n".join(records))
    with mock.patch("core.system.parallel.ThreadPoolExecutor", side_effect=AssertionError):
        (batch,) = READER.batches(path, ("license_plate",))
    assert batch.table.num_rows == 4


def test_absent_fields_and_nulls_are_counted_by_what_is_missing(tmp_path: Path) -> None:
    whole = as_itms(PINGS)
    spoilt = [
        {key: value for key, value in whole[0].items() if key != "license_plate"},
        whole[1] | {"observationDateTime": None},
        whole[2] | {"location": None},
        whole[3] | {"speed": None},
    ]
    loaded = load_records([_write(tmp_path / "a.json", json.dumps(spoilt + whole[4:]))], rules(POINT_MAPPING))
    assert loaded.report.dropped == {"no_id": 1, "no_time": 1, "no_position": 1, "no_value": 1}
    assert_same(loaded.records, make_records(PINGS[4:]))


def test_preview_flattens_names_in_order_of_appearance(tmp_path: Path) -> None:
    objects = [{"a": {"b": 1, "c": [1.5, 2]}, "d": None}, {"d": "x", "e": True}]
    preview = READER.preview(_write(tmp_path / "a.json", json.dumps(objects)))
    assert preview.columns == ("a.b", "a.c", "d", "e")
    assert preview.rows == (("1", "[1.5, 2]", "", ""), ("", "", "x", "True"))


def test_preview_reads_at_most_200_objects(tmp_path: Path) -> None:
    preview = READER.preview(_write(tmp_path / "a.jsonl", '{"a": 1}\n' * 300))
    assert len(preview.rows) == 200


def test_an_escaped_half_of_a_character_stops_nothing(tmp_path: Path) -> None:
    odd = as_itms(PINGS[:1])[0] | {"license_plate": "\ud800"}
    loaded = load_records(
        [_write(tmp_path / "a.json", json.dumps([odd, *as_itms(PINGS)]))], rules(POINT_MAPPING)
    )
    assert loaded.report.rows_used == len(PINGS) + 1


def test_a_preview_has_no_half_of_a_character_though_a_cell_escapes_one(tmp_path: Path) -> None:
    """The mapping is guessed from contents, which Arrow looks at; it takes no such text."""
    path = _write(tmp_path / "a.json", json.dumps([{"a": "\ud800"}]))
    preview = READER.preview(path)
    assert preview.rows == (("\ufffd",),)
    assert find_columns(preview) == {}


def test_a_field_that_no_record_has_is_named_with_those_there_are(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.json", json.dumps([{"plate": "x", "location": {"lat": 1}}]))
    with pytest.raises(InputError, match="No record has the field 'license_plate'") as caught:
        list(READER.batches(path, ["license_plate"]))
    assert "plate, location.lat" in caught.value.mend


@pytest.mark.parametrize("before", ["[]", "[ ]\n[]\n", "[\n]" * 2000], ids=["one", "two", "many"])
def test_arrays_without_records_hide_none_that_follow(before: str, tmp_path: Path) -> None:
    """One answer after the other: at first nobody was on the road."""
    path = _write(tmp_path / "a.json", f'{before}[{{"a": 1}}][][{{"a": 2}}]')
    tables = [batch.table.column("a").to_pylist() for batch in READER.batches(path, ["a"])]
    assert [float(cell) for cells in tables for cell in cells] == [1.0, 2.0]
    assert READER.preview(path).columns == ("a",)


@pytest.mark.parametrize("text", ["plate,speed\n1,2\n", '{"a": 1', "<xml/>"])
def test_what_is_no_json_is_not_taken_for_json_without_records(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        list(READER.batches(_write(tmp_path / "a.json", text), ["a"]))
    assert not isinstance(caught.value, NoRecord)


@pytest.mark.parametrize("before", ["callback(", " /**/ jQuery.got_1 ( "])
def test_json_within_a_call_is_called_so(before: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="JSONP") as caught:
        list(READER.batches(_write(tmp_path / "a.json", f'{before}[{{"a": 1}}]);'), ["a"]))
    assert "parentheses" in caught.value.mend


COLUMNS = ("a", "b.c", "p")
ODD = st.one_of(
    st.sampled_from(
        [1, 2.5, "x", "7", None, True, "},{", "} {", [1, 2], [1.5, None], [], {"c": 3}, 10**12, 1e300]
    ),
    st.sampled_from(
        [float("nan"), float("inf"), [[1]], [{"q": 1}, {"q": 2}], "é\n\t", ["1", "2"], [1, 2, 3]]
    ),
    st.integers(-(2**70), 2**70),
    st.floats(),
)
RECORDS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "a": ODD,
            "b": st.fixed_dictionaries({}, optional={"c": ODD, "d": ODD}),
            "b.c": ODD,
            "p": st.just([72.5, 21]) | ODD,
            "z": ODD,
        },
    )
    | ODD,
    min_size=1,
    max_size=30,
)
DAMAGE = st.lists(
    st.tuples(
        st.integers(0, 3000),
        st.integers(0, 3),
        st.sampled_from(
            [*'},{[]":\\\n\r\t \x00\x1e-', "Inf", "-NaN", "1e999", "},\n{", "}\n{", "null", "\ufeff"]
        ),
    ),
    max_size=2,
)


def _text(records: list[Any], shape: str, layout: dict[str, Any]) -> str:
    if shape == "lines":
        return "\n".join(json.dumps(record) for record in records)
    if shape == "objects":
        return "\n".join(json.dumps(record, indent=1) for record in records)
    whole = json.dumps(records, **layout)
    return {"array": whole, "wrapped": f'{{"n": [1], "rows": {whole}, "m": [{{}}, {{}}]}}'}[shape]


def _read(path: Path) -> tuple[list[tuple[str | None, ...]], int, tuple[int, ...]] | str:
    """Every cell as text, what was unreadable, and in which lines; or why nothing was read."""
    rows: list[tuple[str | None, ...]] = []
    unreadable, lines = 0, ()
    try:
        for batch in READER.batches(path, COLUMNS):
            cells = [map(as_json_text, batch.table.column(name).to_pylist()) for name in COLUMNS]
            rows += zip(*cells, strict=True)
            unreadable += batch.unreadable
            lines += batch.unreadable_lines
    except InputError as error:
        return error.what
    return rows, unreadable, lines[:MOST_LINES]


@settings(max_examples=150)
@given(
    records=RECORDS,
    shape=st.sampled_from(["array", "lines", "objects", "wrapped"]),
    layout=st.sampled_from([{}, {"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}]),
    damage=DAMAGE,
    block=st.sampled_from([16, 200, 1 << 20]),
)
def test_any_bytes_read_in_bulk_are_what_they_are_one_by_one(
    records: list[Any], shape: str, layout: dict[str, Any], damage: list[tuple[int, int, str]], block: int
) -> None:
    text = _text(records, shape, layout)
    for place, length, instead in damage:
        at = place % (len(text) + 1)
        text = text[:at] + instead + text[at + length :]
    with tempfile.TemporaryDirectory() as folder:
        path = _write(Path(folder) / ("a.jsonl" if shape == "lines" else "a.json"), text)
        with mock.patch.object(json_files, "_BLOCK", block):
            found = _read(path)
        with (
            mock.patch.object(json_files, "_BLOCK", 1 << 24),
            mock.patch.object(json_files, "bulk_table", return_value=None),
        ):
            assert found == _read(path)


@pytest.mark.parametrize("shape", ["array", "lines", "objects"])
@pytest.mark.parametrize("block", [200, 1 << 20])
def test_lists_in_a_number_column_cost_their_rows_though_all_first_records_have_them(
    shape: str, block: int, tmp_path: Path
) -> None:
    odd = [item | {"speed": [30.5, 2], "id": "x"} for item in as_itms(PINGS[:1] * 300)]
    path = _write(tmp_path / "a.json", _text([*odd, *as_itms(PINGS)], shape, {}))
    with mock.patch.object(json_files, "_BLOCK", block):
        loaded = load_records([path], rules(POINT_MAPPING))
    assert_same(loaded.records, make_records(PINGS))
    assert loaded.report.dropped == {"unparsable": 300}


@pytest.mark.parametrize("block", [200, 1 << 20])
@pytest.mark.parametrize("others", [0, 300])
def test_a_list_for_an_id_is_the_same_id_whatever_the_other_records_have(
    others: int, block: int, tmp_path: Path
) -> None:
    odd = [as_itms(PINGS[:1])[0] | {"license_plate": [7, 2.0]}] * 3
    path = _write(tmp_path / "a.json", json.dumps([*odd, *as_itms(PINGS[:1]) * others]))
    with mock.patch.object(json_files, "_BLOCK", block):
        loaded = load_records([path], rules(POINT_MAPPING))
    assert "[7, 2]" in loaded.records.vehicles


@pytest.mark.parametrize("odd", [1, float("nan")])
def test_raw_line_ends_in_strings_cost_nothing_whatever_stands_beside_them(
    odd: float, tmp_path: Path
) -> None:
    items = [item | {"note": "two\nlines", "odd": odd} for item in as_itms(PINGS)]
    text = json.dumps([*items, items[0] | {"speed": odd}]).replace("\\n", "\n")
    loaded = load_records([_write(tmp_path / "a.json", text)], rules(POINT_MAPPING))
    assert loaded.report.rows_read == len(PINGS) + 1
    assert loaded.report.dropped.get("no_value", 0) == (odd != 1)


def test_a_null_for_a_record_is_unreadable(tmp_path: Path) -> None:
    lines = [*map(json.dumps, as_itms(PINGS)), "null"]
    for name, text in (("a.jsonl", "\n".join(lines)), ("a.json", f"[{', '.join(lines)}]")):
        loaded = load_records([_write(tmp_path / name, text)], rules(POINT_MAPPING))
        assert_same(loaded.records, make_records(PINGS))
        assert loaded.report.dropped == {"unparsable": 1}


@pytest.mark.parametrize("shape", ["array", "lines", "objects"])
def test_nesting_without_measure_reads_alike_beside_any_neighbour(shape: str, tmp_path: Path) -> None:
    deep = json.dumps(as_itms(PINGS)[0])[:-1] + ', "deep": ' + "[" * 3000 + "]" * 3000 + "}"
    between = ",\n" if shape == "array" else "\n"
    for odd in ("1", "NaN"):
        items = [deep, json.dumps(as_itms(PINGS)[1])[:-1] + f', "odd": {odd}}}']
        text = between.join(items)
        path = _write(tmp_path / f"a.{odd}.json", f"[{text}]" if shape == "array" else text)
        loaded = load_records([path], rules(POINT_MAPPING))
        assert_same(loaded.records, make_records(PINGS[:2]))


def test_zeros_are_no_text_whatever_the_file_is_called(tmp_path: Path) -> None:
    """Said at once: to look for the first byte that is not UTF-8 would read all of it."""
    (tmp_path / "a.json").write_bytes(bytes(300))
    with pytest.raises(InputError, match="zero bytes: this is not text") as caught:
        READER.preview(tmp_path / "a.json")
    assert_tells(caught.value)


POINTS = [{"id": f"{n % 3}", "time": n, "lat": 59.9, "lon": 10.7, "speed": 30 + n} for n in range(9)]
HALVES = {"buses": POINTS[:4], "links": [{"rel": "next"}], "trams": [one | {"line": 5} for one in POINTS[4:]]}


def _speeds(path: Path, name: str = "") -> tuple[list[float], int]:
    """Of all records, and how many objects of other kinds were counted."""
    batches = list(READER.batches(path, ["id", "speed"], FileFormat(records=name)))
    cells = [cell for batch in batches for cell in batch.table.column("speed").to_pylist()]
    return sorted(map(float, cells)), sum(batch.arrays_unread for batch in batches)


@pytest.mark.parametrize("small", [False, True], ids=["head", "pieces"])
@pytest.mark.parametrize(
    ("text", "unread"),
    [
        (json.dumps(HALVES), 1),
        (json.dumps({"errors": [{"code": 1}, {"code": 2}]} | HALVES), 3),
        (json.dumps({"data": {"references": {"agencies": [{"id": 1}]}, "list": POINTS}}), 1),
        (json.dumps({"page1": {"results": POINTS[:5]}, "page2": {"results": POINTS[5:]}}), 0),
        (json.dumps({"0": POINTS[:3], "1": POINTS[3:6], "2": POINTS[6:]}), 0),
        (json.dumps({"routes": [{"route": n, "vehicles": POINTS[n : n + 3]} for n in (0, 3, 6)]}), 0),
        (json.dumps([{"time": 1, "vehicles": POINTS[:5]}, {"time": 2, "vehicles": POINTS[5:]}]), 0),
        ("\n".join(json.dumps({"time": n, "vehicles": POINTS[n : n + 3]}) for n in (0, 3, 6)), 0),
        ("\n".join(json.dumps({"time": n, "vehicles": POINTS[n : n + 3]}, indent=1) for n in (0, 3, 6)), 0),
        ("\n".join("topic/7 " + json.dumps(one) for one in POINTS), 0),
        ("".join("\x1e" + json.dumps(one) + "\n" for one in POINTS), 0),
        ("\n".join(json.dumps({"topic": "avl", "value": json.dumps(one)}) for one in POINTS), 0),
    ],
)  # fmt: skip
def test_records_are_read_wherever_they_lie(
    text: str, unread: int, small: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer of one poll, pages, a list of each vehicle or route, what a broker keeps of each record."""
    if small:
        for name in ("_HEAD", "_BLOCK", "_FEW"):
            monkeypatch.setattr(json_files, name, 150)
    path = _write(tmp_path / "a.json", text)
    assert _speeds(path) == ([30.0 + n for n in range(9)], unread)
    assert "speed" in READER.preview(path).columns


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({f"bus {one['time']}": one for one in POINTS}),
        json.dumps({"fields": list(POINTS[0]), "rows": [list(one.values()) for one in POINTS]}),
    ],
    ids=["one object a vehicle", "rows of cells"],
)
def test_records_without_a_list_of_their_own_are_read_from_the_whole(text: str, tmp_path: Path) -> None:
    assert _speeds(_write(tmp_path / "a.json", text))[0] == [30.0 + n for n in range(9)]


def test_a_list_is_read_by_its_name_and_one_that_is_not_there_names_the_others(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.json", json.dumps(HALVES))
    assert _speeds(path, "trams") == ([30.0 + n for n in range(4, 9)], 5)
    with pytest.raises(InputError, match="no list 'ferries'") as caught:
        _speeds(path, "ferries")
    assert "buses, links, trams" in caught.value.mend


def _pages(*pages: str) -> str:
    """A page a line: of each bus of a word one record under its name."""
    return "\n".join(
        json.dumps({f"BUS-{bus}": POINTS[0] | {"id": bus, "speed": number} for bus in page})
        for number, page in enumerate(pages)
    )


def test_a_page_with_one_vehicle_is_read_as_those_with_two(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.jsonl", _pages("AB", "A", "AB", "B"))
    assert _speeds(path) == ([0.0, 0.0, 1.0, 2.0, 2.0, 3.0], 0)


def test_what_holds_no_record_is_counted(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.jsonl", _pages("AB", "AB") + '\n{"BUS-A": {"note": "none"}}')
    assert _speeds(path) == ([0.0, 0.0, 1.0, 1.0], 1)


@pytest.mark.parametrize("text", [json.dumps(HALVES), _pages("AB", "A"), json.dumps({"list": POINTS})])
def test_where_presence_is_protected_no_record_decides_what_another_is(text: str, tmp_path: Path) -> None:
    """A list that is named is read; without a name the outermost objects, or the first array's, are."""
    path = _write(tmp_path / "a.json", text)

    def ids(text: str, name: str = "") -> list[str]:
        form = format_of_each(FileFormat(records=name))
        batches = READER.batches(_write(path, text), ["id", "speed"], form)
        return [cell for batch in batches for cell in batch.table.column("id").to_pylist()]

    if text.startswith('{"BUS'):
        with pytest.raises(NoRecord):
            ids(text)
        assert ids(text, "*") == ["A", "B", "A"]
    else:
        first = json.loads(text)
        assert ids(text) == [one["id"] for one in first[next(iter(first))]]


def test_without_one_vehicle_the_records_of_another_are_what_they_were(tmp_path: Path) -> None:
    form = format_of_each(FileFormat(records="*"))
    wide = {"id": "A", "speed": 1, **{f"more{n}": n for n in range(6)}}
    both = {"A": [wide] * 3, "B": POINTS}
    found = []
    for value in (both, {"B": POINTS}):
        batches = READER.batches(_write(tmp_path / "a.json", json.dumps(value)), ["id", "speed"], form)
        cells = [cell for batch in batches for cell in batch.table.column("id").to_pylist()]
        found.append([cell for cell in cells if cell != "A"])
    assert found[0] == found[1] == [one["id"] for one in POINTS]


def test_fields_named_after_vehicles_are_not_quoted(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.json", json.dumps({"KA-5F42": POINTS[0]}))
    with pytest.raises(NoRecord) as caught:
        list(READER.batches(path, ["plate"], FileFormat()))
    assert "F42" not in str(caught.value)


def test_lists_that_are_named_after_vehicles_are_not_quoted(tmp_path: Path) -> None:
    text = json.dumps({"buses": {f"KA-{n}F42": [one] for n, one in enumerate(POINTS)}})
    with pytest.raises(InputError, match="no list 'ferries'") as caught:
        _speeds(_write(tmp_path / "a.json", text), "ferries")
    assert "F42" not in str(caught.value)
    assert caught.value.mend.endswith("buses.*")


def test_an_object_with_a_position_and_a_time_is_a_record_though_it_holds_a_list(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.json", json.dumps(POINTS[0] | {"stops": [{"name": "x"}]}))
    assert _speeds(path)[0] == [30.0]


@pytest.mark.parametrize("end", ["", "]", "]}}", "]} x"])
def test_lists_that_break_off_are_malformed(end: str, tmp_path: Path) -> None:
    text = json.dumps({"buses": POINTS})[:-1] + ', "links": [{"rel": "a"}' + end
    with pytest.raises(InputError, match="is cut off or malformed"):
        _speeds(_write(tmp_path / "a.json", text))


@pytest.mark.parametrize(
    "around",
    ["{}", '{{"made": 1, "data": {}}}', '{{"result": {{"data": {}}}}}'],
    ids=["bare", "beside others", "deep"],
)
@pytest.mark.parametrize("rows", [("0", "1"), ("3", "11")], ids=["all rows", "rows that others were left of"])
def test_a_file_of_columns_is_read_as_one_of_records(
    rows: tuple[str, str], around: str, tmp_path: Path
) -> None:
    columns = {"id": ("7", "8"), "time": (1, 2), "lat": (59.9, 60.0), "lon": (10, 11)}
    table = {name: dict(zip(rows, cells, strict=True)) for name, cells in columns.items()}
    path = _write(tmp_path / "a.json", around.format(json.dumps(table)))
    assert READER.preview(path).columns == ("id", "time", "lat", "lon")
    (batch,) = READER.batches(path, ("id", "lat"))
    assert batch.table.to_pydict() == {"id": ["7", "8"], "lat": [59.9, 60.0]}


def test_a_record_that_holds_a_table_of_columns_is_a_record(tmp_path: Path) -> None:
    before = {name: [point[name] for point in POINTS] for name in POINTS[0]}
    path = _write(tmp_path / "a.json", json.dumps(POINTS[0] | {"before": before}))
    assert _speeds(path)[0] == [30.0]
