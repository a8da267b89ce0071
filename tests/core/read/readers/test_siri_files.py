"""SIRI vehicle monitoring: what is read of it, and which hostile documents are refused."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest

from core.assist.column_guesses import guess_mapping
from core.clean.mapping import ReadingRules
from core.errors import InputError
from core.read.input_files import NoRecord
from core.read.preview_rows import NoRows
from core.read.reader_registry import reader_for
from core.read.readers import siri_files
from core.read.readers.siri_files import READER
from core.store.load_records import load_records
from tests.records import SECRET

JOURNEY = "MonitoredVehicleJourney"
LONG = "c" * 100_000
FIELDS = (f"{JOURNEY}.VehicleRef", "RecordedAtTime", f"{JOURNEY}.Velocity")


def activity(bus: int, minute: int, more: str = "") -> str:
    return (
        f"<VehicleActivity><RecordedAtTime>2025-03-04T07:{minute:02d}:00Z</RecordedAtTime><{JOURNEY}>"
        f"<OperatorRef>ABCD</OperatorRef><VehicleLocation><Longitude>10.7{bus}</Longitude>"
        f"<Latitude>59.91</Latitude></VehicleLocation><Velocity>12.5</Velocity>"
        f"<VehicleRef>{bus}</VehicleRef>{more}</{JOURNEY}></VehicleActivity>"
    )


def siri(*activities: str, head: str = '<?xml version="1.0"?>', name: str = "Siri") -> str:
    within = "".join(activities)
    return (
        f'{head}<{name} xmlns="http://www.siri.org.uk/siri" version="2.0"><ServiceDelivery>'
        f"<VehicleMonitoringDelivery>{within}</VehicleMonitoringDelivery></ServiceDelivery></{name}>"
    )


def written(folder: Path, text: str, name: str = "a.xml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        list(READER.batches(path, FIELDS))
    assert SECRET not in str(caught.value)
    return caught.value.what


def test_each_activity_is_a_record_in_metres_a_second(tmp_path: Path) -> None:
    polls = [activity(bus, minute, "<Extra>1</Extra><Extra>2</Extra>") for minute in (0, 1) for bus in (1, 2)]
    path = written(tmp_path, siri(*polls), "poll.bin")
    guess = guess_mapping(reader_for(path).preview(path), where=path.name)
    mapping = guess.mapping
    assert mapping.vehicle_columns == (f"{JOURNEY}.OperatorRef", f"{JOURNEY}.VehicleRef")
    assert (mapping.time, mapping.value, mapping.units[0].unit) == ("RecordedAtTime", FIELDS[2], "m/s")
    loaded = load_records((path,), ReadingRules(mapping=mapping, zone="Europe/Oslo", upper_bound=65_000))
    assert (len(loaded.records), set(loaded.records.value.tolist())) == (4, {45_000})
    assert READER.preview(path).column(f"{JOURNEY}.Extra") == ["1"] * 4


def test_a_prefix_and_a_field_that_is_not_there_do_not_matter(tmp_path: Path) -> None:
    text = siri(activity(1, 0).replace("<Velocity>12.5</Velocity>", ""))
    text = text.replace("<", "<s:").replace("<s:/", "</s:").replace("<s:?", "<?")
    text = text.replace("xmlns=", "xmlns:s=")
    (batch,) = READER.batches(written(tmp_path, text), FIELDS)
    assert [column.to_pylist() for column in batch.table.columns] == [["1"], ["2025-03-04T07:00:00Z"], [None]]


def test_a_poll_without_vehicles_holds_no_record(tmp_path: Path) -> None:
    path = written(tmp_path, siri())
    with pytest.raises(NoRows):
        READER.preview(path)
    with pytest.raises(NoRecord):
        list(READER.batches(path, FIELDS))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (siri(activity(1, 0))[:-30], "The XML is cut off or malformed."),
        (siri(activity(1, 0), name="gpx"), "The XML is no SIRI."),
        (siri(head='<!DOCTYPE a [<!ENTITY b "' + SECRET + '">]>'), "The XML declares a document type"),
        (siri(head='<!DOCTYPE Siri SYSTEM "file:///etc/hostname">'), "The XML declares a document type"),
        (siri("<a>" * 100_000), "The XML is deeper or longer"),
        (siri(activity(1, 0, "<a>" + "x" * 100_000 + "</a>")), "The XML is deeper or longer"),
        (siri(activity(1, 0, ("<a>" + "x" * 60_000 + "</a>") * 20)), "The XML is deeper or longer"),
        (
            siri(activity(1, 0, (f"<{LONG}>" * 9 + "<a>x</a><b>y</b>" + f"</{LONG}>" * 9))),
            "The XML is deeper",
        ),
        (
            siri(activity(1, 0, "".join(f"<a{n}>1</a{n}>" for n in range(2_000)))),
            "The XML is deeper or longer",
        ),
        (siri("<a " + " ".join(f'b{n}="1"' for n in range(200_000)) + "/>"), "The XML is deeper or longer"),
        (siri(f"<{SECRET}>&{SECRET};</{SECRET}>"), "The XML is cut off or malformed."),
    ],
)
def test_hostile_and_broken_documents_are_refused(tmp_path: Path, text: str, what: str) -> None:
    assert refused(written(tmp_path, text)).startswith(what)


def test_many_members_leave_memory_as_it_is(tmp_path: Path) -> None:
    path = written(tmp_path, siri("<a/>" * 100_000, activity(1, 0)))
    tracemalloc.start()
    (batch,) = READER.batches(path, FIELDS)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert batch.table.num_rows == 1
    assert peak < 1_000_000


def test_the_answer_of_a_service_is_read_through_its_envelope(tmp_path: Path) -> None:
    inner = siri(activity(1, 0)).partition("?>")[2].replace("Siri", "Answer")
    named = "GetVehicleMonitoringResponse"
    body = f"<S:Body><{named}>{inner}</{named}></S:Body>"
    text = f'<?xml version="1.0"?><S:Envelope xmlns:S="x">{body}</S:Envelope>'
    path = written(tmp_path, text, "answer")
    assert reader_for(path).key == "siri"
    (batch,) = READER.batches(path, FIELDS[:1])
    assert batch.table.column(0).to_pylist() == ["1"]


def test_siri_of_another_service_is_said_to_hold_no_vehicles(tmp_path: Path) -> None:
    text = "<Siri><ServiceDelivery><EstimatedTimetableDelivery/></ServiceDelivery></Siri>"
    assert refused(written(tmp_path, text)) == "The SIRI file contains no vehicle activity."


def test_long_fields_fill_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packed, a record of 60 kB takes some bytes; 50,000 of them took 3 GB together."""
    monkeypatch.setattr(siri_files, "_BATCH_TEXT", 1 << 22)
    path = tmp_path / "long.xml.gz"
    long = activity(1, 0, f"<Note>{'x' * 60_000}</Note>")
    path.write_bytes(gzip.compress(siri(long * 160).encode(), 1))
    names = (*FIELDS, f"{JOURNEY}.Note")
    sizes = [batch.table.num_rows for batch in READER.batches(path, names)]
    assert sum(sizes) == 160
    assert max(sizes) < 75
