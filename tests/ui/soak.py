"""Does the window leak? Many cycles in one process: `make soak`.

    python tests/ui/soak.py [JOBS [WINDOWS]]

A job cycle starts, tells progress and ends by itself, by a stop or by a fault. A window cycle opens a whole
window over a small city, chooses, saves, looks at the ledger, and closes. Memory, threads, open files,
widgets and Python's objects are read after a first fifth of the cycles and after the last: what grows from
cycle to cycle leaks. Exit code 1 where something does.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from core.accounting.budgets import Budget
from core.accounting.epsilon_input import parse_epsilon
from core.progress import Progress
from tests.ui import whole_window as fixture
from tests.ui.whole_window import settle, wait_until, whole_window
from ui.kit.garbage_collection import GarbageCollector
from ui.kit.jobs import Job, any_running
from ui.shell.app import prepare_process
from ui.shell.main_window import MainWindow

JOBS, WINDOWS = 500, 50
MOST_MB_A_JOB = 0.02
MOST_MB_A_WINDOW = 2.0
"""Beyond it memory is not merely fragmented: a window holds some thirty."""
PATIENCE_MS = 300_000
"""A busy machine is no leak."""
UNSTEADY_MB = 8.0
"""By so much memory differs between two readings of the same state."""
_STEPS_OF_A_JOB = 50
_WARM = 5
"""One in so many cycles goes before the first reading: from the fifth window to the tenth memory was seen to
grow by 26 MB, in the fifty after those by 4 MB."""


@dataclass(frozen=True)
class Reading:
    """What a process holds."""

    megabytes: float
    """Resident, of this process alone, without free memory that could be given back."""
    threads: int
    files: int
    widgets: int
    """Of all windows, hidden ones too."""
    objects: int
    """Of Python, such as can hold others."""

    def __str__(self) -> str:
        system = f"{self.megabytes:7.1f} MB  {self.threads:3} threads  {self.files:3} files"
        return f"{system}  {self.widgets:5} widgets  {self.objects:8} objects"


def read() -> Reading:
    """After everything that nobody holds is gone."""
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
        gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what the allocator keeps for the next cycle is no leak
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Reading(
        megabytes=pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        threads=threading.active_count(),
        files=len(list(Path("/proc/self/fd").iterdir())),
        widgets=len(QApplication.allWidgets()),
        objects=len(gc.get_objects()),
    )


def job_cycle(number: int) -> None:
    """One of three ends, in turn; what ends by itself brings many objects."""
    ended: list[str] = []

    def work(progress: Progress) -> list[list[int]]:
        for done in range(_STEPS_OF_A_JOB):
            progress(done / _STEPS_OF_A_JOB, "soak")
        if number % 3 == 1:
            raise ValueError("a fault on purpose")
        return [[one] for one in range(2000)]

    job = Job(work)
    for name in ("succeeded", "failed", "cancelled"):
        getattr(job, name).connect(lambda *_, told=name: ended.append(told))
    job.start()
    if number % 3 == 2:
        job.cancel()
    wait_until(lambda: bool(ended))
    assert len(ended) == 1
    assert ended[0] != ("failed" if number % 3 != 1 else "succeeded")


def window_cycle(number: int, app: QApplication, folder: Path) -> None:
    """Open, choose, save, look around, close."""
    place = folder / str(number)
    place.mkdir()
    with whole_window(app, place) as window:
        use(window, place)


def use(window: MainWindow, place: Path) -> None:
    """What a short session does."""
    workspace = window.workspace
    assert workspace is not None
    workspace.session.set_budget("Epsilon", Budget(total=parse_epsilon("7", where="soak")))
    settle(window)
    for key in workspace.pages:
        workspace.steps.choose(key)
    for number in range(workspace.tabs.count()):
        workspace.tabs.setCurrentIndex(number)
    workspace.places.to_ledger.setChecked(True)
    workspace.project.save(place / "soak")
    wait_until(lambda: not workspace.project.modified)


def soak(name: str, cycles: int, most_mb: float, cycle: Callable[[int], None]) -> bool:
    """Run the cycles; whether nothing grew. most_mb: that a cycle may keep on the average."""
    warm = max(cycles // _WARM, 2)
    began = time.monotonic()
    for number in range(warm):
        cycle(number)
    first = read()
    print(f"{name}, after {warm:4}: {first}", flush=True)
    for number in range(warm, cycles):
        cycle(number)
    last = read()
    print(f"{name}, after {cycles:4}: {last}, {time.monotonic() - began:.0f} s", flush=True)
    measured = cycles - warm
    each = (last.megabytes - first.megabytes) / max(measured, 1)
    objects = last.objects - first.objects
    findings = [
        text
        for grew, text in (
            (
                each > most_mb and last.megabytes - first.megabytes > UNSTEADY_MB,
                f"{each:.3f} MB a cycle, more than {most_mb}",
            ),
            (last.threads > first.threads + 4, "threads stay behind"),
            (last.files > first.files + 8, "open files stay behind"),
            (last.widgets > first.widgets, f"{last.widgets - first.widgets} widgets stay behind"),
            (objects > measured, f"{objects} objects stay behind"),
            (any_running(), "jobs still run"),
        )
        if grew
    ]
    print(f"{name}: {each:+.3f} MB a cycle" + "".join(f"; LEAK: {text}" for text in findings), flush=True)
    return not findings


def main() -> int:
    jobs, windows = (int(text) for text in (*sys.argv[1:3], *map(str, (JOBS, WINDOWS)[len(sys.argv) - 1 :])))
    fixture.PATIENCE_MS = PATIENCE_MS
    prepare_process()
    app = QApplication(sys.argv[:1])
    garbage = GarbageCollector(app)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        sound = soak("jobs", jobs, MOST_MB_A_JOB, job_cycle)
        sound &= soak("windows", windows, MOST_MB_A_WINDOW, lambda number: window_cycle(number, app, folder))
    garbage.stop()
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
