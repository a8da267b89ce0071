"""*Export figures*: in a worker, with progress and a stop; a new folder every time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.errors import InputError
from core.evaluate.error_table import ErrorTable
from core.progress import Progress, silent
from core.system.paths import find_home
from tests.city_figure import DrawnSample
from tests.ui.user_actions import show
from ui.errors import figure_export as module
from ui.errors.figure_export import FigureExport, free_place
from ui.kit.tips import in_lines
from ui.session.session import Session

pytestmark = pytest.mark.usefixtures("_no_work_left")
TIMEOUT = 10_000


@pytest.fixture
def export(qtbot: QtBot) -> FigureExport:
    widget = FigureExport(Session(find_home(None)))
    show(qtbot, widget, width=600, height=120)
    return widget


def test_at_rest_there_is_one_button(export: FigureExport) -> None:
    assert export.export.isEnabled()
    assert in_lines(export.export.accessibleDescription()) == export.export.toolTip()
    assert "Nothing of loaded records" in export.export.accessibleDescription()
    for widget in (export.progress, export.stop, export.status):
        assert not widget.isVisible()


def test_figures_go_into_a_new_folder(
    qtbot: QtBot, export: FigureExport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def quick(folder: Path, progress: Progress) -> int:
        progress(0.5, "Drawing")
        folder.mkdir()
        return 10

    monkeypatch.setattr(module, "draw_figures", quick)
    for name in ("hexveil-figures", "hexveil-figures-2"):
        with qtbot.waitSignal(export.job.finished, timeout=TIMEOUT):
            export.export_to(tmp_path)
        assert (tmp_path / name).is_dir()
        assert export.status.text() == f"10 figures as PNG, SVG, PDF and CSV are in {tmp_path / name}."
    assert free_place(tmp_path) == tmp_path / "hexveil-figures-3"


def test_it_can_be_stopped(
    qtbot: QtBot, export: FigureExport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_folder: Path, progress: Progress) -> int:
        while True:
            progress(0.3, "Drawing")
            time.sleep(0.005)

    monkeypatch.setattr(module, "draw_figures", endless)
    export.export_to(tmp_path)
    qtbot.waitUntil(lambda: export.progress.value() == 300, timeout=TIMEOUT)
    assert export.stop.isVisible()
    assert not export.export.isEnabled()
    with qtbot.waitSignal(export.job.finished, timeout=TIMEOUT):
        export.stop.click()
    assert export.status.text() == "Stopped. Nothing was written."
    assert export.export.isEnabled()
    assert list(tmp_path.iterdir()) == []


def test_a_failure_is_told_by_the_window(
    qtbot: QtBot, export: FigureExport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_folder: Path, _progress: Progress) -> int:
        raise InputError("The figures cannot be written.", where="here", mend="choose another folder")

    monkeypatch.setattr(module, "draw_figures", broken)
    with qtbot.waitSignal(export._session.failed, timeout=TIMEOUT):
        export.export_to(tmp_path)
    qtbot.waitUntil(export.export.isEnabled, timeout=TIMEOUT)
    assert not export.status.isVisible()


@pytest.mark.audit
def test_the_real_work_draws_made_up_figures_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn_sample: DrawnSample
) -> None:
    from core.figures import error_figures, figure_sets

    monkeypatch.setattr(figure_sets, "sample_figures", drawn_sample.redraw)
    evaluate, tables = error_figures.evaluate, dict[str, ErrorTable]()

    def quick(*given: Any, source: str, **named: Any) -> ErrorTable:
        """Few trials, of the first draw of the data in place of every one."""
        if source not in tables:
            tables[source] = evaluate(*given, source=source, **(named | {"trials": 20}))
        return tables[source]

    monkeypatch.setattr(error_figures, "evaluate", quick)
    assert module.draw_figures(tmp_path / "out", silent) == 21
    assert not list((tmp_path / "out").glob("confidential*"))
