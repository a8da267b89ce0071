"""A release that is killed, refused, starved of room or cut off from power at each of its file calls.

python -m tests.fire.crashes           # make crash: every call in turn, and figures
python -m tests.fire.crashes 20        # of every kind that many, evenly spread
python -m tests.fire.crashes all 9     # every call, and 9 disks for each moment that the power fails at

All else that the program writes is treated likewise (`crash_jobs`).

After each the same release is asked for again. What must hold then: the ledger is sound and has lost nothing
that it had confirmed, the bundle is whole, nothing is paid twice that was drawn, what was said was true, and
nothing half made is left.
"""

from __future__ import annotations

import contextlib
import ctypes
import datetime as dt
import errno
import gc
import io
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.accounting.ledger import Ledger, check
from core.accounting.ledger_reading import load_chain
from core.cli import main as command_line
from core.errors import HexveilError
from core.keys.signing_key import load_key
from core.release import draw
from core.release.contributions_source import contributions_for
from core.release.prepare_publish import check_without_data, plan_release, publish
from core.release.prepared import Prepared
from core.spec import load_spec
from core.system import passphrase_key
from core.verify.verify import verify_bundle
from tests.city import PASSPHRASE, POPULATION, write_city
from tests.fire.crash_jobs import JOBS, grow_old, half_made, prepare, spread, strike, sweep
from tests.fire.file_calls import SUPPORTED, Call, Change, Do, Refuse, Watched, run_apart, watch
from tests.fire.lost_writes import Disk

FILL_LEVELS, ENOUGH = 20, 16
"""How many there are, and at which a disk has room for all that a release leaves there."""
_BUNDLE = "test-speed-1.0.0"
_INSTEAD = ('files = ["records.csv"]', 'contributions = "table.parquet"')
_DISKS = 4
_OF_JOBS = 10
"""How many times fewer points of a sample are those of a job and a trouble."""


