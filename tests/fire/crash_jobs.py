"""What else the program writes and removes, at its file calls killed, cut short and refused.

Contribution tables written, encrypted, made by DuckDB and deleted, notices, key notes, work kept for recovery
with its layers, and a ledger of an older format that is brought up to date. After each the same is asked for
again: what was there is whole, nothing half made is left, and nothing of an encrypted table lies beside it in
the clear.
"""

from __future__ import annotations

import contextlib
import errno
import importlib.util
import io
import json
import os
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.accounting.ledger import Ledger, check
from core.accounting.ledger_events import Event
from core.cli import main as command_line
from core.contributions.file_read import read_contributions
from core.draft.draft import Draft
from core.draft.project_file import PROJECT_SUFFIX, Project
from core.draft.recovery import Recovery, left_behind
from core.errors import HexveilError
from core.geodata.map_layer import MapLayer
from core.keys.signing_key import load_key
from core.signed.key_notes import KeyNote, sound_note
from core.store.record_cache import RecordCache
from core.store.working_folders import sweep_working_folders
from core.system.paths import Home
from core.verify.verify import verify_bundle
from tests.city import PASSPHRASE
from tests.core.accounting.ledger_cases import (
    BUSES,
    DAY,
    charge_of,
    drawn,
    reserved_of,
    start_of,
    write_old,
)
from tests.fire.file_calls import Call, Change, Do, Refuse, watch

