"""ui.kit.fault_report: kind and place of an exception, and nothing of what it says of data."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from core import __version__
from core.errors import InputError
from tests.records import SECRET
from ui.kit.fault_report import fault_report, place_of, system_facts


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
    assert "tests/ui/kit/test_fault_report.py, line " in report
    assert "in raised" in report


def test_what_our_own_errors_say_is_told() -> None:
    assert "mend:  so" in fault_report(raised(InputError("what", where="there", mend="so")))


def test_no_folder_of_this_machine_is_told() -> None:
    import json

    try:
        json.loads("{")
    except ValueError as error:
        report = fault_report(error)
    assert "json/decoder.py" in report
    for text in (report, system_facts()):
        assert str(Path.home()) not in text
        assert str(Path(json.__file__).parent.parent) not in text


def test_the_place_is_the_last_one() -> None:
    assert place_of(raised(ValueError())).endswith("in raised")
    assert place_of(ValueError()) == ""


def test_the_facts_of_the_system(qapp: QApplication) -> None:
    qapp.setApplicationVersion(__version__)
    assert f"Hexveil {__version__}" in system_facts()
    assert "Qt" in system_facts()
