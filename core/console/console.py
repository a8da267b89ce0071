"""Whether a person sits at the console, who can be asked."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    def is_console(number: int) -> bool:
        """Whether an open file is a console: `isatty` says so of NUL too, where nobody ever answers."""
        mode = wintypes.DWORD()
        handle = wintypes.HANDLE(msvcrt.get_osfhandle(number))
        return bool(ctypes.windll.kernel32.GetConsoleMode(handle, ctypes.byref(mode)))
else:

    def is_console(_: int) -> bool:
        """True: whatever is a terminal here has somebody before it."""
        return True


def can_ask() -> bool:
    """Whether a question would reach a person, and the answer this program."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    try:
        return is_console(sys.stdin.fileno())
    except (OSError, ValueError):
        return True  # not a file of the system: the code that put it there answers
