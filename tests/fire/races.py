"""Releases asked for at the same moment, by commands and windows: limits hold, and one spec is paid once.

python -m tests.fire.races             # make race: rounds of each race, and figures
python -m tests.fire.races 3 1 4       # 3 rounds of the races of 4 commands, 1 of those with windows
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from types import TracebackType

from core.accounting.ledger import Ledger, check
from core.cli import main as command_line
from core.system import passphrase_key
from core.verify.verify import verify_bundle
from tests.city import PASSPHRASE, POPULATION, write_city

COMMANDS = 8
ROUNDS, WINDOW_ROUNDS = 10, 5
_ROOT = Path(__file__).resolve().parents[2]
_FORK = multiprocessing.get_context("fork")
_PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One release that is asked for."""

    spec: Path
    out: Path
    home: Path
    bundle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of it."""

    published: bool
    said: str


@dataclass(slots=True, kw_only=True)
class Figures:
    """What came of all rounds of a race."""

    race: str
    rounds: int = 0
    requests: int = 0
    published: int = 0
    paid: int = 0
    twice: int = 0
    """Entries of a request that another entry has paid for."""
    unused: int = 0
    """Draws that led to no bundle."""
    said: Counter[str] = field(default_factory=Counter)
    """First lines of what the others were told."""
    problems: list[str] = field(default_factory=list)

    def told(self) -> str:
        return (
            f"{self.race}: {self.rounds} rounds, {self.requests} requests, {self.published} published, "
            f"{self.paid} paid, {self.twice} of them twice, {self.unused} draws without a bundle: "
            f"{len(self.problems)} problems"
        )


class Course:
    """A city and a home with a key and a limit, for one round."""

    def __init__(self, folder: Path, limit: str) -> None:
        self.folder, self.home, self.limit = folder, folder / "home", Decimal(limit)
        self.city = folder / "city"
        write_city(self.city)
        for command in (["keygen"], ["ledger", "set-limit", POPULATION, "--per-vehicle", limit]):
            with contextlib.redirect_stdout(io.StringIO()):
                assert command_line([*command, "--home", str(self.home)]) == 0

    def asked(self, number: int, *, alike: bool, apart: bool) -> Asked:
        """One of several; alike: all of one spec; apart: each into a folder of its own."""
        version = "1.0.0" if alike else f"1.0.{number}"
        total = "6" if alike else f"{6 - number / 10:.1f}"
        path = self.city / f"spec-{number}.toml"
        text = (self.city / "spec.toml").read_text()
        path.write_text(text.replace("1.0.0", version).replace('total = "6"', f'total = "{total}"'))
        out = self.folder / (f"out-{number}" if apart else "out")
        return Asked(spec=path, out=out, home=self.home, bundle=f"test-speed-{version}")


class Window:
    """The window's program in a process of its own, offscreen, that is told when to press *Release*."""

    def __init__(self) -> None:
        environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "HEXVEIL_PASSPHRASE": PASSPHRASE}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fire.race_window"],
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Window:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(_PATIENCE_S)

    def say(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()

    def heard(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the window's process has died"
        return line.strip()

    def prepare(self, asked: Asked) -> None:
        """Open the data of a spec and review the release."""
        self.say(json.dumps([str(asked.home), str(asked.spec), str(asked.out)]))
        assert self.heard() == "ready"

    def answer(self) -> Answer:
        published, said = json.loads(self.heard())
        return Answer(published=published, said=said)


def race(asked: Sequence[Asked], windows: Sequence[Window] = ()) -> list[Answer]:
    """All at once: the first ones by the windows, the rest by a command each."""
    for window, one in zip(windows, asked, strict=False):
        window.prepare(one)
    commands = asked[len(windows) :]
    start = _FORK.Barrier(len(commands) + 1)
    results: SimpleQueue[tuple[int, Answer]] = _FORK.SimpleQueue()
    processes = [
        _FORK.Process(target=_command, args=(number, one, start, results))
        for number, one in enumerate(commands)
    ]
    for process in processes:
        process.start()
    start.wait(_PATIENCE_S)
    for window in windows:
        window.say("go")
    answers = dict(results.get() for _ in processes)
    for process in processes:
        process.join()
    return [*(window.answer() for window in windows), *(answers[number] for number in range(len(commands)))]


def _command(number: int, asked: Asked, start: Barrier, results: SimpleQueue[tuple[int, Answer]]) -> None:
    """In a process of its own."""
    output = io.StringIO()
    start.wait(_PATIENCE_S)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = command_line(
            ["release", str(asked.spec), "--out", str(asked.out), "--home", str(asked.home), "--yes"]
        )
    said = output.getvalue()
    answer = Answer(published=code == 0, said=said[said.find("error: ") :] if code else said)
    results.put((number, answer))


# The races


def limit_race(figures: Figures, course: Course, racers: int, windows: Sequence[Window] = ()) -> None:
    """Other releases each: as many are published as the limit has room for, none beyond."""
    asked = [course.asked(number, alike=False, apart=False) for number in range(racers)]
    answers = race(asked, windows)
    _count(figures, course, asked, answers)
    room = int(course.limit / 6)
    if sum(answer.published for answer in answers) != room:
        figures.problems.append(f"{sum(answer.published for answer in answers)} published, {room} have room")
    for answer in answers:
        if not answer.published and "set-limit" not in answer.said:
            figures.problems.append(f"refused with other words: {answer.said}")


def spec_race(
    figures: Figures, course: Course, racers: int, windows: Sequence[Window] = (), *, apart: bool = False
) -> None:
    """One spec: paid once; one bundle where all name one folder, the same data where each has its own."""
    asked = [course.asked(number, alike=True, apart=apart) for number in range(racers)]
    answers = race(asked, windows)
    _count(figures, course, asked, answers)
    published = sum(answer.published for answer in answers)
    if published != (racers if apart else 1):
        figures.problems.append(f"{published} of {racers} published: {[one.said for one in answers]}")
    for answer in answers:
        if not answer.published and not re.search("already|meanwhile", answer.said):
            figures.problems.append(f"refused with other words: {answer.said}")
    if figures.paid != figures.rounds:
        figures.problems.append(f"paid {figures.paid} times in {figures.rounds} rounds")
    data = {path.read_bytes() for path in course.folder.glob("out*/*/data/speed_by_hat.csv")}
    if len(data) != 1:
        figures.problems.append(f"{len(data)} different tables")


def _count(figures: Figures, course: Course, asked: Sequence[Asked], answers: Sequence[Answer]) -> None:
    ledger = course.home / "ledger.sqlite"
    figures.rounds += 1
    figures.requests += len(asked)
    figures.published += sum(answer.published for answer in answers)
    figures.said.update(
        re.sub(r"[.:] .*", "", answer.said.partition("\n")[0].removeprefix("error: "))
        for answer in answers
        if not answer.published
    )
    figures.problems += check(ledger)
    (population,) = Ledger.open(ledger).populations()
    figures.paid += len(population.entries)
    requests = Counter(entry.spec_fingerprint for entry in Ledger(ledger)._load().entries)
    twice = sum(requests.values()) - len(requests)
    unused = len(list(Ledger.open(ledger).unpublished(POPULATION)))
    figures.twice += twice
    figures.unused += unused
    if twice or unused:
        figures.problems.append(f"{twice} paid twice, {unused} draws led to no bundle")
    if population.spent > course.limit:
        figures.problems.append(f"{population.spent} spent of {course.limit}")
    bundles = {one.out / one.bundle for one, answer in zip(asked, answers, strict=True) if answer.published}
    figures.problems += [f"{bundle.name} does not hold" for bundle in bundles if not verify_bundle(bundle).ok]
    left = [path.name for path in course.folder.rglob("*") if ".partial" in path.name]
    figures.problems += [f"left behind: {name}" for name in left]


Race = Callable[[Figures, Course], None]


def _run(name: str, folder: Path, rounds: int, limit: str, race_once: Race) -> Figures:
    figures, started = Figures(race=name), time.monotonic()
    for number in range(rounds):
        race_once(figures, Course(folder / f"{name}-{number}", limit))
    print(f"{figures.told()}, {time.monotonic() - started:.0f} s", flush=True)
    for said, times in figures.said.most_common():
        print(f"  {times} x {said}")
    for problem in figures.problems:
        print(f"  PROBLEM: {problem}")
    return figures


def _warm_up(course: Course) -> None:
    """What a release imports, here and once: each forked process begins with it, and all start as one."""
    asked = course.asked(0, alike=True, apart=False)
    with contextlib.redirect_stdout(io.StringIO()):
        for command in (["release", str(asked.spec), "--out", str(asked.out), "--yes"], ["ledger", "check"]):
            assert command_line([*command, "--home", str(asked.home)]) == 0
    assert verify_bundle(asked.out / asked.bundle).ok
    gc.freeze()  # what forked processes share is not looked at by each


def main(arguments: Sequence[str]) -> int:
    """All races; figures, and 1 where anything is wrong."""
    asked = [int(argument) for argument in arguments]
    rounds, window_rounds, racers = [*asked, *(ROUNDS, WINDOW_ROUNDS, COMMANDS)[len(asked) :]]
    passphrase_key.COST = 1 << 4  # these keys protect nothing
    os.environ["HEXVEIL_PASSPHRASE"] = PASSPHRASE
    found: list[Figures] = []
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as windows:
        folder = Path(name)
        _warm_up(Course(folder / "warm", "6"))
        for race_name, limit, race_once in (
            ("commands on one limit", "14", lambda figures, course: limit_race(figures, course, racers)),
            ("commands on one spec", "50", lambda figures, course: spec_race(figures, course, racers)),
            (
                "commands on one spec, a folder each",
                "50",
                lambda figures, course: spec_race(figures, course, racers, apart=True),
            ),
        ):
            found.append(_run(race_name, folder, rounds, limit, race_once))
        if window_rounds:
            two = [windows.enter_context(Window()) for _ in range(2)]
            for race_name, limit, race_once in (
                ("window and command on one limit", "8", lambda f, course: limit_race(f, course, 2, two[:1])),
                ("window and command on one spec", "50", lambda f, course: spec_race(f, course, 2, two[:1])),
                ("two windows on one limit", "8", lambda f, course: limit_race(f, course, 2, two)),
                ("two windows on one spec", "50", lambda f, course: spec_race(f, course, 2, two)),
            ):
                found.append(_run(race_name, folder, window_rounds, limit, race_once))
    return 1 if any(figures.problems for figures in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
