"""The other side of `races.Window`: the window's session and its release dialog, driven line by line.

Standard input: a line with home, spec and folder, then `go`; standard output: `ready`, then what came of it.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from core.draft.draft import draft_of
from core.spec import load_spec
from core.system.paths import Home
from tests.ui.whole_window import wait_until
from ui.kit.jobs import cancel_all, wait_for_all
from ui.release.dialog import Phase, ReleaseDialog
from ui.release.release_jobs import Wanted
from ui.session.session import Session


def main() -> int:
    """Release after release, until nothing more is asked for."""
    application = QApplication(sys.argv[:1])
    while line := sys.stdin.readline():
        home, spec, out = map(Path, json.loads(line))
        print(json.dumps(release(home, spec, out)), flush=True)
    cancel_all()
    wait_for_all(30)
    del application
    return 0


def release(home: Path, path: Path, out: Path) -> tuple[bool, str]:
    """Open, review, wait for `go`, press the button; whether it was published, and what the dialog says."""
    session = Session(Home(home))
    draft, source = draft_of(load_spec(path))
    session.load(source, draft)
    wait_until(lambda: session.forecast is not None and not session.busy)
    assert session.loaded is not None
    assert session.contributions is not None
    wanted = Wanted(
        draft=session.draft,
        source=source,
        contributions=session.contributions,
        report=session.loaded.report,
        home=session.home,
        out=out,
        plan_cache=session.planning.cache,
    )
    dialog = ReleaseDialog(session, wanted)
    wait_until(lambda: dialog.phase in (Phase.READY, Phase.REFUSED))
    assert dialog.message.isHidden(), dialog.message.text
    dialog.typed.setText(wanted.folder_name)
    dialog.passphrase.setText(os.environ["HEXVEIL_PASSPHRASE"])
    print("ready", flush=True)
    assert sys.stdin.readline().strip() == "go"
    dialog.release.click()
    wait_until(lambda: dialog.phase not in (Phase.PUBLISHING, Phase.REVIEWING))
    wait_until(lambda: wait_for_all(0))
    return dialog.phase is Phase.DONE, dialog.message.text


if __name__ == "__main__":
    sys.exit(main())
