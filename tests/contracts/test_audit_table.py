"""The table of the audits: verdicts, what must be in it, and a run that leaves something out."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.mechanisms.registry import all_mechanisms, mechanisms_of
from core.privacy import Relation, Unit
from core.statistics.registry import all_statistics
from tests import audit_table
from tests.audit_table import WHOLE, Audits, Row, expected, missing, table

ROW = Row(
    subject="levy",
    step="noise",
    setting="bestfit",
    claimed=0.5,
    certified=0.47,
    trials=1_000_000,
    seconds=12.3,
    mutant=False,
)
COMPLETE = [dataclasses.replace(ROW, subject=subject, step=step) for subject, step in expected()]


def audited(**found: Any) -> list[Row]:
    """The rows that one audit leaves when it is asserted, or fails."""
    retained: list[tuple[str, Any]] = []
    audits = Audits(lambda name, value: retained.append((name, value)))
    expects = audits.caught if "least" not in found else audits.holds
    try:
        expects("levy", "noise", setting="", claimed=Decimal("0.5"), trials=9, **found)
    except AssertionError:
        retained.append(("failed", None))
    return [Row(**value) if name == "audit" else ROW for name, value in retained]


@pytest.mark.parametrize(
    ("found", "verdict", "fails"),
    [
        ({"certified": 0.5, "least": 0.4}, "holds", False),
        ({"certified": 0.51, "least": 0.4}, "BROKEN", True),
        ({"certified": 0.2, "least": 0.4}, "holds", True),
        ({"certified": 0.51}, "caught", False),
        ({"certified": 0.5}, "MISSED", True),
    ],
    ids=["holds", "broken", "blunt", "caught", "missed"],
)
def test_a_row_is_kept_whether_or_not_its_audit_fails(
    found: dict[str, float], verdict: str, fails: bool
) -> None:
    row, *rest = audited(**found)
    assert (row.verdict, bool(rest)) == (verdict, fails)


def test_a_row_is_of_plain_types_for_any_that_a_test_hands_over() -> None:
    """Between processes nothing else can be sent."""
    retained: list[Any] = []
    audits = Audits(lambda _, value: retained.append(value))
    found = np.float64(0.9)
    audits.holds(
        "mean", WHOLE, setting=Unit.VEHICLE, claimed=Decimal(1), certified=found, trials=9, least=0.5
    )
    assert {type(value) for value in retained[0].values()} == {str, float, int, bool}
    assert retained[0]["setting"] == "vehicle"


def test_every_mechanism_with_its_steps_and_every_statistic_is_expected() -> None:
    wanted = expected()
    assert {subject for subject, _ in wanted} == {*mechanisms_of(Relation.VALUES), *all_statistics()}
    assert ("baseline", WHOLE) in wanted
    assert {step for subject, step in wanted if subject == "two-step-clipping"} == {
        WHOLE,
        "centre",
        "spread",
        "noise",
    }


def test_what_is_registered_and_has_no_row_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing(COMPLETE) == []
    spoiled = [dataclasses.replace(row, mutant=row.subject == "levy") for row in COMPLETE]
    assert missing(spoiled) == [("levy", "interval"), ("levy", "noise"), ("levy", WHOLE)]
    more = {**all_mechanisms(), "new": all_mechanisms()["baseline"]}
    monkeypatch.setattr(audit_table, "all_mechanisms", lambda: more)
    assert missing(COMPLETE) == [("new", WHOLE)]


def test_the_table_has_a_line_for_each_row_in_columns() -> None:
    heading, line = table([ROW])
    assert heading.split() == [
        *("mechanism", "step", "setting", "claimed", "certified", "trials", "verdict", "CPU", "s")
    ]
    assert line.split() == ["levy", "noise", "bestfit", "0.5000", "0.4700", "1,000,000", "holds", "12.3"]
    assert heading.index("setting") == line.index("bestfit")


class Reporter:
    """As pytest's, with the reports of one run; keeps what is written."""

    def __init__(self, rows: list[Row]) -> None:
        properties = [("audit", dataclasses.asdict(row)) for row in rows]
        self._reports = [SimpleNamespace(when="call", user_properties=properties)]
        self.lines: list[str] = []

    def getreports(self, name: str) -> list[Any]:
        return self._reports if name == "passed" else []

    def section(self, title: str) -> None:
        self.lines.append(title)

    def write_line(self, line: str, **_: bool) -> None:
        self.lines.append(line)


@pytest.mark.parametrize(
    ("rows", "status"), [(COMPLETE, 0), (COMPLETE[1:], 1), ([], 1)], ids=["all", "one-less", "none"]
)
def test_a_run_without_an_audit_fails_and_names_it(rows: list[Row], status: int) -> None:
    reporter = Reporter(rows)
    config: Any = SimpleNamespace(
        pluginmanager=SimpleNamespace(getplugin=lambda _: reporter), getoption=lambda _: True
    )
    session: Any = SimpleNamespace(config=config, exitstatus=0)
    audit_table.pytest_sessionfinish(session)
    assert session.exitstatus == status
    audit_table.pytest_terminal_summary(reporter, config)
    absent = [line for line in reporter.lines if line.startswith("NOT AUDITED")]
    assert len(absent) == len(expected()) - len(rows)
