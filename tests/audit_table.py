"""The table of the audits: every audit-marked test leaves rows, and the run prints them at its end.

Rows travel as properties of the test reports, which pytest-xdist sends to the process that prints. With
`--every-audit` the run fails unless each step of each registered mechanism and each registered statistic
has its row, so that what is registered cannot go without an audit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from core.contributions import HatUsers
from core.fixed_point import THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import Mechanism
from core.mechanisms.registry import all_mechanisms
from core.privacy import Relation
from core.statistics.registry import all_statistics

WHOLE = "whole"
"""Step of a row on everything that is released, and on whatever is private on the way to it."""
_PROPERTY = "audit"
_UPPER_BOUND = 65 * THOUSAND
_SPREAD_OUT = (([4, 3, 2, 1] * 35, "1"), ([3] * 100, "5"), ([1], "0.001"))
"""Counts and epsilons of HATs, from one record to many users: every step of any plan is in one of these."""
Subject = tuple[str, str]
"""Key of a mechanism or statistic, and a step."""


@dataclass(frozen=True)
class Row:
    """One audit: an epsilon that was claimed, and one that the draws certify at least."""

    subject: str
    """Key of the mechanism or statistic."""
    step: str
    setting: str
    claimed: float
    certified: float
    trials: int
    """Draws on each of the two neighbours."""
    seconds: float
    """Processor time."""
    mutant: bool
    """The noise was too small on purpose, which must be found out."""

    @property
    def verdict(self) -> str:
        found = self.certified > self.claimed
        if self.mutant:
            return "caught" if found else "MISSED"
        return "BROKEN" if found else "holds"


class Audits:
    """Takes the findings of one test: each is kept as a row where `keep` is given, then asserted."""

    def __init__(self, keep: Callable[[str, object], None] | None) -> None:
        self._keep = keep
        self._since = time.process_time()

    def holds(
        self,
        subject: str,
        step: str,
        *,
        claimed: Decimal,
        certified: float,
        trials: int,
        least: float,
        setting: str = "",
    ) -> None:
        """No more than `claimed` was certified, and more than the part `least` of it."""
        row = self._row(subject, step, setting, claimed, certified, trials, mutant=False)
        assert least * row.claimed < row.certified <= row.claimed, row

    def caught(
        self, subject: str, step: str, *, claimed: Decimal, certified: float, trials: int, setting: str
    ) -> None:
        """Noise that was spoiled, as `setting` says, cost certainly more than `claimed`."""
        row = self._row(subject, step, setting, claimed, certified, trials, mutant=True)
        assert row.certified > row.claimed, row

    def _row(
        self,
        subject: str,
        step: str,
        setting: str,
        claimed: Decimal,
        certified: float,
        trials: int,
        *,
        mutant: bool,
    ) -> Row:
        now = time.process_time()
        seconds, self._since = now - self._since, now
        # plain types alone: nothing else travels from one process to the other
        names = str(subject), str(step), str(setting)
        row = Row(*names, float(claimed), float(certified), int(trials), seconds, mutant)
        if self._keep is not None:
            self._keep(_PROPERTY, asdict(row))
        return row


def steps_of(mechanism: Mechanism) -> list[str]:
    """Every step that is audited: the whole, and each part of it where there are several."""
    found = {WHOLE: None}
    for counts, epsilon in _SPREAD_OUT:
        users = HatUsers(counts=np.array(sorted(counts, reverse=True), np.int64))
        plan = mechanism.plan(users, Decimal(epsilon), _UPPER_BOUND, mechanism.Params(), PlanCache())
        if len(plan.budget_shares) > 1:
            found |= dict.fromkeys(name for name, _ in plan.budget_shares)
    return list(found)


def expected() -> set[Subject]:
    """What a complete table has rows on."""
    mechanisms = {
        (key, step)
        for key, one in all_mechanisms().items()
        if Relation.VALUES in one.relations  # of user: tests/contracts/test_bounding_audit.py
        for step in steps_of(one)
    }
    return mechanisms | {(key, WHOLE) for key in all_statistics()}


def missing(rows: Iterable[Row]) -> list[Subject]:
    """What is registered and has no row. Noise spoiled on purpose says nothing about the real one."""
    return sorted(expected() - {(row.subject, row.step) for row in rows if not row.mutant})


def table(rows: Sequence[Row]) -> list[str]:
    """Lines of text, a heading first; rows of one subject together, those on the whole of it first."""
    cells = [("mechanism", "step", "setting", "claimed", "certified", "trials", "verdict", "CPU s")]
    for row in sorted(rows, key=lambda row: (row.subject, row.step != WHOLE, row.step, row.setting)):
        claimed, certified = f"{row.claimed:.4f}", f"{row.certified:.4f}"
        cells.append(
            (
                row.subject,
                row.step,
                row.setting,
                claimed,
                certified,
                f"{row.trials:,}",
                row.verdict,
                f"{row.seconds:.1f}",
            )
        )
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = (True, True, True, False, False, False, True, False)
    return [
        "  ".join(
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(line, widths, left, strict=True)
        ).rstrip()
        for line in cells
    ]


@pytest.fixture
def audits(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> Audits:
    """Takes what an audit finds; only the long audits leave rows."""
    return Audits(record_property if request.node.get_closest_marker("audit") else None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every-audit", action="store_true", help="fail where an audit is missing")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """The exit status of an incomplete table."""
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter is None or session.exitstatus or not session.config.getoption("--every-audit"):
        return
    if missing(_rows(reporter)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The table, and below it what should have been there."""
    rows = _rows(terminalreporter)
    absent = missing(rows) if config.getoption("--every-audit") else []
    if not rows and not absent:
        return
    terminalreporter.section("audits")
    for line in table(rows):
        terminalreporter.write_line(line)
    terminalreporter.write_line(
        f"{len(rows)} audits, {sum(row.seconds for row in rows):,.0f} processor seconds"
    )
    for subject, step in absent:
        terminalreporter.write_line(f"NOT AUDITED: {subject}, {step}", red=True)


def _rows(terminalreporter: Any) -> list[Row]:
    """Of all tests that ran; a failed one counts as well."""
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    return [
        Row(**value)
        for report in reports
        if report.when == "call"
        for name, value in report.user_properties
        if name == _PROPERTY
    ]
