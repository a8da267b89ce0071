"""Rights of files on Windows; elsewhere their modes say it (`test_files`)."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

import pytest

from core.system.files import write_synced
from core.system.owner_rights import restrict_to_owner

if sys.platform == "win32":
    import ctypes

    from core.system.owner_rights import this_person

    def rights_of(path: Path) -> set[str]:
        """Who may do what: the entries of a file's access list, `kind;inheritance;rights;;;who`."""
        library = ctypes.WinDLL("advapi32")
        descriptor, text = ctypes.c_void_p(), ctypes.c_wchar_p()
        failed = library.GetNamedSecurityInfoW(
            str(path), 1, 4, None, None, None, None, ctypes.byref(descriptor)
        )
        assert failed == 0
        assert library.ConvertSecurityDescriptorToStringSecurityDescriptorW(
            descriptor, 1, 4, ctypes.byref(text), None
        )
        return set(re.findall(r"\(([^)]*)\)", text.value or ""))


@pytest.mark.skipif(sys.platform != "win32", reason="access lists are those of Windows")
def test_nobody_but_the_owner_and_the_system_has_rights(tmp_path: Path) -> None:
    write_synced(tmp_path / "key", b"secret", mode=0o600)
    assert {entry.rpartition(";")[2] for entry in rights_of(tmp_path / "key")} == {this_person(), "SY"}
    assert (tmp_path / "key").read_bytes() == b"secret"


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_elsewhere_it_leaves_the_mode_alone(tmp_path: Path) -> None:
    write_synced(tmp_path / "a", b"x", mode=0o640)
    before = stat.S_IMODE((tmp_path / "a").stat().st_mode)
    restrict_to_owner(tmp_path / "a")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == before
