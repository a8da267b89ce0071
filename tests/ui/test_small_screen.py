"""The whole window at its first start on a small screen, and at other sizes: nothing is out of reach."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ui.language.translation import languages


@pytest.fixture(
    scope="module",
    params=[one if one == "hi" else pytest.param(one, marks=pytest.mark.audit) for one in languages()],
)
def found(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, Any]:
    """At 1280 x 680 pixels and 200 %: of all the least room."""
    folder = tmp_path_factory.mktemp("small")
    run = subprocess.run(
        [sys.executable, "-m", "tests.ui.small_screen", "1280", "680", folder, request.param],
        env=os.environ | {"QT_SCALE_FACTOR": "2", "QTWEBENGINE_DISABLE_SANDBOX": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    made: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return made


def test_the_first_window_and_its_dialogs_fit_the_screen(found: dict[str, Any]) -> None:
    width, height = found["room"]
    assert (width, height) == (640, 340)
    too_large = {name: size for name, size in found["taken"].items() if size[0] > width or size[1] > height}
    assert too_large == {}


def test_nothing_is_out_of_reach_in_a_window_of_any_of_the_sizes(found: dict[str, Any]) -> None:
    assert {"640x308", "853x421", "960x468", "1280x648", "ImportDialog"} <= found["hidden"].keys()
    assert {place: lost for place, lost in found["hidden"].items() if lost} == {}
