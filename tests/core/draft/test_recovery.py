"""Unsaved work outlives its process, and is found once: by nobody while its window lives."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from core.draft.draft import Draft
from core.draft.project_file import Project
from core.draft.recovery import Recovery, left_behind
from core.errors import InputError


def _titles(folder: Path) -> list[str]:
    found, _ = left_behind(folder)
    for one in found:
        one.let_go()
    return [one.project.draft.title for one in found]


def test_what_an_ended_process_kept_is_found_once_and_a_living_one_s_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "recovery"
    living, ended = Recovery(folder), Recovery(folder)
    living.keep(Project(draft=Draft(title="living")))
    ended.keep(Project(draft=Draft(title="ended"), page="parameters"))
    assert _titles(folder) == []
    assert ended._lock is not None
    ended._lock.release()  # as the system does for who dies: tests/ui/test_projects.py kills one
    (found,), _ = left_behind(folder)
    assert (found.project.draft.title, found.project.page) == ("ended", "parameters")
    assert left_behind(folder) == ([], [])  # it is claimed
    found.let_go()
    assert _titles(folder) == ["ended"]
    (again,), _ = left_behind(folder)
    again.discard()
    assert _titles(folder) == []
    living.forget()
    assert list(folder.iterdir()) == []


def test_work_is_replaced_and_its_owner_s_alone(tmp_path: Path) -> None:
    recovery = Recovery(tmp_path / "recovery")
    assert not recovery.path.parent.exists()
    recovery.forget()
    for title in ("one", "two"):
        recovery.keep(Project(draft=Draft(title=title)))
    if sys.platform != "win32":
        assert stat.S_IMODE(recovery.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(recovery.path.parent.stat().st_mode) == 0o700
    recovery.forget()
    recovery.keep(Project(draft=Draft(title="three")))
    assert recovery.path.is_file()
    recovery.forget()


@pytest.mark.parametrize("content", [b"torn", b"a = " + b"[" * 100_000, b"a." * 100_000 + b"a = 1"])
def test_what_cannot_be_read_is_set_aside_told_and_does_not_come_again(
    tmp_path: Path, content: bytes
) -> None:
    name = f"{'0' * 16}.hexveil-project"
    (tmp_path / name).write_bytes(content)
    found, (told,) = left_behind(tmp_path)
    assert found == []
    assert (told.what[:4], told.where) == ("Work", str(tmp_path / f"{name}.set-aside"))
    assert left_behind(tmp_path) == ([], [])
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.set-aside"]
    assert (tmp_path / f"{name}.set-aside").read_bytes() == content


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be stored"):
        Recovery(tmp_path / "file").keep(Project(draft=Draft()))
