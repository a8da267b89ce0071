"""Finding the parts of a registry."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from core.discovery import discover
from core.errors import InternalError


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """An empty package on disk; its modules are forgotten after the test."""
    folder = tmp_path / "parts_of_a_test"
    folder.mkdir()
    module = ModuleType("parts_of_a_test")
    module.__path__ = [str(folder)]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for name in ("one", "two", "three"):
        monkeypatch.delitem(sys.modules, f"{module.__name__}.{name}", raising=False)
    return module


def _write(package: ModuleType, name: str, text: str) -> None:
    (Path(package.__path__[0]) / f"{name}.py").write_text(text)


PART = "class Part:\n    key = {!r}\n\nPART = Part()\n"


def test_parts_are_sorted_by_key_and_other_modules_passed_over(package: ModuleType) -> None:
    _write(package, "one", PART.format("b"))
    _write(package, "two", PART.format("a"))
    _write(package, "three", "OTHER = 1\n")
    found = discover(package, "PART")
    assert list(found) == ["a", "b"]
    for name in ("one", "two", "three"):
        del sys.modules[f"{package.__name__}.{name}"]


def test_two_parts_of_one_key_are_a_bug(package: ModuleType) -> None:
    _write(package, "one", PART.format("a"))
    _write(package, "two", PART.format("a"))
    with pytest.raises(InternalError, match="key a"):
        discover(package, "PART")
    for name in ("one", "two"):
        del sys.modules[f"{package.__name__}.{name}"]


def test_a_registry_without_parts_is_a_bug(package: ModuleType) -> None:
    with pytest.raises(InternalError, match="no PART"):
        discover(package, "PART")
