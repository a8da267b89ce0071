"""Pictures of what one signs and what follows from it, for `screenshots.py`.

The page as paper, its details, the week after, and every verdict on a bundle.
"""

from __future__ import annotations

import datetime as dt
import shutil
from decimal import Decimal
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtPdf import QPdfDocument
from PySide6.QtWidgets import QFileDialog

from core.accounting.ledger import Ledger
from core.keys.notice import publish_notice
from core.keys.signing_key import load_key
from core.system.paths import resources
from tests.ui.pictures.camera import Camera, wait_until, wanted
from ui.data.data_files import SAMPLE
from ui.release.dialog import Phase, ReleaseDialog
from ui.release.page import ReleasePage

_PAPER = QSize(1240, 1754)
"""A4 at 150 dots per inch."""
_GOLDEN = Path(__file__).parents[2] / "golden" / "v0.4.1" / "releases" / "one-query-1.0.0"
_VERDICTS = ("unknown-signer", "practice", "corrected", "withdrawn", "no-bundle")


class SigningScreens(Camera):
    """The session has published the sample's week."""

    def paper(self, dialog: ReleaseDialog) -> None:
        """The details below the page, and the page as it comes from a printer."""
        dialog.details.click()
        self.take_dialog("a-review-details", dialog)
        dialog.details.click()
        if wanted("a-review-paper"):
            file = self.window.home.folder / "page.pdf"
            file.write_bytes(dialog.view.pdf())
            document = QPdfDocument()
            document.load(str(file))
            for page in range(document.pageCount()):
                sheet = QImage(_PAPER, QImage.Format.Format_RGB32)
                sheet.fill(Qt.GlobalColor.white)
                painter = QPainter(sheet)
                painter.drawImage(0, 0, document.render(page, _PAPER))
                painter.end()
                sheet.save(str(self.folder / f"a-review-paper-{page + 1}-light.png"))

    def again(self) -> None:
        """The same once more: nothing is left to be released."""
        dialog = self.reviewed(self.workspace.release)
        self.take_dialog("b-again", dialog)
        dialog.reject()

    def next_week(self, passphrase: str) -> None:
        """From the published week to the one after it: what is new, and the page to sign."""
        names = ("d-next-offered", "d-next", "d-next-review", *(f"e-verdict-{name}" for name in _VERDICTS))
        if not any(map(wanted, names)):
            return
        session, page = self.workspace.session, self.workspace.release
        published = session.release.published
        assert published is not None
        first, source, draft = published.bundle, session.source, session.draft
        Ledger.open(session.home.ledger).set_limit(
            "City buses", per_vehicle=Decimal(120), delta=Decimal("0.000001")
        )
        session.ledger.read()
        self.workspace.steps.choose("release")
        wait_until(page.following.start.isVisible)
        self.take("d-next-offered")
        with patch.object(QFileDialog, "getExistingDirectory", lambda *_: str(self.week_after())):
            page.following.start.click()
        wait_until(lambda: session.source is not source and session.forecast is not None)
        self.rest()
        self.take("d-next")
        session.edit("Title", title="Bus speeds, week of 10 January", name="sample-speed-2022-w02")
        self.rest()
        dialog = self.reviewed(page)
        self.take_dialog("d-next-review", dialog)
        dialog.typed.setText("sample-speed-2022-w02-1.0.0")
        dialog.passphrase.setText(passphrase)
        dialog.release.click()
        wait_until(lambda: dialog.phase is Phase.DONE)
        dialog.accept()
        self.verdicts(first, session.release.published.bundle, passphrase)
        assert source is not None
        session.load(source, draft)
        wait_until(lambda: session.source is source)
        self.rest()

    def reviewed(self, page: ReleasePage) -> ReleaseDialog:
        page.review()
        dialog = page.dialog
        assert dialog is not None
        wait_until(lambda: dialog.phase in (Phase.READY, Phase.REFUSED))
        return dialog

    def week_after(self) -> Path:
        """The sample's records, seven days later."""
        folder = self.window.home.folder / "week-after"
        folder.mkdir(exist_ok=True)
        sample = pq.read_table(resources() / SAMPLE)
        name = "observationDateTime"
        place = sample.schema.get_field_index(name)
        later = {f"{day:02}": f"{day + 7:02}" for day in range(3, 10)}
        times = [f"{text[:8]}{later[text[8:10]]}{text[10:]}" for text in sample[name].to_pylist()]
        moved = sample.set_column(place, name, pa.array(times))
        pq.write_table(moved, folder / "surat-week-2.parquet")
        return folder

    def verdicts(self, first: Path, later: Path, passphrase: str) -> None:
        """Each but *holds* and *does not hold*, which the walk has; of copies, so that the ledger stays."""
        home = self.window.home
        key = load_key(home.default_key, passphrase)
        copies = home.folder / "noticed"
        for bundle in (first, later):
            shutil.copytree(bundle, copies / bundle.name, dirs_exist_ok=True)
        now, noticed = dt.datetime.now(dt.UTC), copies / first.name
        reason = "Two depots were counted twice"
        self.verdict(_VERDICTS[0], _GOLDEN)
        self.verdict(_VERDICTS[1], next((home.folder / "practice").glob("practice-*")))
        publish_notice(noticed, reason=reason, key=key, now=now, replaced_by=copies / later.name)
        self.verdict(_VERDICTS[2], noticed)
        publish_notice(noticed, reason=reason, key=key, now=now)
        self.verdict(_VERDICTS[3], noticed)
        self.verdict(_VERDICTS[4], home.folder / "week-after")

    def verdict(self, name: str, bundle: Path) -> None:
        page = self.workspace.verify
        self.workspace.steps.choose("verify")
        page.verify(bundle)
        wait_until(lambda: page.result is not None or page.message.isVisible())
        self.rest()
        self.take(f"e-verdict-{name}")

    def rest(self) -> None:
        """Until all is planned and drawn."""
        session = self.workspace.session
        wait_until(
            lambda: not session.busy and not session.planning.smoothing and self.workspace.map.view.is_ready
        )