@dataclass(slots=True, kw_only=True)
class Figures:
    """What came of one kind of trouble."""

    kind: str
    points: int = 0
    """Calls at which it struck."""
    outcomes: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    lost: int = 0
    """Pages and names that were on no disk."""
    seconds: float = 0.0

    def told(self) -> str:
        lost = f", {self.lost} pages and names lost" if self.lost else ""
        outcomes = ", ".join(f"{number} {name}" for name, number in sorted(self.outcomes.items()))
        return (
            f"{self.kind}: {self.points} points{lost} ({outcomes}): {len(self.problems)} problems, "
            f"{self.seconds:.0f} s"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a home and a target hold, as those see it who come after."""

    findings: list[str]
    """Of `ledger check`."""
    events: int
    states: list[str]
    """Of the entries of the ledger."""
    drawn: int
    """How many of them have draws."""
    visible: bool
    whole: bool
    """Of the bundle."""


class Stage:
    """A city, a home with key and limit, and the place of the bundle: made anew for each trial."""

    def __init__(self, folder: Path, *, short: bool = False) -> None:
        self._short = short
        self.root = folder / "root"
        self.after_loss = folder / "after-loss"
        self._template = folder / "template"
        self.root.mkdir(parents=True)
        passphrase_key.COST = 1 << 4  # this key protects nothing
        # a ledger that cannot be written is tried again soon, and not for minutes
        draw._PATIENCE_SECONDS, draw._PAUSE_SECONDS = 1.0, 0.02
        os.environ["HEXVEIL_HOME"] = str(self.root / "home")
        os.environ["HEXVEIL_PASSPHRASE"] = PASSPHRASE
        self._spec = write_city(self.root / "city")
        table = ["contributions", str(self.root / "city" / "records.csv"), "--spec", str(self._spec)]
        limit = ["ledger", "set-limit", POPULATION, "--per-vehicle", "12"]
        for command in (["keygen"], limit, [*table, "--out", str(self.root / "city" / "table.parquet")]):
            with contextlib.redirect_stdout(io.StringIO()):
                assert command_line(command) == 0
        shutil.rmtree(self.root / "home" / "cache")
        self._of_table = self._spec.with_name("of-table.toml")
        self._of_table.write_text(self._spec.read_text().replace(*_INSTEAD))
        shutil.copytree(self.root, self._template)
        self._warm_up()

    def _warm_up(self) -> None:
        """What a release imports and keeps in memory, here and once: each forked process begins with it."""
        self._planned: Prepared | None = None
        self._read = load_spec(self._spec)
        self._key = load_key(self.root / "home" / "keys" / "release-key.pem", PASSPHRASE)
        self._contributions, _ = contributions_for(load_spec(self._of_table))
        with contextlib.redirect_stdout(io.StringIO()):
            assert self.release() == 0
            self.facts()
        self.reset()
        with Ledger.open(self.ledger) as ledger:
            self._planned = plan_release(self._read, ledger, self._contributions, None)
        gc.freeze()  # what forked processes share is not looked at by each

    @property
    def bundle(self) -> Path:
        return self.root / "out" / _BUNDLE

    def reset(self) -> None:
        """As before any release."""
        shutil.rmtree(self.root)
        shutil.copytree(self._template, self.root)

    def take_as_begun(self, prepare: Callable[[Path], None]) -> None:
        """From now on `reset` comes back to this: the stage with something more on it."""
        self.reset()
        prepare(self.root)
        shutil.rmtree(self._template)
        shutil.copytree(self.root, self._template)

    def release(self) -> int:
        """The whole command, as a person gives it; of a short run only what comes after reading."""
        return self._release_at_hand() if self._short else self._release(self._spec)

    def release_table(self) -> int:
        """The same from a contribution table: no records are kept on disk, for which more room is asked."""
        return self._release_at_hand() if self._short else self._release(self._of_table)

    def _release(self, spec: Path) -> int:
        return command_line(["release", str(spec), "--out", str(self.bundle.parent), "--yes"])

    def _release_at_hand(self) -> int:
        """What the command does once spec, key and contributions are read, and how it tells an error."""
        out, planned = self.bundle.parent, self._planned
        self._planned = None  # of a ledger without entries
        try:
            with Ledger.open(self.ledger) as ledger:
                if planned is None:
                    check_without_data(self._read, ledger, out=out)
                    planned = plan_release(self._read, ledger, self._contributions, None)
                now = dt.datetime.now(dt.UTC)
                print("Published:", publish(planned, ledger, key=self._key, out=out, now=now).bundle)
        except HexveilError as error:
            print(f"error: {error}")
            return error.exit_code
        return 0

    def release_telling(self) -> int:
        """The same, and after each commit to the ledger a line in a file that is nobody's."""
        append = Ledger._append

        def told(ledger: Ledger, *given: object, **named: object) -> object:
            state = append(ledger, *given, **named)  # type: ignore[arg-type]
            with self.confirmed.open("ab", buffering=0) as file:
                file.write(b".")
            return state

        Ledger._append = told  # type: ignore[method-assign, assignment]
        return self.release()

    @property
    def ledger(self) -> Path:
        return self.root / "home" / "ledger.sqlite"

    @property
    def confirmed(self) -> Path:
        return self.root / "confirmed"

    def facts(self) -> Facts:
        chain = load_chain(self.ledger)
        state = chain.draft.state()
        visible = os.path.lexists(self.bundle)
        return Facts(
            findings=check(self.ledger),
            events=chain.last.seq,
            states=[entry.state.value for entry in state.entries],
            drawn=sum(entry.drawn_at is not None for entry in state.entries),
            visible=visible,
            whole=visible and verify_bundle(self.bundle).ok,
        )

    def aftermath(self, code: int | None, said: str, *, confirmed: int = 0) -> tuple[list[str], str]:
        """Look, ask for the release again, and look again: everything wrong, and what had become of it.

        Here and not in a process of its own: nothing of the job that was struck is left here, and to fork
        once more takes half as long as the look.
        """
        planned, self._planned = self._planned, None
        try:
            return self._looked(code, said, confirmed)
        except Exception:
            return [f"the look itself failed: {traceback.format_exc()}"], "failed"
        finally:
            self._planned = planned

    def _looked(self, code: int | None, said: str, confirmed: int) -> tuple[list[str], str]:
        before = self.facts()
        problems = list(_wrong_before(before, code, said, confirmed))
        grow_old(self.root)
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            again = self.release()
        sweep(self.root / "home")
        after = self.facts()
        problems += _wrong_after(before, after, again, output.getvalue())
        problems += [f"left behind: {name}" for name in half_made(self.root)]
        return problems, _became(before)


def _became(facts: Facts) -> str:
    if facts.visible:
        return "published" if facts.states and facts.states[-1] == "published" else "published unnoted"
    if facts.drawn:
        return "drawn"
    return "reserved" if facts.states else "nothing"


def _wrong_before(facts: Facts, code: int | None, said: str, confirmed: int) -> Iterator[str]:
    yield from (f"ledger: {finding}" for finding in facts.findings)
    if facts.visible and not facts.whole:
        yield "a half bundle is visible"
    if facts.events < confirmed:
        yield f"the ledger lost an event: {facts.events} of {confirmed}"
    if code is not None:
        error = said[said.find("error: ") :] if code else said
        yield from (
            f"untrue: {told!r} with {_became(facts)}: {error}" for told in _untrue(facts, code, error)
        )
        if _became(facts) == "reserved":
            yield f"a call that failed has cost the budget: {error}"


def _untrue(facts: Facts, code: int, said: str) -> Iterator[str]:
    """What was said and is not so."""
    became = _became(facts)
    claims = {
        "Published:": facts.whole,
        "othing was spent": became == "nothing",
        "budget counts as spent": became == "reserved",
        "is drawn and charged again": became == "reserved",
        "drawn and stored": became == "drawn",
        "costs nothing": became == "drawn",
        "cost nothing": became == "drawn",
        "The release is published": facts.whole,
    }
    yield from (told for told, true in claims.items() if told in said and not true)
    if code == 0 and not facts.whole:
        yield "exit code 0"
    if code != 0 and not re.search(r"^error: .*\n.*where|fix:", said, re.MULTILINE):
        yield "an error in three parts"
    if "Traceback" in said or "made a mistake" in said:
        yield "that the error was foreseen"
    if code != 0 and became not in ("nothing", "drawn") and not re.search("spent|published|counts", said):
        yield "nothing of what it cost"


def _wrong_after(before: Facts, after: Facts, code: int, said: str) -> Iterator[str]:
    yield from (f"ledger after the rerun: {finding}" for finding in after.findings)
    known = before.visible and "already" in said
    if code != 0 and not known:
        yield f"the rerun failed with {code}: {said}"
        return
    if not after.whole:
        yield "no whole bundle after the rerun"
    new = len(after.states) - len(before.states)
    if new != (0 if before.drawn else 1):
        yield f"the rerun paid {new} times, after {_became(before)}"
    if Counter(after.states)["published"] != 1:
        yield f"entries after the rerun: {after.states}"
    if len(after.states) > 2:
        yield f"paid {len(after.states)} times"


# The kinds of trouble


def at_each_call(
    stage: Stage,
    kind: str,
    what: Do | Refuse,
    calls: Sequence[Call],
    most: int | None,
    *,
    writes: bool = False,
) -> Figures:
    """The same trouble at one call after the other."""
    figures, started = Figures(kind=kind), time.monotonic()
    places = [place for place, call in enumerate(calls) if not writes or call.change is Change.WRITE]
    for place in spread(places, most):
        struck, watched = _strike(stage, what, place, writes=writes)
        if not struck and place == places[-1]:  # this release made fewer calls than the one that was watched
            struck, watched = _strike(stage, what, places[-2], writes=writes)
        figures.points += bool(struck)
        _note(figures, stage, f"{place} {struck and struck[0]}", watched.code, watched.said)
    figures.seconds = time.monotonic() - started
    return figures


def _strike(stage: Stage, what: Do | Refuse, place: int, *, writes: bool) -> tuple[list[Call], Watched]:
    """A release with trouble at one call: which that was, if it came to it, and what became of it."""
    stage.reset()
    struck: list[Call] = []

    def decide(number: int, call: Call) -> Do | Refuse:
        if number == place and (not writes or call.change is Change.WRITE):
            struck.append(call)
            return what
        return Do.LET

    return struck, watch(stage.release, stage.root, decide)


def power_losses(stage: Stage, most: int | None, disks: int) -> Figures:
    """The power fails before each call: all that was not synced is lost, then parts of it in any order."""
    figures, started = Figures(kind="power lost"), time.monotonic()
    stage.reset()
    disk = Disk(stage.root)
    watched = watch(stage.release_telling, stage.root)
    assert watched.code == 0, watched.said
    template = stage.facts().events - watched_commits(watched.calls, stage, len(watched.calls))
    followed = 0
    for place in spread(range(len(watched.calls) + 1), most):
        disk.follow(call for call in watched.calls[followed:place] if call.path != str(stage.confirmed))
        followed = place
        confirmed = template + watched_commits(watched.calls, stage, place)
        for number in range(disks):
            rng = random.Random(f"{place} {number}")
            shutil.rmtree(stage.root)
            stage.root.mkdir()
            lost = disk.after_power_loss(
                stage.root,
                keeps=lambda rng=rng, share=number / disks: rng.random() < share,  # type: ignore[misc]
            )
            figures.points += 1
            figures.lost += lost
            _note(figures, stage, f"{place} disk {number}", None, "", confirmed=confirmed)
    figures.seconds = time.monotonic() - started
    return figures


def watched_commits(calls: Sequence[Call], stage: Stage, before: int) -> int:
    """How many commits the ledger had confirmed before a call."""
    return sum(call.path == str(stage.confirmed) and call.change is Change.WRITE for call in calls[:before])


def _note(
    figures: Figures, stage: Stage, where: str, code: int | None, said: str, *, confirmed: int = 0
) -> None:
    problems, became = stage.aftermath(code, said, confirmed=confirmed)
    figures.outcomes[became] += 1
    figures.problems += [f"{figures.kind} at {where}: {problem}" for problem in problems]


def full_disks(stage: Stage, most: int | None) -> Figures:
    """A real disk with room for none, 1/16, 2/16 ... of what a release leaves there; then room is made.

    most: levels that are tried, of all.
    """
    figures, started = Figures(kind="disk full"), time.monotonic()
    stage.reset()
    before = _used(stage.root)
    code, said = run_apart(stage.release_table)
    assert code == 0, said
    needed = _used(stage.root) - before
    for level in range(0, FILL_LEVELS, -(-FILL_LEVELS // (most or FILL_LEVELS))):
        found = stage.root.parent / f"level-{level}.json"
        ended, output = run_apart(lambda level=level, found=found: _on_full_disk(stage, level, needed, found))  # type: ignore[misc]
        if ended != 0:
            raise OSError(f"no small disk could be made: {output}")
        code, said, problems, became = json.loads(found.read_text())
        figures.points += 1
        figures.outcomes[became] += 1
        figures.problems += [f"disk full at {level}/{ENOUGH}: {problem}" for problem in problems]
    figures.seconds = time.monotonic() - started
    return figures


def _on_full_disk(stage: Stage, level: int, needed: int, found: Path) -> int:
    """In a process of its own, which alone sees the disk."""
    _mount_small_disk(stage.root, 8 << 20)
    shutil.copytree(stage._template, stage.root, dirs_exist_ok=True)
    free = shutil.disk_usage(stage.root).free
    filler = stage.root / "filler"
    filler.write_bytes(bytes(max(0, free - needed * level // ENOUGH)))
    code, said = run_apart(stage.release_table)
    filler.unlink()
    problems, became = stage.aftermath(code, said)
    found.write_text(json.dumps([code, said, problems, became]))
    return 0


_NEW_MOUNTS, _NEW_USER, _PRIVATE, _RECURSIVE = 0x00020000, 0x10000000, 1 << 18, 1 << 14


def _mount_small_disk(folder: Path, size: int) -> None:
    """Mount a disk in memory that nobody else sees. Raises OSError where the system allows it to nobody."""
    libc = ctypes.CDLL(None, use_errno=True)

    def done(code: int) -> None:
        if code != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    user, group = os.getuid(), os.getgid()
    done(libc.unshare(_NEW_MOUNTS if user == 0 else _NEW_MOUNTS | _NEW_USER))
    if user != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    done(libc.mount(b"none", b"/", None, _PRIVATE | _RECURSIVE, None))
    done(libc.mount(b"none", os.fsencode(folder), b"tmpfs", 0, f"size={size}".encode()))


def _used(folder: Path) -> int:
    """Bytes on a disk of pages."""
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return sum(-(-size // 4096) * 4096 for size in sizes)


KINDS: dict[str, Callable[[Stage, Sequence[Call], int | None, int], Figures]] = {
    "killed before a call": lambda stage, calls, most, _: at_each_call(
        stage, "killed before a call", Do.KILL, calls, most
    ),
    "killed in a write": lambda stage, calls, most, _: at_each_call(
        stage, "killed in a write", Do.KILL_HALFWAY, calls, most, writes=True
    ),
    "ENOSPC": lambda stage, calls, most, _: at_each_call(stage, "ENOSPC", Refuse(errno.ENOSPC), calls, most),
    "EIO": lambda stage, calls, most, _: at_each_call(stage, "EIO", Refuse(errno.EIO), calls, most),
    "power lost": lambda stage, _, most, disks: power_losses(stage, most, disks),
    "disk full": lambda stage, _, most, __: full_disks(stage, most),
}


def main(arguments: Sequence[str]) -> int:
    """Every kind of trouble; figures, what is wrong, and 1 where anything is."""
    if not SUPPORTED:
        print("This needs Linux on an x86-64 machine.", file=sys.stderr)
        return 2
    most = int(arguments[0]) if arguments and arguments[0] != "all" else None
    disks = int(arguments[1]) if len(arguments) > 1 else _DISKS
    wrong = 0
    memory = Path("/dev/shm")  # the disk's own slowness is of no interest
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        stage = Stage(Path(folder).resolve(), short=most is not None)
        watched = watch(stage.release, stage.root)
        assert watched.code == 0, watched.said
        counted = Counter(call.change.value for call in watched.calls)
        print(f"{len(watched.calls)} calls of one release: {dict(counted)}", flush=True)
        for trouble in KINDS.values():
            figures = trouble(stage, watched.calls, most, disks)
            print(figures.told(), flush=True)
            for problem in figures.problems:
                print(f"  {problem}")
            wrong += len(figures.problems)
        stage.take_as_begun(prepare)
        for job in JOBS:
            found = strike(job, stage.root, stage.reset, None if most is None else max(most // _OF_JOBS, 2))
            print(found.told(), flush=True)
            print("".join(f"  {problem}\n" for problem in found.problems), end="")
            wrong += len(found.problems)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
