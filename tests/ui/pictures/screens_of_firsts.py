"""Pictures of a first start, for `screenshots.py`: the first steps, no key, an empty ledger."""

from __future__ import annotations

from tests.ui.pictures.camera import Camera, wait_until

NAMES = ("0-first-start", "0-first-release", "0-first-ledger")


class FirstScreens(Camera):
    """Of a window with an empty home; nothing is chosen in it."""

    def walk(self) -> None:
        workspace, session = self.workspace, self.workspace.session
        wait_until(lambda: session.forecast is not None and workspace.map.view.is_ready)
        start, release, ledger = NAMES
        self.take(start)
        workspace.steps.choose("release")
        self.take(release)
        workspace.places.to_ledger.setChecked(True)
        self.take(ledger)
