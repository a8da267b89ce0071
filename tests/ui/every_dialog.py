"""Every dialog of the window, one after the other on the screen, as a person meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from PySide6.QtWidgets import QDialog

from core.accounting.ledger import Ledger
from core.hats.slots import PeriodOfDay
from core.keys.signing_key import generate_key
from tests.builders import make_bundle, make_key, make_release
from tests.records import write_csv
from tests.ui.small_city import pings
from tests.ui.whole_window import is_at_rest, wait_until
from ui.budget.limit_dialog import LimitDialog
from ui.data.import_dialog import ImportDialog
from ui.data.same_vehicles import SameVehiclesDialog
from ui.data.table_passphrase import TablePassphraseDialog
from ui.errors.evaluation_dialog import EvaluationDialog
from ui.ledger.notice_dialog import NoticeDialog
from ui.ledger.policy_dialog import PolicyDialog
from ui.parameters.periods_dialog import PeriodsDialog
from ui.parameters.zones_dialog import ZonesDialog
from ui.release.dialog import ReleaseDialog
from ui.release.key_dialog import KeyDialog
from ui.release.key_paper_dialog import KeyPaperDialog
from ui.release.practice_box import PracticeDialog
from ui.release.release_jobs import Outcome
from ui.session.table_passphrases import PassphraseRequest
from ui.shell.help import AboutDialog, GlossaryDialog, ShortcutsDialog, TourDialog
from ui.shell.main_window import MainWindow
from ui.shell.project_questions import close_question
from ui.shell.settings_dialog import SettingsDialog

_PASSPHRASE = "a key for every dialog"


def makers(window: MainWindow, folder: Path, mark: str = "") -> tuple[Callable[[], QDialog], ...]:
    """What makes each of them; folder: for the files that they ask for; mark: before names that people type.

    The draft is one that may be released: its review waits for the name and the passphrase.
    """
    workspace = window.workspace
    assert workspace is not None
    session, home = workspace.session, window.home
    if not home.default_key.exists():
        generate_key(home.default_key.with_suffix(""), _PASSPHRASE)
    Ledger.open(home.ledger).set_limit(f"{mark}City buses", per_vehicle=Decimal(50))
    session.ledger.read()
    texts = dict.fromkeys(("title", "publisher"), f"{mark}City")
    session.edit("release", name="city", contact=f"{mark}a@city.example", **texts)
    session.edit("population", population=f"{mark}City buses")
    wait_until(lambda: bool(session.ledger.populations) and not session.busy)
    session.confirmation.answer(confirmed=True)
    workspace.release.folder.setText(str(folder / "bundles"))
    table = PassphraseRequest(folder / "buses", wrong=True)

    def practice() -> QDialog:
        published = cast(
            "Any", SimpleNamespace(bundle=make_bundle(folder), repeated=False, release=make_release())
        )
        return PracticeDialog(Outcome(published=published, key=make_key().public, files=()), window)

    return (
        lambda: ImportDialog([write_csv(folder / "import.csv", pings())], window),
        lambda: SameVehiclesDialog(f"{mark}City buses", typed=True, parent=window),
        lambda: TablePassphraseDialog(table, window),
        lambda: PeriodsDialog((PeriodOfDay(420, 600, "morning peak"),), ("06:00", "20:00"), window),
        lambda: ZonesDialog(None, window),
        lambda: LimitDialog(session, window),
        lambda: EvaluationDialog(session, window),
        lambda: NoticeDialog(session, folder, key=home.default_key, corrects=True, parent=window),
        lambda: NoticeDialog(session, folder, key=home.default_key, corrects=False, parent=window),
        lambda: PolicyDialog(session.ledger.populations[0], window.settings, window),
        lambda: KeyDialog(home, window),
        lambda: KeyPaperDialog(home.default_key, window),
        lambda: ReleaseDialog(session, workspace.release._wanted(), window),
        practice,
        lambda: SettingsDialog(window.settings, window.theme, window),
        lambda: GlossaryDialog(window),
        lambda: ShortcutsDialog(window),
        lambda: AboutDialog(home, window),
        lambda: TourDialog(window),
        lambda: close_question(f"{mark}City", save=lambda: None, leave=lambda: None, parent=window),
        lambda: close_question("", save=lambda: None, leave=lambda: None, parent=window, closes=False),
    )


def at_rest(dialog: QDialog) -> bool:
    """Seen, built, and neither at work nor between two jobs of one work."""
    return dialog.isVisible() and not getattr(dialog, "busy", False) and is_at_rest(dialog)


def dialogs_of(window: MainWindow, folder: Path, mark: str = "") -> Iterator[QDialog]:
    """Each of them open and at rest; it goes before the next one comes."""
    for make in makers(window, folder, mark):
        dialog = make()
        dialog.open()
        wait_until(lambda shown=dialog: at_rest(shown))
        yield dialog
        dialog.reject()
        dialog.deleteLater()
