"""Fuzzing, guided by coverage: whatever is in a file, it is read or refused in words, soon, in little memory.

python -m tests.fire.fuzzing                 # make fuzz: every target for 40 seconds, archives of a million
python -m tests.fire.fuzzing 600 csv spec    # two of them for ten minutes each

What is found lies in build/fuzzing, each input in a file; whatever was mended becomes a seed in `corpus`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).with_name("corpus")
FOUND = ROOT / "build" / "fuzzing"
SECONDS = 40
MOST_SECONDS, MOST_MB, LONGEST = 30, 1024, 1 << 16
"""For one input: time and memory of the whole process; and how long an input may be, in bytes."""
_ONE = "--one"
_MEMBERS = "members"
"""Archives of a million, made here: a fuzzer's inputs are too small for that."""
_LINES = 20
"""What is told of a fault."""
_STATISTICS = {
    "inputs": re.compile(r"stat::number_of_executed_units: (\d+)"),
    "slowest": re.compile(r"stat::slowest_unit_time_sec: +(\d+)"),
    "peak": re.compile(r"stat::peak_rss_mb: +(\d+)"),
    "coverage": re.compile(r"cov: (\d+)(?!.*cov: )", re.DOTALL),
}


def fuzz_one(name: str, options: Sequence[str]) -> None:
    """One target, until time is up or something is found; in a process of its own, which the fuzzer ends."""
    import atheris

    with atheris.instrument_imports(include=["core", "resources.verifier"]):
        from tests.fire.fuzz_targets import run_target

    from core.system import passphrase_key

    passphrase_key.COST = 1 << 4
    folder = Path(tempfile.mkdtemp(prefix="hexveil-fuzz-"))

    def one_input(data: bytes) -> None:
        run_target(name, folder, data)

    atheris.Setup([name, *options], one_input)
    atheris.Fuzz()


def fuzz(name: str, seconds: int) -> bool:
    """One target; prints its figures. False where something was found."""
    FOUND.mkdir(parents=True, exist_ok=True)
    memory = Path("/dev/shm")  # the disk's own slowness is of no interest
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        new = Path(folder, "new")
        new.mkdir()
        options = [
            f"-max_total_time={seconds}",
            f"-timeout={MOST_SECONDS}",
            f"-rss_limit_mb={MOST_MB}",
            f"-max_len={LONGEST}",
            "-print_final_stats=1",
            f"-artifact_prefix={FOUND}/{name}-",
        ]
        run = [sys.executable, "-m", "tests.fire.fuzzing", _ONE, name, *options, str(new), str(CORPUS / name)]
        done = subprocess.run(
            run,
            cwd=ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            env=os.environ | {"TMPDIR": folder},
        )
    told = {key: (pattern.search(done.stderr) or [0, 0])[1] for key, pattern in _STATISTICS.items()}
    print(
        f"{name}: {told['inputs']} inputs, {told['coverage']} places of the code reached, at most "
        f"{told['slowest']} s and {told['peak']} MB: {'nothing found' if done.returncode == 0 else 'FOUND'}",
        flush=True,
    )
    if done.returncode != 0:
        raised = done.stdout.partition("Uncaught Python exception")[2] or done.stderr
        print("\n".join(raised.splitlines()[-_LINES:]))
    return done.returncode == 0


def main(arguments: Sequence[str]) -> int:
    """Fuzz each target in turn; 1 where anything was found."""
    if arguments[:1] == [_ONE]:
        fuzz_one(arguments[1], arguments[2:])
        return 0
    from tests.benchmarks.bench_hostile_input import MANY_MEMBERS, tried
    from tests.fire.fuzz_targets import TARGETS

    seconds = int(arguments[0]) if arguments else SECONDS
    asked = arguments[1:] or [*TARGETS, _MEMBERS]
    found = sum(not fuzz(name, seconds) for name in asked if name != _MEMBERS)
    found += sum(not tried(name) for name in MANY_MEMBERS if _MEMBERS in asked)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
