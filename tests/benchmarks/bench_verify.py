"""The largest bundle, checked: seconds of the processor and memory of `verify`, and of the public's verifier.

    python -m tests.benchmarks.bench_verify                  200,000 rows
    python -m tests.benchmarks.bench_verify --rows 20000

Each in its own process: with the publisher's key, without (an unknown signer's), and packed as a zip.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from core.cli import main as command_line
from core.verify.pack_bundle import pack_bundle
from resources.verifier import hexveil_verify
from tests.builders import large_bundle, make_key

ROWS = 200_000
MOST_MB = 500.0
_MB = 1_000_000


def _quietly(program: Callable[[list[str]], int], *words: str) -> int:
    with contextlib.redirect_stdout(io.StringIO()):
        return program([*words])


PROGRAMS: dict[str, Callable[[str], int]] = {
    "with the publisher's key": lambda path: _quietly(
        command_line, "verify", path, "--public-key", make_key().public.text
    ),
    "of an unknown signer": lambda path: _quietly(command_line, "verify", path),
    "the public's verifier": lambda path: _quietly(hexveil_verify.main, path),
}


def measured(program: str, bundle: Path) -> tuple[int, float, float]:
    """Exit code, seconds of the processor, and the largest memory of the process in MB."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_verify", "--run", program, str(bundle)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    code, seconds, memory = json.loads(done.stdout)
    return code, seconds, memory


def _peak_mb() -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024 / _MB


def main() -> int:
    """Print a line each; 1 where one does not hold, or takes more memory than it may."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--run", nargs=2)
    options = parser.parse_args()
    if options.run:
        program, path = options.run
        code = PROGRAMS[program](path)
        print(json.dumps((code, time.process_time(), _peak_mb())))
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        bundle = large_bundle(Path(folder), options.rows)
        packed = pack_bundle(bundle)
        size = sum(file.stat().st_size for file in bundle.rglob("*") if file.is_file()) / _MB
        print(f"{options.rows:,} rows, {size:,.0f} MB", flush=True)
        for path, form in ((bundle, ""), (packed, ", as a zip")):
            for program in PROGRAMS:
                code, seconds, memory = measured(program, path)
                wanted = code == 0 and memory <= MOST_MB
                failed += not wanted
                verdict = "ok    " if wanted else "FAILED"
                print(f"{verdict} {program + form:36} {seconds:6.1f} s {memory:6.0f} MB", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
