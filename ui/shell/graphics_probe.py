"""Whether the screen offers OpenGL: where it does not, the map is drawn by software.

Qt's web engine ends the program with an abort where an X server has no GLX, as those of VNC, xrdp and thin
clients often do. So the server is asked before the application object is made.
"""

from __future__ import annotations

import ctypes
import os
import sys

_BACKEND = "QT_QUICK_BACKEND"


def draw_by_software_where_needed() -> None:
    """Choose Qt's software drawing where X has no GLX; a choice of the person's own stays."""
    by_x = sys.platform == "linux" and os.environ.get("QT_QPA_PLATFORM", "xcb").startswith("xcb")
    if by_x and os.environ.get("DISPLAY") and not offers_glx(os.environ["DISPLAY"]):
        os.environ.setdefault(_BACKEND, "software")


def offers_glx(display: str) -> bool:
    """Whether this X server has the extension GLX; True where it cannot be asked, as Qt then says more."""
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return True
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XQueryExtension.argtypes = [ctypes.c_void_p, ctypes.c_char_p, *[ctypes.POINTER(ctypes.c_int)] * 3]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    server = x11.XOpenDisplay(display.encode())
    if not server:
        return True
    answers = [ctypes.c_int() for _ in range(3)]
    found = x11.XQueryExtension(server, b"GLX", *map(ctypes.byref, answers))
    x11.XCloseDisplay(server)
    return bool(found)
