"""ui.layout.window_size: the first window fits its screen."""

from __future__ import annotations

from PySide6.QtCore import QSize

from ui.layout.window_size import first_size


def test_the_first_window_fits_its_screen_at_every_scaling() -> None:
    for scaling in (1.0, 1.5, 2.0):
        room = QSize(round(1280 / scaling), round(680 / scaling))
        size = first_size(room)
        assert size.width() <= room.width()
        assert size.height() < room.height()  # with the title bar that the desktop adds
    assert first_size(QSize(3840, 2160)) == QSize(1360, 760)