TROUBLES: dict[str, Do | Refuse] = {
    "killed": Do.KILL,
    "killed in a write": Do.KILL_HALFWAY,
    "ENOSPC": Refuse(errno.ENOSPC),
}
HALF_MADE = re.compile(r"\.partial|\.room$|^building-|^removing-|-journal$|^shelf-")
_LONG_AGO_S = 86_400
_WORDS = "correct horse battery"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something that the program does to files."""

    name: str
    run: Callable[[Path], int]
    """In the root of a stage; its exit code."""
    wrong: Callable[[Path], Iterator[str]]
    """What must not be, whenever it was struck."""
    done: Callable[[Path], bool]
    """Whether it has come to its end, or needs not begin any more."""


@dataclass(slots=True, kw_only=True)
class JobFigures:
    """What came of one job."""

    name: str
    calls: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def told(self) -> str:
        outcomes = ", ".join(f"{number} {name}" for name, number in sorted(self.outcomes.items()))
        return (
            f"{self.name}: {self.outcomes.total()} points of {self.calls} calls ({outcomes}): "
            f"{len(self.problems)} problems, {self.seconds:.0f} s"
        )


def _command(*arguments: str) -> Callable[[Path], int]:
    """A command, with `{root}` in its arguments."""
    return lambda root: command_line([argument.format(root=root) for argument in arguments])


def _table(*options: str) -> Callable[[Path], int]:
    spec = ("--spec", "{root}/city/spec.toml")
    return _command("contributions", "{root}/city/records.csv", *spec, "--out", *options)


def _unreadable(table: Path) -> Iterator[str]:
    """A table that is there, and is not whole."""
    if os.path.lexists(table):
        try:
            read_contributions(table, passphrase=lambda _: _WORDS)
        except HexveilError as error:
            yield f"a table that is not whole: {error}"


def _in_the_clear(root: Path) -> Iterator[str]:
    """Ids of vehicles beside the records and the table that was in the clear before.

    Whole ids: four given bytes come up in one of 300,000 encrypted tables by chance.
    """
    for path in (root / "city").rglob("*"):
        known = path.is_dir() or path.name in ("records.csv", "table.parquet")
        if not known and (found := re.search(rb"bus-\d\d", path.read_bytes())):
            yield f"ids in the clear in {path.name}: byte {found.start()}"


def _told_wrong(root: Path) -> Iterator[str]:
    """Of notices and notes: half a one says nothing, and never that the bundle is good or bad."""
    yield from (f"ledger: {finding}" for finding in check(root / "home" / "ledger.sqlite"))
    found = verify_bundle(_bundle(root))
    told = {"notice"} if found.notice else set()
    told |= {"signer"} if _key_note(root) else set()
    if wrong := {one.name for one in found.checks if not one.passed} - told:
        yield f"the bundle's {sorted(wrong)} do not hold"


def _key_note(root: Path) -> KeyNote | None:
    return sound_note(root / "out", load_key(root / "home" / "keys" / "release-key.pem", PASSPHRASE).public)


def _noticed(root: Path) -> bool:
    (population,) = Ledger.open(root / "home" / "ledger.sqlite").populations()
    return [len(entry.notices) for entry in population.entries] == [1]


def _bundle(root: Path) -> Path:
    return root / "out" / "test-speed-1.0.0"


def _keep(root: Path) -> int:
    """As a window does while somebody works, and it then dies."""
    recovery = Recovery(Home(root / "home").recovery)
    for number in range(2):
        layers = (MapLayer(file=root / "city" / "records.csv", labels=True, width=1.5 + number),)
        recovery.keep(Project(draft=Draft(layers=layers), page="map"))
    return 0


def _lost_work(root: Path) -> Iterator[str]:
    """Work that was kept, and is not found; and whatever of it stays when it is no longer wanted."""
    folder = Home(root / "home").recovery
    retained = len(list(folder.glob(f"*{PROJECT_SUFFIX}")))
    found, _ = left_behind(folder)
    if len(found) != retained:
        yield f"{len(found)} of {retained} kept projects can be read"
    for one in found:
        if [layer.labels for layer in one.project.draft.layers] != [True]:
            yield "the layers of a kept project are others"
        one.let_go()


def _forgotten(root: Path) -> bool:
    for one in left_behind(Home(root / "home").recovery)[0]:
        one.discard()
    return True


_OLD_DRAWS = '{"zone": "Asia/Kolkata", "values": [1, 2]}'


def _old_events() -> Iterator[Event]:
    """A few hundred events: their state fills more than a page."""
    yield from start_of(BUSES, per_vehicle="1000")
    for entry in range(1, 100):
        yield reserved_of(entry, charge_of({DAY: "1"}))
        yield drawn(entry, _OLD_DRAWS, old=True)


def _old_ledger_wrong(root: Path) -> Iterator[str]:
    """Whatever its format is by now, it is sound, and what was spent and drawn is there."""
    path = root / "old" / "ledger.sqlite"
    yield from (f"ledger: {finding}" for finding in check(path))
    ledger = Ledger(path)
    (population,) = ledger.populations()
    found = ledger.find_identical(BUSES, "a" * 64)
    if (population.spent, len(population.entries)) != (99, 99):
        yield f"{population.spent} spent by {len(population.entries)} entries"
    if found is None or json.dumps(found.draws) != _OLD_DRAWS:
        yield "the draws are lost"


def _has_new_limit(root: Path) -> bool:
    (population,) = Ledger(root / "old" / "ledger.sqlite").populations()
    return population.per_vehicle == 2000


def _jobs() -> Iterator[Job]:
    fleet, table = "{root}/city/fleet", "{root}/city/table.parquet"
    for name, wanted in (
        ("table", (table,)),
        ("table by DuckDB", (table, "--engine", "duckdb")),
    ):
        if "duckdb" not in wanted or importlib.util.find_spec("duckdb"):
            yield Job(
                name=name,
                run=_table(*wanted),
                wrong=lambda root: _unreadable(root / "city" / "table.parquet"),
                done=lambda root: (root / "city" / "table.parquet").exists(),
            )

    def sealed(root: Path) -> Iterator[str]:
        yield from _unreadable(root / "city" / "new")
        yield from _in_the_clear(root)

    yield Job(
        name="encrypted table",
        run=_table("{root}/city/new", "--partition-by", "resolution,date", "--encrypt"),
        wrong=sealed,
        done=lambda root: (root / "city" / "new").is_dir(),
    )
    yield Job(
        name="deleted table",
        run=_command("contributions", "--delete", fleet, "--yes"),
        wrong=lambda root: _unreadable(root / "city" / "fleet"),
        done=lambda root: not (root / "city" / "fleet").exists() and _table(fleet)(root) == 0,
    )
    yield Job(
        name="notice",
        run=_command("notice", "{root}/out/test-speed-1.0.0", "--reason", "a bound was wrong"),
        wrong=_told_wrong,
        done=lambda root: verify_bundle(_bundle(root)).notice is not None and _noticed(root),
    )
    yield Job(
        name="key note",
        run=_command("keynote", "--revoke", "--reason", "a laptop was lost", "--out", "{root}/out"),
        wrong=_told_wrong,
        done=lambda root: _key_note(root) is not None,
    )
    yield Job(
        name="change of the ledger's format",
        run=_command("ledger", "set-limit", BUSES, "--per-vehicle", "2000", "--home", "{root}/old"),
        wrong=_old_ledger_wrong,
        done=_has_new_limit,
    )
    yield Job(name="recovery, with layers", run=_keep, wrong=_lost_work, done=_forgotten)


JOBS = tuple(_jobs())


def prepare(root: Path) -> None:
    """What the jobs work on, beside what a stage has: a bundle that is out, and an encrypted table."""
    os.environ["HEXVEIL_TABLE_PASSPHRASE"] = _WORDS
    for job in (
        _command("release", "{root}/city/spec.toml", "--out", "{root}/out", "--yes"),
        _table("{root}/city/fleet", "--partition-by", "date", "--encrypt"),
    ):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert job(root) == 0
    shutil.rmtree(root / "home" / "cache")
    (root / "old").mkdir()
    write_old(root / "old" / "ledger.sqlite", _old_events())


def strike(job: Job, root: Path, reset: Callable[[], None], most: int | None) -> JobFigures:
    """The job with each trouble at its calls, and what came of it."""
    figures, started = JobFigures(name=job.name), time.monotonic()
    reset()
    watched = watch(lambda: job.run(root), root)
    assert watched.code == 0, watched.said
    figures.calls = len(watched.calls)
    for kind, what in TROUBLES.items():
        places = [
            place
            for place, call in enumerate(watched.calls)
            if what is not Do.KILL_HALFWAY or call.change is Change.WRITE
        ]
        for place in spread(places, most):
            reset()

            def decide(number: int, _: Call, place: int = place, what: Do | Refuse = what) -> Do | Refuse:
                return what if number == place else Do.LET

            struck = watch(lambda: job.run(root), root, decide)
            problems = list(_aftermath(job, root, struck.code, struck.said))
            figures.outcomes[kind] += 1
            figures.problems += [f"{job.name}, {kind} at {place}: {problem}" for problem in problems]
    figures.seconds = time.monotonic() - started
    return figures


def _aftermath(job: Job, root: Path, code: int | None, said: str) -> Iterator[str]:
    yield from job.wrong(root)
    if code and not re.search(r"^error: .*\n.*where|fix:", said, re.MULTILINE):
        yield f"no error in three parts: {said}"
    if "made a mistake" in said:
        yield f"an error that nobody foresaw: {said}"
    grow_old(root)
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        again = job.run(root)
        if not job.done(root):
            yield f"the rerun did not come to its end, with {again}: {output.getvalue()}"
    yield from (f"after the rerun: {problem}" for problem in job.wrong(root))
    sweep(root / "home")
    yield from (f"left behind: {name}" for name in half_made(root))


def sweep(home: Path) -> None:
    """As every start does, and as before any records are loaded."""
    Home(home).sweep()
    sweep_working_folders(home / "cache")
    RecordCache(home / "cache").prepare()


def grow_old(root: Path) -> None:
    """Whoever comes after comes on another day: what is young may still be in the making."""
    then = time.time() - _LONG_AGO_S
    for path in root.rglob("*"):
        if HALF_MADE.search(path.name):
            for one in (path, *path.rglob("*")):
                os.utime(one, (then, then), follow_symlinks=False)


def half_made(root: Path) -> Iterator[str]:
    for path in root.rglob("*"):
        if HALF_MADE.search(path.name):
            yield str(path.relative_to(root))


def spread(points: Sequence[int], most: int | None) -> list[int]:
    """So many of the points, from the first to the last."""
    if most is None or len(points) <= most:
        return list(points)
    return [points[place * (len(points) - 1) // (most - 1)] for place in range(most)]
