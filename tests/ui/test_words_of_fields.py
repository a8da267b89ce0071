"""What fields, buttons and dialogs say before anybody types: to those who see, hover and hear them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QDialog, QLabel, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from core.hats.groups import DAY_KIND, Group
from core.privacy import Relation, Unit
from tests.labelled_city import MAPPED, write_labelled_city
from tests.ui.release_story import WAIT_MS, city_session, make_home, make_page, make_session
from tests.ui.small_city import add_queries
from tests.ui.user_actions import open_sections, show
from ui.budget.limit_dialog import LimitDialog
from ui.kit.spec_words import help_of
from ui.kit.tips import in_lines
from ui.parameters.page import ParametersPage
from ui.parameters.periods_dialog import PeriodsDialog
from ui.parameters.zones_dialog import ZonesDialog
from ui.release.dialog import Phase
from ui.release.key_dialog import KeyDialog
from ui.release.key_paper_dialog import KeyPaperDialog

HEARD = """
A ping every|Add a statistic|Box, east, degrees|Box, north, degrees|Box, south, degrees|Box, west, degrees
Candidate hexagons, separated by spaces|Column of the places|Column that records are chosen by
Comparing grids|Days of a vehicle|End of the hours, exclusive|Epsilon, number|Epsilon, slider|First date
First date: open the calendar|From|Hexagon slots counted (C)|How the candidate hexagons are named
Kind of place|Kinds of day|Labels of direction that count, separated by semicolons|Last date
Last date: open the calendar
Limit per vehicle, over all time|Mean speed, 6|Mechanism|Move the selected statistic up|Percentiles|Population
Proposed ranges|Published statistics|Publisher's key|Recommended grids|Records per vehicle and slot
Remove the range below 1 km/h|Remove the selected statistic|Remove this condition|Resolution|Set the limit
Shares of speeds in ranges, 6|Stop comparing grids|Time zone|Timeslot|To|Values of the column|Vehicles in all
Vehicles per hexagon slot|What the size of a limit means|Where it is described|Where public counts come from
Which of them count|Zones: Choose…|Called|several|Dates and hours|Options|Public constants|What is published
Which hexagons|Who is protected
"""
BUTTONS = """
&Remove|Total per vehicle, divided equally|A&dd|Add a range|Change the limit…|Choose file…|Choose…
Compare &grids|I &confirm this for my data|Load the records in this &zone|Mean speed, 6|More…|Move up
Only dates with records|Only some records…|Op&tions…|Presence too|Proposed|Set|Stop|Values only
The same noise scale B for each|The same for each he&xagon slot|Total per vehicle, divided optimally
a day of it|a vehicle|one visit|direction|kind of day|route|\N{MULTIPLICATION SIGN}|▾|✕
"""
WHILE_EMPTY = """
8742d9d69ffffff …|Choose…|choose or name one|direction: all labels|epsilon|for example Asia/Bangkok|none
optional: checks the signer|values, separated by semicolons|vehicle|vehicles|year-month-day
"""
LISTS = """
Hexagons|Zones of a file|Column of records|Whole area
15 minutes|30 minutes|1 hour|2 hours|4 hours|all hours|Named periods…
All days|Monday to Friday|Saturday and Sunday|Days of a file…
Inside a boundary|A list of hexagons|Busy in every slot|Busy hexagon slots
Boundary in a GeoJSON file|List of H3 cells in a file|Box of coordinates|Typed list of H3 cells
weekday and weekend|kinds of a file…
is|is not
"""
COUNTS_FROM = """
Typed numbers|GTFS timetable: zip archive|GTFS timetable: folder|Older release with “Presence too”
File of public counts (CSV)
"""
HELPED = {
    "Resolution": "hats.resolution",
    "Timeslot": "hats.slot_minutes",
    "Kind of place": "hats.place",
    "Column of the places": "hats.place_column",
    "Zones: Choose…": "hats.zones",
    "Kinds of day": "hats.day_kinds",
    "Called": "privacy.subject",
    "several": "privacy.subject_plural",
    "Hexagon slots counted (C)": "privacy.hats_per_vehicle",
    "Days of a vehicle": "privacy.days_per_vehicle",
}
HOVERED = """
Map and table show the first statistic.|Limit per day, and delta for Gaussian noise|Mean speed, 6
Labels of direction that count, separated by semicolons|Remove the range 45 to 65 km/h|west, degrees
Hexagon slot: One hexagon (H3 cell) in one timeslot of the day.|Source: ours, city-release
"""
OF_PAGE = """
Bus speeds by hexagon and hour|follows the title|your city or office|opendata@city.example
Folder that receives the bundle|Choose the folder|Practising
Epsilon policy in the bundle|Exact counts beside each number|Choose…|Make a &key…|Bac&kup on paper…
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
OF_TEXTS = ("title", "name", "version", "publisher", "contact", "licence", "policy")


