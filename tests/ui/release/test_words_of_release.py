"""What step Release and the dialogs of its way say before anybody types or presses anything."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.release_story import WAIT_MS, city_session, make_page
from ui.budget.limit_dialog import LimitDialog
from ui.kit.spec_words import help_of
from ui.kit.tips import in_lines
from ui.parameters.periods_dialog import PeriodsDialog
from ui.parameters.zones_dialog import ZonesDialog
from ui.release.dialog import Phase
from ui.release.key_dialog import KeyDialog
from ui.release.key_paper_dialog import KeyPaperDialog

OF_PAGE = """
Bus speeds by hexagon and hour|follows the title|your city or office|opendata@city.example
Folder that receives the bundle|Choose the folder|Practising
Epsilon policy in the bundle|Exact counts beside each number|Choose…|Make a &key…|&Backup on paper…
&Review and release…|Practice release|Fit to what is left|Change the limit…
&Title|Na&me|Vers&ion|&Licence|P&ublisher|&Contact|Folder of the bundle: test-speed-1.0.0
Lowers every epsilon of this release by the same share.
A page with the key as words and as a code, to be printed
Nothing is spent and no key is needed: its ledger and its key are thrown away.
"""
OF_REVIEW = """
Progress|test-speed-1.0.0|&Yes|&No|&Cancel|Check a&gain|&Sign and release|&Details|P&rint…
Everything that is checked and signed, with every figure|This page as a PDF, with a line for a signature
"""
OF_DIALOGS = {
    "Make a signing key": "&Make the key|Cancel|&Passphrase|The same &again",
    "Backup of the key on paper": (
        "Page|Choose where the page is written|&Write the page|&Open it to print|Choose…|Close|Pa&ge"
        "|&Passphrase"
    ),
    "Limit of a population": (
        "no limit|Save|Cancel|&Population|Epsilon per &vehicle, over all time|Epsilon per vehicle and &day"
        "|D&elta"
    ),
    "Zones of a file": (
        "File|Layer|Field of the ids|Field of the names|Licence|Around lines|CC-BY-4.0|Choose file…|Cancel"
        "|&Use these zones|Choose the file of the zones first.|&File|&Layer|Field of the &ids"
        "|Field of the &names|Licen&ce|&Around lines"
    ),
    "Named periods": (
        "Periods: name, from, to|&Add a period|&Remove|&Use these periods|Cancel"
        "|Between 09:00 and 21:00; periods must not overlap. Their names are published."
    ),
}
HELPED = ("title", "name", "version", "publisher", "contact", "licence", "policy")


def said(place: QWidget) -> set[str]:
    """What is read, hovered and heard of all its parts."""
    parts = place.findChildren(QWidget)
    written = [one.text() for one in parts if isinstance(one, QAbstractButton | QLabel)]
    hinted = [getattr(one, "placeholderText", str)() for one in parts]
    return {*written, *hinted, *(one.toolTip() for one in parts), *(one.accessibleName() for one in parts)}


def wanted(listed: str) -> set[str]:
    return {text for line in listed.strip().split("\n") for text in line.split("|")}


def test_each_part_says_what_it_is_for(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    assert wanted(OF_PAGE) - said(page) == set()
    assert {in_lines(help_of(f"release.{key}")) for key in HELPED} <= said(page)
    key = session.home.default_key
    public = key.with_suffix(".pub")
    where = f"The key, for you alone:\n{key}\nIts public part, for your own site:\n{public}"
    assert page.key_box.text.toolTip() == where
    page.review()
    review = page.dialog
    assert review is not None
    qtbot.waitUntil(lambda: review.phase is Phase.READY, timeout=WAIT_MS)
    assert wanted(OF_REVIEW) - said(review) == set()
    review.reject()
    dialogs: list[QDialog] = [
        KeyDialog(session.home),
        KeyPaperDialog(key),
        LimitDialog(session),
        ZonesDialog(None),
        PeriodsDialog((), ("09:00", "21:00")),
    ]
    for dialog in dialogs:
        qtbot.addWidget(dialog)
    assert {one.windowTitle(): wanted(OF_DIALOGS[one.windowTitle()]) - said(one) for one in dialogs} == {
        title: set() for title in OF_DIALOGS
    }
    assert [one.text() for one in dialogs[3].findChildren(QSpinBox)] == ["the layer has areas"]
