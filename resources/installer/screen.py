"""A screen without a monitor, for the smoke run: Xvfb, real clicks, and a look at the pixels."""

from __future__ import annotations

import os
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

WIDTH, HEIGHT = 1366, 768
MAP_AREA = (slice(130, 590), slice(890, 1130))
"""Rows and columns of the window's map, without legend and scale; of a table, without its last columns."""
TAB_STRIP = (slice(26, 52), slice(868, 1360))
"""Rows and columns of the tabs above it, at the right of the decide panel."""
STEP_AREA = (slice(80, 710), slice(200, 580))
"""Rows and columns of the chosen step's page, beside the list of steps."""
SECOND_STEP = (90, 94)
"""A point of the second step in the list, across and down."""
_GAP = 12
"""Columns without ink between two titles at least; words of one title stand closer."""
_LINE_GAP = 4
"""Rows of pixels without ink between two lines at least; the tail of a letter stands closer to its line."""
_LINES = 12
"""Lines of the table that are on show at least."""
_UNEVEN = 2
"""Rows of pixels by which distances between its lines may differ: some letters are taller."""
_SPOT, _SPOTS, _COLOURS = 3, 100, 3
"""Pixels across a spot of one colour, spots of a colour and colours that a map of hexagons has at least."""
_PAPER = 200
"""The darkest channel of what is paper, from here on."""
_INK = 140
"""The lightest that the channels of text may be."""
_HEADER = struct.Struct(">25I")

Pixels = NDArray[np.uint8]


class Screen:
    """An X server of its own, reached through its socket file only."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="hexveil-screen-")
        read, write = os.pipe()
        # without -noreset it begins anew when its last window closes, and turns away who comes just then
        self._server = subprocess.Popen(
            [
                *("Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24"),
                *("-fbdir", self._folder.name, "-ac", "-noreset", "-nolisten", "tcp"),
            ],
            pass_fds=(write,),
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as told:
            self.display = f":{told.readline().strip()}"

    def __enter__(self) -> Screen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.terminate()
        self._server.wait()
        self._folder.cleanup()

    def _xdotool(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["xdotool", *arguments],
            env={**os.environ, "DISPLAY": self.display},
            capture_output=True,
            text=True,
            check=False,
        )

    def shows_window(self, title: str) -> bool:
        """Whether a visible window has exactly this title."""
        return self._xdotool("search", "--onlyvisible", "--name", f"^{title}$").returncode == 0

    def click(self, x: int, y: int) -> None:
        """A real click of the left button."""
        done = self._xdotool("mousemove", str(x), str(y), "click", "1")
        if done.returncode:
            raise SystemExit(f"no click: {done.stderr}")

    def pixels(self) -> Pixels:
        """What is on the screen: height x width x (blue, green, red, unused)."""
        return read_xwd((Path(self._folder.name) / "Xvfb_screen0").read_bytes())

    def save(self, path: Path) -> None:
        """Write the screen as PNG."""
        from PySide6.QtGui import QImage

        shown = self.pixels()
        image = QImage(shown.tobytes(), WIDTH, HEIGHT, 4 * WIDTH, QImage.Format.Format_RGB32)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not image.save(str(path)):
            raise SystemExit(f"{path} cannot be written")


def read_xwd(content: bytes) -> Pixels:
    """The pixels of an X window dump of 32 bits a pixel, least significant byte first."""
    header = _HEADER.unpack_from(content)
    size, width, height, line, colours = header[0], header[4], header[5], header[12], header[19]
    if header[7] != 0 or header[11] != 32:
        raise ValueError("not a dump of 32 bits a pixel in little-endian order")
    start = size + 12 * colours
    rows = np.frombuffer(content, np.uint8, count=height * line, offset=start)
    return rows.reshape(height, line)[:, : 4 * width].reshape(height, width, 4)


def shows_map(pixels: Pixels) -> bool:
    """Whether the map's place holds hexagons: solid spots of three or more colours that are not paper.

    Streets and names cut small hexagons into pieces; no letter, line or bar has spots of three such colours.
    """
    area = pixels[MAP_AREA][..., :3].astype(np.uint32)
    codes = area[..., 0] | area[..., 1] << 8 | area[..., 2] << 16
    spots = sliding_window_view(codes, (_SPOT, _SPOT))
    middle = spots[..., 0, 0]
    solid = (spots == middle[..., None, None]).all(axis=(-2, -1))
    colours, counts = np.unique(middle[solid], return_counts=True)
    often = colours[counts >= _SPOTS].tolist()
    return sum(min(code & 255, code >> 8 & 255, code >> 16) < _PAPER for code in often) >= _COLOURS


def tab_titles(pixels: Pixels) -> list[tuple[int, int]]:
    """The middle of each tab's title, across and down, from left to right, whatever they say."""
    rows, columns = TAB_STRIP
    inked = np.flatnonzero(_ink(pixels[TAB_STRIP]).any(axis=0))
    titles = np.split(inked, np.flatnonzero(np.diff(inked) > _GAP) + 1) if len(inked) else []
    middle = (rows.start + rows.stop) // 2
    return [(columns.start + int(title[0] + title[-1]) // 2, middle) for title in titles]


def shows_table(pixels: Pixels) -> bool:
    """Whether the map's place holds lines of text at equal distances, more than any other tab has."""
    inked = np.flatnonzero(_ink(pixels[MAP_AREA]).any(axis=1))
    distances = np.diff(inked[np.diff(inked, prepend=-HEIGHT) > _LINE_GAP])
    equal = np.abs(np.diff(distances)) <= _UNEVEN
    runs = [len(list(run)) for same, run in groupby(equal) if same]
    return max(runs, default=0) + 2 >= _LINES


def _ink(area: Pixels) -> NDArray[np.bool_]:
    dark: NDArray[np.bool_] = area[..., :3].max(axis=-1) < _INK
    return dark


def wait_for(what: str, done: Callable[[], bool], seconds: float = 180.0) -> float:
    """Seconds until `done`, beside other work and traced. Raises SystemExit when it takes too long."""
    start = time.monotonic()
    while not done():
        if time.monotonic() - start > seconds:
            raise SystemExit(f"waited {seconds:.0f} s in vain: {what}")
        time.sleep(0.02)
    return time.monotonic() - start
