"""A release from its review to a notice, in the made-up language: no English is left, and nothing is cut."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.bundle.licences import find_licence
from core.draft.draft import QueryDraft
from core.keys.signing_key import generate_key
from core.read.encodings import CANDIDATES
from tests.city import PASSPHRASE
from tests.published_pair import write_pair
from tests.ui.ledger_story import BUSES, TAXIS, TRAMS, year_behind
from tests.ui.told_texts import Told
from tests.ui.whole_window import settle, wait_until
from ui.data.import_dialog import ImportDialog
from ui.data.table_speeds import TableSpeedsQuestion
from ui.ledger.notice_dialog import NoticeDialog
from ui.ledger.policy_dialog import PolicyDialog
from ui.release.dialog import Phase, ReleaseDialog
from ui.release.key_paper_dialog import KeyPaperDialog
from ui.shell.main_window import MainWindow
from ui.shell.workspace import Workspace

POPULATION, NAME = "City buses", "city-speed"
COLUMNS = ("onibus", "datahora", "lat", "lon", "velocidade")
ENCODINGS = (*CANDIDATES, "utf-8", "utf-16")
GIVEN = (
    POPULATION,
    NAME,
    "mean_speed",
    "speed_by_hat",
    "cdf",
    BUSES,
    TAXIS,
    TRAMS,
    find_licence("CC-BY-4.0").title,
)
TYPED = (*GIVEN, *COLUMNS, *ENCODINGS, "SHA256SUMS", "KiB")
"""Names that people gave, of files, columns and encodings, and of a unit."""


def in_window(window: MainWindow) -> Workspace:
    assert window.workspace is not None
    return window.workspace


def prepared(window: MainWindow) -> None:
    """All that a release needs, of names that no language has."""
    session = in_window(window).session
    Ledger.open(window.home.ledger).set_limit(POPULATION, per_vehicle=Decimal(50))
    generate_key(window.home.default_key.with_suffix(""), PASSPHRASE)
    session.ledger.read()
    session.edit(
        "change",
        population=POPULATION,
        name=NAME,
        title="–",
        publisher="–",
        contact="–",
        threshold=1,
        confirmed=True,
    )
    wait_until(lambda: bool(session.ledger.populations))
    settle(window)


def card_seen(window: MainWindow, told: Told) -> None:
    workspace = in_window(window)
    overview = workspace.session.overview
    assert overview is not None
    workspace.session.chosen.choose_hat(overview.cells[0], int(overview.slots[0]))
    settle(window)
    told.look(window)
    workspace.session.chosen.choose_hat(None)


def useless_band_seen(workspace: Workspace, told: Told) -> None:
    """The review of a distribution that will tell nothing."""
    session = workspace.session
    before = session.draft
    curve = QueryDraft(id="cdf", statistic="cdf", budget=Budget(total=Decimal("0.01")))
    session.edit("change", queries=(curve,))
    wait_until(lambda: not session.busy)
    workspace.release.review()
    dialog = workspace.release.dialog
    assert isinstance(dialog, ReleaseDialog)
    wait_until(lambda: dialog.phase is Phase.READY)
    told.look(dialog)
    dialog.reject()
    session.apply(before)
    wait_until(lambda: not session.busy)


def released(window: MainWindow, told: Told, out: Path) -> Path:
    """The bundle, after review, a wrong passphrase and the result were looked at."""
    workspace = in_window(window)
    workspace.steps.choose("release")
    workspace.release.folder.setText(str(out))
    told.look(window)
    useless_band_seen(workspace, told)
    workspace.release.review()
    dialog = workspace.release.dialog
    assert isinstance(dialog, ReleaseDialog)
    wait_until(lambda: dialog.phase is Phase.READY)
    told.look(dialog)
    for passphrase, done in (
        ("wrong", lambda: dialog.phase is Phase.READY and dialog.message.isVisible()),
        (PASSPHRASE, lambda: dialog.phase is Phase.DONE),
    ):
        dialog.typed.setText(f"{NAME}-1.0.0")
        dialog.passphrase.setText(passphrase)
        dialog.release.click()
        wait_until(done)
        told.look(dialog)
    dialog.accept()
    published = workspace.session.release.published
    assert published is not None
    return published.bundle


def tabs_seen(window: MainWindow, told: Told) -> None:
    workspace = in_window(window)
    for number in range(workspace.tabs.count()):
        workspace.tabs.setCurrentIndex(number)
        settle(window)
        told.look(window)
    workspace.tabs.setCurrentIndex(0)


def verified(window: MainWindow, told: Told, bundle: Path, broken: Path) -> None:
    """As it was published, and with a file too few and one changed."""
    shutil.copytree(bundle, broken)
    (broken / "LICENSE.txt").unlink()
    (broken / "README.md").write_text("-", encoding="utf-8")
    workspace = in_window(window)
    for path in (bundle, broken):
        workspace.open_dropped([path])
        wait_until(lambda: workspace.verify.result is not None)
        settle(window)
        told.look(window)


def ledger_seen(window: MainWindow, told: Told, bundle: Path) -> None:
    """Populations of every kind, a link that is asked twice for, notices, the policy."""
    workspace, page = in_window(window), in_window(window).ledger
    year_behind(window.home.ledger, vehicles="lorry")
    workspace.places.to_ledger.setChecked(True)
    wait_until(lambda: page.populations.count() > 3)
    for row in range(page.populations.count()):
        page.populations.setCurrentRow(row)
        name = page.populations.current
        wait_until(
            lambda name=name: (  # type: ignore[misc]
                page.spending is not None and page.spending.population.name == name
            )
        )
        told.look(window)
    page.limits.link.click()
    told.look(window)
    page.limits.policy.click()
    policy = page.limits.findChild(PolicyDialog)
    assert policy is not None
    told.look(policy)
    policy.reject()
    key = window.home.default_key
    for corrects in (True, False):
        notice = NoticeDialog(workspace.session, bundle, key=key, corrects=corrects, parent=window)
        notice.show()
        told.look(notice)
        notice.reject()
    workspace.places.to_ledger.setChecked(False)


def others_seen(window: MainWindow, told: Told, folder: Path) -> None:
    """A comparison, the paper of a key, and files that leave much open."""
    workspace = in_window(window)
    workspace.open_dropped(list(write_pair(folder / "pair", rings=2)))
    wait_until(lambda: workspace.compare.page is not None and workspace.compare.page.found is not None)
    page = workspace.compare.page
    assert page is not None
    for number in range(page.tabs.count()):
        page.tabs.setCurrentIndex(number)
        settle(window)
        told.look(window)
    workspace.places.show_steps()
    imports = [ImportDialog([path], window) for path in (doubtful(folder), unread(folder))]
    paper = KeyPaperDialog(window.home.default_key, window)
    for dialog in (*imports, paper, TableSpeedsQuestion(NAME, window)):
        dialog.show()
        wait_until(lambda dialog=dialog: not getattr(dialog, "busy", False))  # type: ignore[misc]
        told.look(dialog)
        dialog.close()


def doubtful(folder: Path) -> Path:
    """Dates that either order reads, no offset, coordinates exchanged."""
    path = folder / "doubtful.csv"
    rows = [f"7,{n % 9 + 1:02d}/04/2019 10:{n:02d},100.5,13.7,{n}" for n in range(60)]
    path.write_text("\n".join([",".join(COLUMNS), *rows]), encoding="utf-8")
    return path


def unread(folder: Path) -> Path:
    """Times of no form that is read."""
    path = folder / "unread.csv"
    rows = [f"7,{n % 28 + 1:02d}/12/2022 10h{n:02d},21.1,72.8,{n}" for n in range(60)]
    path.write_text("\n".join([",".join(COLUMNS), *rows]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def told(disguised_window: MainWindow, tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder = tmp_path_factory.mktemp("files")
    found = Told(TYPED)
    prepared(disguised_window)
    card_seen(disguised_window, found)
    bundle = released(disguised_window, found, folder / "out")
    card_seen(disguised_window, found)
    tabs_seen(disguised_window, found)
    verified(disguised_window, found, bundle, folder / bundle.name)
    ledger_seen(disguised_window, found, bundle)
    others_seen(disguised_window, found, folder)
    return found


def test_no_english_is_left_of_a_release(told: Told) -> None:
    assert told.english == set()


def test_nothing_of_a_release_is_cut(told: Told) -> None:
    assert told.cut == set()
