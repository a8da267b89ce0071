"""What every test needs: Qt without a screen, a home of its own, no passphrase from outside."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.audit_table import audits, pytest_addoption, pytest_sessionfinish, pytest_terminal_summary

__all__ = ["audits", "pytest_addoption", "pytest_sessionfinish", "pytest_terminal_summary"]

# Before any import of Qt: both are read when its libraries are loaded.
if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":
    # on a desk's screen: Qt's own of this kind has 800 x 800 pixels
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={Path(__file__).with_name('offscreen.json')}"
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

# Before any import of numpy: linear algebra as `main.py` has it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

hypothesis.settings.register_profile("hexveil", deadline=None, derandomize="CI" in os.environ)
# `make laws` tries many more examples
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=400)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "hexveil"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """No search for garbage while tests are collected, and what was collected is left out of all later ones.

    Twelve thousand tests and their modules stay to the end: to look at them again and again takes seconds.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_unconfigure() -> None:
    """Libraries that look for leaks at the end find none."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A name of its own for each test's home: a folder for each, as `tmp_path` makes, takes seconds."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXVEIL_HOME", str(next(_homes)))
    monkeypatch.delenv("HEXVEIL_PASSPHRASE", raising=False)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real development data beside the repository; skips where there is none."""
    folder = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no development data beside the repository")
    return folder
