"""How the window answers: time until it is visible, the pause while pages build, stalls after that.

    python tests/benchmarks/bench_window.py [FILE]

With a file (say, of 20 million records, from `main.py synthesize`) the same is done with its records
instead of the sample's.
A timer ticks every 5 ms in the main thread; the longest gap between two ticks is the longest time
in which the window could not answer; what it was not at work itself it waited, for Python's lock or, on a
busy machine, for a processor. Goals: visible in under 1000 ms, then one pause of at most
500 ms, after that no stall above 50 ms while a person works.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

_TICK_MS = 5
_MANY_HATS = 5000

VISIBLE = """
import sys, time
start = time.perf_counter()
from pathlib import Path
from PySide6.QtCore import QTimer
import ui.shell.app as app
from ui.shell.main_window import MainWindow
shown = MainWindow.showEvent
def showEvent(self, event):
    shown(self, event)
    QTimer.singleShot(0, lambda: (print((time.perf_counter() - start) * 1000), sys.stdout.flush(),
                                  __import__("os")._exit(0)))
MainWindow.showEvent = showEvent
app.run(home=sys.argv[1])
"""


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as place:
        visible = [_visible_ms(place) for _ in range(5)]
        print(f"{'visible after start':>34}: {sorted(visible)[2]:6.0f} ms (median of 5; goal 1000)")
        _drive(Path(place), Path(sys.argv[1]) if len(sys.argv) > 1 else None)


def _visible_ms(place: str) -> float:
    run = subprocess.run([sys.executable, "-c", VISIBLE, place], capture_output=True, text=True, check=False)
    return float(run.stdout)


def _drive(place: Path, file: Path | None) -> None:
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from core.paths import Home
    from ui.kit.garbage_collection import GarbageCollector
    from ui.kit.theme import Mode, Theme
    from ui.session.settings import Settings
    from ui.shell.app import prepare_process
    from ui.shell.main_window import MainWindow

    prepare_process()
    app = QApplication(sys.argv[:1])
    home = Home(place)
    theme = Theme(app, Mode.LIGHT)
    window = MainWindow(home, Settings(home), theme)
    window.prepared.connect(GarbageCollector(app).spare_what_stays)
    gaps = Gaps(app)

    def wait(done: Callable[[], bool]) -> None:
        loop = QEventLoop()
        poll = QTimer()
        poll.timeout.connect(lambda: done() and loop.quit())
        poll.start(10)
        loop.exec()

    def step(name: str, act: Callable[[], object], done: Callable[[], bool], goal: int = 50) -> None:
        gaps.reset()
        before = time.perf_counter()
        act()
        wait(done)
        print(
            f"{name:>34}: longest stall {gaps.longest_ms:6.0f} ms (goal {goal}), "
            f"{gaps.worked_ms:4.0f} ms of it at work, "
            f"done after {(time.perf_counter() - before) * 1000:6.0f} ms"
        )

    window.resize(1360, 760)  # whatever the screen is
    window.show()
    step("engine loads, pages build", window.prepare, lambda: window.workspace is not None, 500)
    workspace = window.workspace
    assert workspace is not None
    session = workspace.session

    resolutions = workspace.distributions.resolutions

    def idle() -> bool:
        compared = resolutions.complete and resolutions.plot.ready
        ready = session.forecast is not None and not session.busy and workspace.map.view.is_ready
        return ready and (compared or not resolutions.isVisible())

    step("sample loads, map appears", lambda: None, idle)
    if file is not None:
        from core.assist.column_guesses import guess_mapping
        from core.clean.mapping import ReadingRules
        from core.draft import DataSource
        from core.read.reader_registry import reader_for

        guess = guess_mapping(reader_for(file).preview(file), where=file.name)
        rules = ReadingRules(mapping=guess.mapping, zone="Asia/Kolkata", upper_bound=65_000)
        source = DataSource(files=(file,), rules=rules)

        def loaded() -> bool:
            return session.source == source and idle()

        step(f"{file.name} loads", lambda: session.load(source), loaded)
    from core.accounting.budgets import EPSILON_STOPS, Budget
    from core.privacy import Relation, Unit

    step("relation and unit", lambda: session.edit("a", relation=Relation.VALUES, unit=Unit.VEHICLE), idle)
    for resolution in (8, 7, 6, 5, 9, 10, 7, 8, 7):
        step(f"resolution {resolution}", partial(session.edit, "b", resolution=resolution), idle)
    step("timeslot 30 minutes", lambda: session.edit("d", slot_minutes=30), idle)
    step("timeslot 60 minutes", lambda: session.edit("d", slot_minutes=60), idle)
    step("hours 9 to 21", lambda: session.edit("h", hours=("09:00", "21:00")), idle)
    step("all hours", lambda: session.edit("h", hours=("00:00", "24:00")), idle)
    step("timeslot 30 minutes", lambda: session.edit("d", slot_minutes=30), idle)
    step("threshold", lambda: session.edit("e", threshold=5), idle)

    drag = _Events(
        [partial(session.set_budget, "Epsilon", Budget(total=s), dragging=True) for s in EPSILON_STOPS[10:30]]
    )
    step("epsilon dragged over 20 stops", drag.start, lambda: drag.over and idle())
    slots = _Events([partial(session.show_slot, slot) for slot in range(18, 42)])
    step("slot slider over the day", slots.start, lambda: slots.over and idle())
    strip, multiples = workspace.map.strip, workspace.map.multiples
    for resolution in (8, 10):
        step(f"resolution {resolution}", partial(session.edit, "b", resolution=resolution), idle)
        step("strip of all slots", lambda: None, lambda: strip.settled)
        overview, contributions = session.overview, session.contributions
        assert overview is not None
        assert contributions is not None
        size = f"{len(contributions.window.slots)} slots x {len(overview.hexagons):,} hexagons"
        strip.player.set_speed(1)
        session.show_slot(contributions.window.slots[-7])
        step("six slots played", strip.toggle, lambda: not strip.player.running)
        step(f"{size} as small maps", strip.all_slots.click, lambda: multiples.settled)
        hats = list(zip(overview.cells, overview.slots.tolist(), strict=True))[:_MANY_HATS]
        step(f"{len(hats):,} HATs marked", partial(session.marked.take, hats), lambda: multiples.settled)
        step("marks cleared", session.clear_marks, lambda: multiples.settled)
        step("back to one slot", strip.all_slots.click, idle)
        for tab in (workspace.map, workspace.table):
            workspace.tabs.setCurrentWidget(tab)
            count = len(overview.cells)
            wait(lambda t=tab, n=count: idle() and (t is workspace.map or workspace.table.model.total == n))
            name = workspace.tabs.tabText(workspace.tabs.currentIndex()).replace("&", "")
            step(f"{len(hats):,} HATs marked, {name}", partial(session.marked.take, hats), idle)
            step("marks cleared", session.clear_marks, idle)
        workspace.tabs.setCurrentWidget(workspace.map)
    step("resolution 7", partial(session.edit, "b", resolution=7), idle)
    for number in range(workspace.tabs.count()):
        step(f"tab {number + 1} for the first time", lambda n=number: workspace.tabs.setCurrentIndex(n), idle)
    for number in range(workspace.tabs.count()):
        step(f"tab {number + 1} again", lambda n=number: workspace.tabs.setCurrentIndex(n), idle)
    tab = workspace.distributions
    workspace.tabs.setCurrentWidget(tab)
    for section in (tab.suppression, tab.cdf):
        name = tab.sections.tabText(tab.sections.indexOf(section))
        step(name, partial(tab.sections.setCurrentWidget, section), lambda s=section: s.complete)
        step("resolutions again", partial(tab.sections.setCurrentWidget, tab.resolutions), idle)
        step(f"{name} again", partial(tab.sections.setCurrentWidget, section), lambda s=section: s.complete)
    step("another draw", tab.cdf.again.click, lambda: tab.cdf.complete)
    step("10,000 bins", partial(tab.cdf.choices.bins.setValue, 10_000), lambda: tab.cdf.complete)
    step("dark theme", lambda: theme.set_mode(Mode.DARK), idle)
    window.close()
    window.dispose()


class _Events:
    """Acts one after the other, each as an event of its own, as a mouse brings them."""

    def __init__(self, acts: list[Callable[[], object]]) -> None:
        self._acts = acts

    @property
    def over(self) -> bool:
        return not self._acts

    def start(self) -> None:
        """Do the next act, and come back for the one after it."""
        from PySide6.QtCore import QTimer

        if self._acts:
            self._acts.pop(0)()
            QTimer.singleShot(16, self.start)


class Gaps:
    """The longest time between two ticks of the main thread, and how much of it the thread itself worked."""

    def __init__(self, parent: object) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.reset()
        self._timer = QTimer(parent)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(_TICK_MS)

    def reset(self) -> None:
        self.longest_ms = self.worked_ms = 0.0
        self._last, self._worked = time.perf_counter(), time.thread_time()

    def _tick(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        gap = (now - self._last) * 1000 - _TICK_MS
        if gap > self.longest_ms:
            self.longest_ms, self.worked_ms = gap, (worked - self._worked) * 1000
        self._last, self._worked = now, worked


if __name__ == "__main__":
    main()
