"""A job of two files, watched, cut short, refused and cut off from power: what `make crash` is made of.

python -m tests.fire.two_files FOLDER      # in a process of its own, which forks; prints JSON
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.fire.file_calls import Call, Change, Do, Refuse, watch
from tests.fire.lost_writes import Disk

CONTENT = b"sure" * 1000


def write_two_files(folder: Path) -> int:
    """Sync one file and its name, and nothing of the other."""
    for name in ("sure", "unsure"):
        with (folder / name).open("wb", buffering=0) as file:
            file.write(CONTENT)
            if name == "sure":
                os.fsync(file.fileno())
    handle = os.open(folder, os.O_RDONLY)
    (folder / "unsure").rename(folder / "renamed")
    os.fsync(handle)
    (folder / "renamed").unlink()
    return 7


def main(folder: Path) -> None:
    """What the tools make of it."""
    places = {name: folder / name for name in ("watched", "halfway", "refused", "followed")}
    for place in places.values():
        place.mkdir()

    def halfway(_: int, call: Call) -> Do | Refuse:
        return Do.KILL_HALFWAY if call.change is Change.WRITE else Do.LET

    def job(name: str) -> int:
        return write_two_files(places[name])

    disk = Disk(places["followed"])
    watched = watch(lambda: job("watched"), places["watched"])
    killed = watch(lambda: job("halfway"), places["halfway"], halfway)
    refused = watch(lambda: job("refused"), places["refused"], lambda *_: Refuse(28))
    left: list[dict[str, int]] = []
    calls = watch(lambda: job("followed"), places["followed"]).calls
    for number in range(len(calls) + 1):
        after = folder / f"left-{number}"
        after.mkdir()
        disk.after_power_loss(after, keeps=lambda: False)
        left.append({path.name: path.stat().st_size for path in sorted(after.iterdir())})
        disk.follow(calls[number : number + 1])
    print(
        json.dumps(
            {
                "changes": [call.change.value for call in watched.calls],
                "code": watched.code,
                "whole": watched.calls[1].data == CONTENT,
                "killed": [killed.code, (places["halfway"] / "sure").stat().st_size],
                "refused": "No space left on device" in refused.said,
                "left": left,
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
