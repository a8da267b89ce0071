"""Files that are their owner's alone on Windows, where the modes of POSIX say nothing.

Elsewhere a file or folder gets its mode when it is made (`files.private_opener`), and nothing is left to do.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _DACL, _PROTECTED = 0x4, 0x80000000
    _TOKEN_QUERY, _TOKEN_USER = 0x8, 1

    def rules_for(person: str, *, folder: bool) -> str:
        """As a security descriptor: nothing inherited, all rights for a person and for the system itself.

        For the person, not for the owner of the file: what an elevated program makes belongs to the
        administrators, and the same person without elevation would be shut out. What is made in a folder
        inherits its rules.
        """
        handed_on = "OICI" if folder else ""
        return f"D:P(A;{handed_on};FA;;;{person})(A;{handed_on};FA;;;SY)"

    @cache
    def this_person() -> str:
        """The security identifier of who runs this process. Raises OSError."""
        library = ctypes.WinDLL("advapi32", use_last_error=True)
        system = ctypes.WinDLL("kernel32", use_last_error=True)
        system.GetCurrentProcess.restype = wintypes.HANDLE
        token = wintypes.HANDLE()
        process = wintypes.HANDLE(system.GetCurrentProcess())
        if not library.OpenProcessToken(process, _TOKEN_QUERY, ctypes.byref(token)):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            size = wintypes.DWORD()
            library.GetTokenInformation(token, _TOKEN_USER, None, 0, ctypes.byref(size))
            found = ctypes.create_string_buffer(size.value)
            if not library.GetTokenInformation(token, _TOKEN_USER, found, size, ctypes.byref(size)):
                raise ctypes.WinError(ctypes.get_last_error())
            # its first part is where the identifier lies
            identifier, text = ctypes.c_void_p.from_buffer(found), wintypes.LPWSTR()
            if not library.ConvertSidToStringSidW(identifier, ctypes.byref(text)):
                raise ctypes.WinError(ctypes.get_last_error())
        finally:
            system.CloseHandle(token)
        try:
            return text.value or ""
        finally:
            system.LocalFree(text)

    def restrict_to_owner(path: Path) -> None:
        """Take from everybody but this person what a file or folder inherited.

        Raises OSError where the rights cannot be set: the disk may be one that knows none (FAT).
        """
        rules = rules_for(this_person(), folder=path.is_dir())
        library = ctypes.WinDLL("advapi32", use_last_error=True)
        descriptor = ctypes.c_void_p()
        if not library.ConvertStringSecurityDescriptorToSecurityDescriptorW(
            rules, 1, ctypes.byref(descriptor), None
        ):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            if not library.SetFileSecurityW(str(path), _DACL | _PROTECTED, descriptor):
                raise ctypes.WinError(ctypes.get_last_error())
        finally:
            ctypes.WinDLL("kernel32").LocalFree(descriptor)
else:

    def restrict_to_owner(path: Path) -> None:
        """Nothing: its mode keeps others out already."""
