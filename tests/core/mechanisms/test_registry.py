"""Mechanisms are found by their files: a new file is all that a new mechanism needs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import mechanisms
from core.discovery import discover
from core.errors import InputError, InternalError
from core.mechanisms.registry import all_mechanisms, require_mechanism

PLANTED = """
from core.mechanisms.baseline import Baseline

class Planted(Baseline):
    key = "{key}"

MECHANISM = Planted()
"""


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that counts as part of the package `core.mechanisms`."""
    known = set(sys.modules)
    monkeypatch.setattr(mechanisms, "__path__", [*mechanisms.__path__, str(tmp_path)])
    all_mechanisms.cache_clear()
    yield tmp_path
    all_mechanisms.cache_clear()
    for name in set(sys.modules) - known:
        if name.startswith("core.mechanisms."):
            del sys.modules[name]
            delattr(mechanisms, name.rpartition(".")[2])


def test_the_papers_first_two_are_found_in_order_of_their_keys() -> None:
    keys = list(all_mechanisms())
    assert {"baseline", "array-averaging"} <= set(keys)
    assert keys == sorted(keys)


def test_a_mechanism_is_required_by_its_key() -> None:
    assert require_mechanism("baseline").key == "baseline"


def test_an_unknown_key_names_the_known_ones() -> None:
    with pytest.raises(InputError) as caught:
        require_mechanism("Baseline")
    assert "array-averaging, baseline" in caught.value.mend


def test_a_new_file_is_discovered(plant: Path) -> None:
    (plant / "planted.py").write_text(PLANTED.format(key="a-planted-one"), encoding="utf-8")
    assert next(iter(all_mechanisms())) == "a-planted-one"
    assert require_mechanism("a-planted-one").title == "Baseline"


def test_two_files_with_one_key_are_a_bug(plant: Path) -> None:
    (plant / "planted_twice.py").write_text(PLANTED.format(key="baseline"), encoding="utf-8")
    with pytest.raises(InternalError, match="key baseline"):
        all_mechanisms()


def test_an_empty_package_is_a_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen build that forgot the package's modules must not offer an empty list."""
    folder = tmp_path / "an_empty_package"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "helper.py").write_text("NOTHING = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InternalError, match="no MECHANISM found"):
        discover(importlib.import_module(folder.name), "MECHANISM")