def _primary(place: QWidget) -> list[str]:
    """The buttons that are proposed."""
    return [one.text() for one in place.findChildren(QAbstractButton) if one.property("look") == "primary"]


def listed(texts: str) -> set[str]:
    return {text for line in texts.strip().split("\n") for text in line.split("|")}


def test_each_field_of_the_parameters_says_what_it_is_for(qtbot: QtBot, tmp_path: Path) -> None:
    make_home()
    session = make_session(qtbot, write_labelled_city(tmp_path / "city", (MAPPED,)))
    page = ParametersPage(session)
    open_sections(page)
    show(qtbot, page, width=400)
    assert page.published.remove.toolTip() == "A release publishes at least one."
    page.hexagons.filter.add.click()
    session.edit("Groups", groups=(Group("direction"), Group(DAY_KIND)))
    add_queries(qtbot, session, "share")
    page.published.choose(1)
    parts = page.findChildren(QWidget)
    names = {one.accessibleName() for one in parts}
    assert listed(HEARD) - names == set()
    buttons = page.findChildren(QAbstractButton)
    assert listed(BUTTONS) - {one.text() for one in buttons} == set()
    assert listed(WHILE_EMPTY) - {getattr(one, "placeholderText", str)() for one in parts} == set()
    lists = [[box.itemText(row) for row in range(box.count())] for box in page.findChildren(QComboBox)]
    assert [line for line in LISTS.strip().split("\n") if line.split("|") not in lists] == []
    assert COUNTS_FROM.strip().replace("\n", "|").split("|") in lists
    numbers = [one.text() for one in page.findChildren(QAbstractSpinBox)]
    assert {"2 vehicles/day", "30 s"} <= set(numbers)
    assert numbers.count("not typed") == 5, "public constants and counts"
    hovered = {one.accessibleName(): one.toolTip() for one in parts}
    assert {name: hovered[name] for name in HELPED} == {
        name: in_lines(help_of(key)) for name, key in HELPED.items()
    }
    assert listed(HOVERED) - {one.toolTip() for one in parts} == set()
    assert page.published.remove.toolTip() == ""
    session.choose_relation("Relation", Relation.USER)
    session.edit("Unit", unit=Unit.VEHICLE)
    qtbot.waitUntil(lambda: not session.busy, timeout=WAIT_MS)
    assert page.hexagons.groups.labels["direction"].placeholderText() == "direction: type the labels"
    assert page.hexagons.threshold.text() == "10"


def said(place: QWidget) -> set[str]:
    """What is read, hovered and heard of all its parts."""
    parts = place.findChildren(QWidget)
    written = [one.text() for one in parts if isinstance(one, QAbstractButton | QLabel)]
    hinted = [getattr(one, "placeholderText", str)() for one in parts]
    return {*written, *hinted, *(one.toolTip() for one in parts), *(one.accessibleName() for one in parts)}


def test_each_part_of_the_release_and_of_its_dialogs_says_what_it_is_for(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = city_session(qtbot, tmp_path)
    page = make_page(qtbot, session, tmp_path / "out")
    assert listed(OF_PAGE) - said(page) == set()
    assert {in_lines(help_of(f"release.{key}")) for key in OF_TEXTS} <= said(page)
    key = session.home.default_key
    public = key.with_suffix(".pub")
    where = f"The key, for you alone:\n{key}\nIts public part, for your own site:\n{public}"
    assert page.key_box.text.toolTip() == where
    page.review()
    review = page.dialog
    assert review is not None
    qtbot.waitUntil(lambda: review.phase is Phase.READY, timeout=WAIT_MS)
    assert listed(OF_REVIEW) - said(review) == set()
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
    assert {one.windowTitle(): listed(OF_DIALOGS[one.windowTitle()]) - said(one) for one in dialogs} == {
        title: set() for title in OF_DIALOGS
    }
    assert [one.text() for one in dialogs[3].findChildren(QSpinBox)] == ["the layer has areas"]
    proposed = [_primary(one) for one in (page, *dialogs)]
    assert proposed == [
        ["&Review and release…", "Verif&y the bundle", "&Sign and release"],
        ["&Make the key"],
        ["&Write the page"],
        ["Save"],
        ["&Use these zones"],
        ["&Use these periods"],
    ]
