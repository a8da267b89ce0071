"""ui.shell.graphics_probe: an X server without GLX gets software drawing, every other one is left alone."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ui.shell.graphics_probe import draw_by_software_where_needed, offers_glx

needs_xvfb = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="there is no X server to start")


@contextmanager
def server(*options: str) -> Iterator[str]:
    """A virtual X server on a free number."""
    reading, writing = os.pipe()
    # Without -noreset the server starts anew when its last client leaves, and refuses the next one meanwhile.
    screen = ["-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset"]
    line = ["Xvfb", "-displayfd", str(writing), *screen, *options]
    with subprocess.Popen(line, pass_fds=[writing], stderr=subprocess.DEVNULL) as process:
        os.close(writing)
        try:
            with os.fdopen(reading) as answer:
                yield f":{answer.readline().strip()}"
        finally:
            process.terminate()


@needs_xvfb
def test_without_glx_the_map_is_drawn_by_software(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QUICK_BACKEND", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    with server("+extension", "GLX") as display:
        monkeypatch.setenv("DISPLAY", display)
        assert offers_glx(display)
        draw_by_software_where_needed()
        assert "QT_QUICK_BACKEND" not in os.environ
    with server("-extension", "GLX") as display:
        monkeypatch.setenv("DISPLAY", display)
        assert not offers_glx(display)
        draw_by_software_where_needed()
        assert os.environ["QT_QUICK_BACKEND"] == "software"
        monkeypatch.setenv("QT_QUICK_BACKEND", "rhi")
        draw_by_software_where_needed()
        assert os.environ["QT_QUICK_BACKEND"] == "rhi", "a choice of the person's own stays"


def test_without_a_server_nothing_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QUICK_BACKEND", raising=False)
    assert offers_glx(":nowhere")
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    draw_by_software_where_needed()
    assert "QT_QUICK_BACKEND" not in os.environ
