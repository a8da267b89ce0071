"""What every test needs: Qt without a screen, a home of its own, no passphrase from outside."""

from __future__ import annotations

import atexit
import builtins
import contextlib
import functools
import gc
import importlib
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

# Before any import of Qt: both are read when its libraries are loaded.
if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":
    # on a desk's screen: Qt's own of this kind has 800 x 800 pixels
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={Path(__file__).with_name('offscreen.json')}"
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

# Before any import of numpy: linear algebra as `main.py` has it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis.core
import hypothesis.internal.reflection
import hypothesis.strategies._internal.core
import pytest
from _pytest.runner import runtestprotocol

from tests.audit_table import audits, pytest_addoption, pytest_sessionfinish, pytest_terminal_summary
from tests.covering_sample import pytest_collection_modifyitems

if TYPE_CHECKING:
    from tests.city_figure import DrawnSample

__all__ = [
    "audits",
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
]

_MEMORY, _ROOM = Path("/dev/shm"), 4 << 30
"""Where files are kept in memory, and bytes that must be free there; a run leaves some 200 MB."""
# Before any temporary folder is made, here or by what tests start: ledgers and bundles wait for the disk at
# each of thousands of steps, for 5 to 15 ms. What is asked of the disk stays the same.
if "TMPDIR" not in os.environ and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
    os.environ["TMPDIR"] = str(_MEMORY)
    tempfile.tempdir = None  # looked up again

# Of a fault that one example in ten shows, fifteen miss one in five; `make laws` tries many times as many.
hypothesis.settings.register_profile(
    "hexveil", deadline=None, max_examples=15, derandomize="CI" in os.environ
)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=400)
# `make test-windows` tries few: whatever touches a file takes ten times as long there
hypothesis.settings.register_profile(
    "few",
    deadline=None,
    max_examples=10,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "hexveil"))

# Around each example hypothesis keeps, seeds and restores the generators of random numbers that everybody
# shares, and looks at them before and after each draw: a third of what it does. Nothing here uses them
# (tests/test_repository.py).
_nothing = contextlib.nullcontext()
hypothesis.core.deterministic_PRNG = lambda: _nothing
for _module in (hypothesis.control, hypothesis.strategies._internal.core):
    _module.deprecate_random_in_strategy = lambda *_: _nothing

# By its source a test finds its examples of before: it is taken apart once, not for each set of parameters.
hypothesis.internal.reflection._clean_source = functools.cache(hypothesis.internal.reflection._clean_source)

_SELDOM = (20_000, 10, 20)
"""Thresholds of the search for garbage; Python's own are 700, 10, 10."""
_LONG_S = 0.1
_plain_import = builtins.__import__


def _leave_quickly() -> None:
    """Of a worker that has told all: to take sixteen thousand tests apart takes seconds, for which all wait.

    Elsewhere they are given back, so that libraries that look for leaks at the end find none.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """No search for garbage while tests are collected, and what was collected is left out of all later ones.

    Twelve thousand tests and their modules stay to the end: to look at them again and again takes seconds.
    What the tests add is looked at less often than usual, for the same reason.
    """
    # Qt for Python wraps every `import` to find its `__feature__`, which nobody uses here: it reads the
    # source of each module that is imported; and hypothesis imports inside its functions, many times for
    # each example.
    importlib.import_module("PySide6.QtCore")
    builtins.__import__ = _plain_import
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        atexit.register(_leave_quickly if "PYTEST_XDIST_WORKER" in os.environ else gc.unfreeze)
        gc.set_threshold(*_SELDOM)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A worker of xdist tells of a test once, not three times: each report is packed, sent and unpacked.

    Of set-up and teardown it tells what failed, was skipped, or took so long that `--durations` wants it.
    """
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration > _LONG_S:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A name of its own for each test's home: a folder for each, as `tmp_path` makes, takes seconds."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXVEIL_HOME", str(next(_homes)))
    monkeypatch.delenv("HEXVEIL_PASSPHRASE", raising=False)


@pytest.fixture(scope="session", autouse=True)
def _quick_keys() -> Iterator[None]:
    """Keys of tests protect nothing: to derive them may cost next to nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.system.passphrase_key.COST", 1 << 4)
        yield


@pytest.fixture(scope="session")
def drawn_sample(tmp_path_factory: pytest.TempPathFactory) -> DrawnSample:
    """The figure of a whole city."""
    from tests.city_figure import sample_of_run

    own = tmp_path_factory.getbasetemp()
    return sample_of_run(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real development data beside the repository; skips where there is none."""
    folder = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no development data beside the repository")
    return folder
