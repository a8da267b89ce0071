"""Where records are set aside: private, gone at the end, swept after a kill, never in others' folders."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.store.working_folders import sweep_working_folders, temporary_place, working_folder

ROOT = Path(__file__).resolve().parents[3]
LOADER = """
import sys
from pathlib import Path
from core.store.load_records import load_records
from tests.records import rules

def stop(_, text=""):
    print("there", flush=True)
    sys.stdin.read()

load_records([Path(sys.argv[1])], rules(), stop)
"""
pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes and signals are those of POSIX")


@pytest.fixture(name="temporary")
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    return place


def test_a_folder_is_private_and_goes(tmp_path: Path) -> None:
    with working_folder(tmp_path) as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "records").write_text("x")
        sweep_working_folders(tmp_path)
        assert (folder / "records").exists()
    assert list(tmp_path.iterdir()) == []


def test_without_a_home_what_a_killed_load_set_aside_goes_with_the_next_start(
    tmp_path: Path, temporary: Path
) -> None:
    """`load_records` without a cache, as where the home cannot be written."""
    csv = tmp_path / "a.csv"
    csv.write_text("vehicle,time,lat,lon,speed\nbus,2022-01-03T10:00:00+05:30,21.1,72.8,30\n")
    with subprocess.Popen(
        [sys.executable, "-c", LOADER, str(csv)],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as loader:
        assert loader.stdout is not None
        assert loader.stdout.readline() == "there\n"
        sweep_working_folders(tmp_path / "none")
        assert list(temporary.glob("*/*/")), "what a living process uses stays"
        loader.send_signal(signal.SIGKILL)
    assert list(temporary.glob("*/*/"))
    sweep_working_folders(tmp_path / "none")
    assert not list(temporary.glob("*/*"))


@pytest.mark.usefixtures("temporary")
@pytest.mark.parametrize("taken_by", ["a link", "a file", "a folder that is open to others"])
def test_a_name_that_somebody_has_taken_is_refused(taken_by: str, tmp_path: Path) -> None:
    place = temporary_place()
    place.rmdir()
    theirs = tmp_path / "theirs"
    (theirs / "building-1").mkdir(parents=True)
    if taken_by == "a link":
        place.symlink_to(theirs)
    elif taken_by == "a file":
        place.touch()
    else:
        theirs.rename(place)
        place.chmod(0o777)
    with pytest.raises(InputError, match="others can open this folder") as refused:
        temporary_place()
    assert "--home" in refused.value.mend
    sweep_working_folders(tmp_path / "none")
    assert taken_by == "a file" or (place / "building-1").is_dir()
