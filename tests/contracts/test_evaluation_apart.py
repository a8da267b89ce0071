"""Nothing of an evaluation can reach a release: neither its code nor its types (method 10)."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import core.evaluate
import core.release
from core.evaluate.city_comparison import CityMethod
from core.evaluate.compared_curves import Series, SharedTotal
from core.evaluate.replica import ReplicaSet
from core.privacy import Confidential

ROOT = Path(__file__).resolve().parents[2]
HOLD_NO_VALUES = {Series, SharedTotal, ReplicaSet, CityMethod}
"""Which mechanism with which parameters; how many HATs share a total; how a bundled set is made; a way to
spend a total."""


def modules(package: object) -> list[str]:
    path, name = package.__path__, package.__name__  # type: ignore[attr-defined]
    return [found.name for found in pkgutil.walk_packages(path, f"{name}.")]


def test_release_code_loads_nothing_of_evaluation() -> None:
    code = (
        "import importlib, sys\n"
        f"for name in {modules(core.release)!r}: importlib.import_module(name)\n"
        "apart = [name for name in sys.modules if name.startswith('core.evaluate')]\n"
        "apart += [name for name in sys.modules if name == 'core.noise.simulated']\n"
        "sys.exit(', '.join(apart) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", modules(core.evaluate))
def test_types_of_evaluation_are_confidential(name: str) -> None:
    module = importlib.import_module(name)
    for found in vars(module).values():
        own = isinstance(found, type) and found.__module__ == name
        if own and dataclasses.is_dataclass(found) and found not in HOLD_NO_VALUES:
            assert issubclass(found, Confidential), found
