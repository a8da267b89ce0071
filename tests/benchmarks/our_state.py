"""The steps of releasing a state's contribution table. One line of JSON a step.

    python -m tests.benchmarks.our_state FOLDER [--vehicles N --days N | --mechanism NAME]

With --vehicles the table is made in the folder, else it is released.
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from core.accounting.ledger import Ledger
from core.keys.signing_key import generate_key
from core.mechanisms.tokens import Tokens
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import check_without_data, plan_release, publish
from core.spec import ReleaseSpec, load_spec
from core.verify.verify import verify_bundle
from tests.benchmarks.state_table import FIRST, RESOLUTION, UPPER, ZONE, write_state
from tests.benchmarks.steps import StateFigures, tell

POPULATION, PASSPHRASE = "Fleets of a state", "correct horse battery staple"
MAKE, READ, PLAN, PUBLISH, VERIFY = "make", "read", "plan", "publish", "verify"
_T = TypeVar("_T")
_SPEC = """
[release]
name = "state-speed"
version = "1.0.0"
title = "Speeds of a made-up state"
publisher = "State"
contact = "opendata@state.example"
licence = "CC-BY-4.0"

[data]
contributions = "table"
zone = "{zone}"
upper_bound_kmh = {upper}

[hats]
resolution = {resolution}
slot_minutes = 60
dates = ["{first}", "{last}"]
hours = ["00:00", "24:00"]

[selection]
rule = "hat"
threshold = 1
minimum_vehicles = 2

[privacy]
population = "{population}"
relation = "values"
unit = "vehicle"
confirmed = true

[[query]]
id = "mean_speed"
statistic = "mean"
mechanism = "{mechanism}"
{budget}
"""


def release(folder: Path, mechanism: str) -> None:
    """Read, plan, publish and verify; tells each step."""
    spec = state_spec(folder, mechanism)
    key = generate_key(folder / "key", PASSPHRASE)
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        ledger.set_limit(POPULATION, per_vehicle=Decimal(100_000))
        check_without_data(spec, ledger, out=folder / "out")
        table = _told(
            READ,
            lambda: contributions_for(spec)[0],
            lambda table: StateFigures(rows=table.hat.size, hats=table.hats, values=len(table.values)),
        )
        prepared = _told(
            PLAN,
            lambda: plan_release(spec, ledger, table, None),
            lambda found: StateFigures(hats=sum(hat.plan is not None for hat in found.plans[0].hats)),
        )
        published = _told(
            PUBLISH,
            lambda: publish(prepared, ledger, key=key, out=folder / "out", now=dt.datetime.now(dt.UTC)),
            lambda done: StateFigures(
                hats=sum(bool(row.estimates) for row in done.release.queries[0].rows),
                bytes=_size(done.bundle),
            ),
        )
    _told(
        VERIFY,
        lambda: verify_bundle(published.bundle, key.public_text),
        lambda found: StateFigures(failed=sum(not one.passed for one in found.checks)),
    )


def _told(step: str, work: Callable[[], _T], figures: Callable[[_T], StateFigures]) -> _T:
    """What a step gives, which is told with its figures."""
    found: list[_T] = []

    def done() -> StateFigures:
        found.append(work())
        return figures(found[0])

    tell(step, done)
    return found[0]


def state_spec(folder: Path, mechanism: str) -> ReleaseSpec:
    days = len(list((folder / "table").iterdir()))
    path = folder / "state.toml"
    path.write_text(
        _SPEC.format(
            zone=ZONE,
            upper=UPPER / 1000,
            resolution=RESOLUTION,
            first=FIRST,
            last=FIRST + dt.timedelta(days=days - 1),
            population=POPULATION,
            mechanism=mechanism,
            budget='total = "10"' if mechanism == Tokens.key else 'epsilon = "0.5"',
        ),
        encoding="utf-8",
    )
    return load_spec(path)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vehicles", type=int)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--mechanism", default="two-step-clipping")
    options = parser.parse_args()
    if options.vehicles is None:
        release(options.folder, options.mechanism)
        return

    def make() -> StateFigures:
        written = write_state(options.folder / "table", vehicles=options.vehicles, days=options.days)
        return StateFigures(rows=written.rows, values=written.values, bytes=written.bytes)

    tell(MAKE, make)


if __name__ == "__main__":
    sys.exit(main())
