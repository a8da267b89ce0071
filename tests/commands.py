"""Commands that several tests of the command line run, and what they leave behind."""

from __future__ import annotations

from pathlib import Path

from core.cli import main
from tests.city import POPULATION


def limit(amount: str = "10") -> None:
    """Set the limit of the city's population."""
    assert main(["ledger", "set-limit", POPULATION, "--per-vehicle", amount]) == 0


def release(spec: Path, out: Path) -> int:
    """Release without a question; the exit code."""
    return main(["release", str(spec), "--out", str(out), "--yes"])


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file but those of the cache, which repeats the data and says nothing of releases."""
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "cache" not in path.relative_to(folder).parts
    }
