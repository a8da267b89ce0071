"""core.system.fault_report: kind and place of an exception, and nothing of what it says of data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import InputError
from core.system.fault_report import error_number, fault_report, log_fault, place_of, unexpected
from tests.records import SECRET


def raised(error: Exception, cause: Exception | None = None) -> Exception:
    try:
        try:
            if cause is not None:
                raise cause
        except Exception:
            raise error  # noqa: B904 - what Python notes by itself
        raise error
    except Exception as told:
        return told


@pytest.mark.parametrize("error", [ValueError(SECRET), KeyError(SECRET), OSError(5, SECRET)])
def test_it_tells_kind_and_place_and_no_text(error: Exception) -> None:
    report = fault_report(raised(error, TypeError(SECRET)))
    assert SECRET not in report
    assert type(error).__name__ in report
    assert "caused by:" in report
    assert "TypeError" in report
    assert "tests/core/system/test_fault_report.py, line " in report
    assert "in raised" in report


def test_what_our_own_errors_say_is_told() -> None:
    assert "fix:   so" in fault_report(raised(InputError("what", where="there", mend="so")))


def test_no_folder_of_this_machine_is_told() -> None:
    import json

    try:
        json.loads("{")
    except ValueError as error:
        report = fault_report(error)
    assert "json/decoder.py" in report
    assert str(Path.home()) not in report
    assert str(Path(json.__file__).parent.parent) not in report


def test_the_place_is_the_last_one() -> None:
    assert place_of(raised(ValueError())).endswith("in raised")
    assert place_of(ValueError()) == ""


def test_an_error_has_the_same_number_again_and_another_place_another() -> None:
    first, again = (raised(ValueError(text)) for text in (SECRET, "x"))
    assert error_number(first) == error_number(again) == error_number(first).upper()
    assert error_number(first) != error_number(raised(KeyError()))
    assert len({error_number(first), error_number(ValueError())}) == 2


@pytest.mark.parametrize(
    "error", [ValueError(SECRET), MemoryError(SECRET), OSError(28, SECRET, "a.csv"), AssertionError(SECRET)]
)
def test_a_person_is_told_what_and_how_to_mend_and_no_value(error: Exception, tmp_path: Path) -> None:
    told = unexpected(raised(error), tmp_path / "errors.log")
    assert error_number(error) in told.what
    assert told.mend
    assert SECRET not in str(told)
    assert ("No space left" in told.what) == isinstance(error, OSError)


def test_the_log_is_its_owners_and_holds_no_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, error = tmp_path / "errors.log", raised(ValueError(SECRET))
    assert log_fault(log, error) == log_fault(log, error) == log
    text = log.read_text("utf-8")
    assert text.count(error_number(error)) == 2
    assert "in raised" in text
    assert SECRET not in text
    if os.name != "nt":
        assert log.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr("core.system.fault_report._LARGEST_LOG", 10)
    log_fault(log, error)
    assert log.read_text("utf-8").count(error_number(error)) == 1
    assert log_fault(tmp_path / "none" / "errors.log", error) is None
