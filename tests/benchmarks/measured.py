"""Run one of the two programs by itself and watch its memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
_PAUSE_S = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    seconds: float
    own_seconds: float
    """Of the processors, all threads: steadier than the clock where others work on the machine."""
    gib: float
    """Peak of resident memory, mapped pages included."""
    own_gib: float
    """Peak of anonymous memory alone, seen every 10 ms; 0 where the system does not tell."""
    figures: dict[str, Any]


def run(program: str, path: Path, *options: str) -> dict[str, Step]:
    """Steps of `tests.benchmarks.<program>` on a file, by name."""
    command = [sys.executable, "-m", f"tests.benchmarks.{program}", str(path), *options]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    seen: list[tuple[float, float]] = []
    while process.poll() is None:
        seen.append((time.monotonic(), _own_gib(process.pid)))
        time.sleep(_PAUSE_S)
    output = process.communicate()[0]
    if process.returncode:
        raise SystemExit(f"{program} on {path.name} failed with code {process.returncode}")
    lines = [json.loads(line) for line in output.splitlines()]
    return {
        line["step"]: Step(
            seconds=line["end"] - line["begin"],
            own_seconds=line["own"],
            gib=line["peak"],
            own_gib=max((gib for at, gib in seen if line["begin"] <= at <= line["end"]), default=0.0),
            figures=line["figures"],
        )
        for line in lines
    }


def _own_gib(process: int) -> float:
    """Anonymous resident memory of a process; 0 where there is no such file, or no process any more."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 2**20
    return 0.0
