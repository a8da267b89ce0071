"""Files that are their owner's alone on Windows, where the modes of POSIX say nothing.

Elsewhere a file or folder gets its mode when it is made (`files.private_opener`), and nothing is left to do.
"""

from __future__ import annotations

import sys
from pathlib import Path

OWNER_ONLY = "D:P(A;;FA;;;OW)(A;;FA;;;SY)"
"""As a security descriptor: nothing inherited, all rights for the owner and for the system itself."""
OWNER_ONLY_FOLDER = "D:P(A;OICI;FA;;;OW)(A;OICI;FA;;;SY)"
"""The same, which what is made in the folder inherits."""

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _FILE_OBJECT = 1
    _DACL, _PROTECTED = 0x4, 0x80000000

    def restrict_to_owner(path: Path) -> None:
        """Take from everybody but the owner what a file or folder inherited.

        Raises OSError where the rights cannot be set: the disk may be one that knows none (FAT).
        """
        rules = OWNER_ONLY_FOLDER if path.is_dir() else OWNER_ONLY
        library = ctypes.WinDLL("advapi32", use_last_error=True)
        descriptor, acl = ctypes.c_void_p(), ctypes.c_void_p()
        present, defaulted = wintypes.BOOL(), wintypes.BOOL()
        if not library.ConvertStringSecurityDescriptorToSecurityDescriptorW(
            rules, 1, ctypes.byref(descriptor), None
        ):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            library.GetSecurityDescriptorDacl(
                descriptor, ctypes.byref(present), ctypes.byref(acl), ctypes.byref(defaulted)
            )
            failed = library.SetNamedSecurityInfoW(
                str(path), _FILE_OBJECT, _DACL | _PROTECTED, None, None, acl, None
            )
        finally:
            ctypes.windll.kernel32.LocalFree(descriptor)
        if failed:
            raise ctypes.WinError(failed)
else:

    def restrict_to_owner(path: Path) -> None:
        """Nothing: its mode keeps others out already."""
