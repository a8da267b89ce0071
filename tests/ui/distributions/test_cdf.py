"""The section *CDF*: a simulated release of the replica, the released curve, and never a true one."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.bundle.release_result import PUBLISHED, SUPPRESSED, HatRow, Release
from core.draft.draft import QueryDraft
from core.evaluate.cdf_example import cdf_example
from core.evaluate.replica import replica
from core.privacy import Unit
from core.progress import Progress
from core.release.prepare_publish import PublishedRelease
from core.statistics.base import Estimate
from core.statistics.cdf import CUMULATIVE_SHARE, CdfParams
from core.system.paths import find_home
from tests.builders import CELLS, make_query, make_release
from tests.ui.languages import spoken
from tests.ui.small_city import edit, planned_session
from tests.ui.user_actions import show as put_on_screen
from ui.distributions import cdf as page
from ui.distributions.cdf import CdfSection
from ui.distributions.cdf_curves import CdfCurves, CdfRequest, points, simulated_curves
from ui.kit.glossary import term_tip
from ui.kit.jobs import wait_for_all
from ui.kit.theme import DARK, Mode, Theme
from ui.language.translation import catalogue_of
from ui.session.guards.plots import RELEASED_DISTRIBUTION
from ui.session.guards.reasons import first_reason
from ui.session.session import Session

pytestmark = pytest.mark.usefixtures("_no_work_left")

TIMEOUT = 10_000
ONE = Decimal(1)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[CdfRequest]:
    """What workers were asked for, in order."""
    made: list[CdfRequest] = []
    real = page.simulated_curves

    def noting(request: CdfRequest, progress: Progress) -> CdfCurves:
        made.append(request)
        return real(request, progress)

    monkeypatch.setattr(page, "simulated_curves", noting)
    return made


def make_row(cell: str, hour: int, *estimates: Estimate) -> HatRow:
    return HatRow(
        cell=cell,
        slot_start=f"{hour:02d}:00",
        slot_end=f"{hour + 1:02d}:00",
        status=PUBLISHED if estimates else SUPPRESSED,
        epsilon=Decimal("0.500123") if estimates else Decimal(0),
        estimates=estimates,
    )


def cdf_release() -> Release:
    """Four bins in one HAT; another one is suppressed."""
    shares = ((16_250, 100_000, 0, 220_000), (32_500, 600_000, 480_000, 730_000), (48_750, 900_000, 0, 10**6))
    estimates = [
        Estimate(
            measure=CUMULATIVE_SHARE.name, value=value, low=low, high=high, bias_bound=30_000, label=edge
        )
        for edge, value, low, high in (*shares, (65_000, 10**6, 10**6, 10**6))
    ]
    rows = (make_row(CELLS[0], 9, *estimates), make_row(CELLS[0], 10))
    query = make_query(query_id="speed_cdf", statistic="cdf", mechanism="cdf", rows=rows)
    return make_release(queries=(make_query(), query))


def publish(session: Session, release: Release) -> None:
    session.release.set_published(PublishedRelease(bundle=Path(), entry=1, repeated=False, release=release))


def show(qtbot: QtBot, session: Session, theme: Theme) -> CdfSection:
    section = CdfSection(session, theme)
    put_on_screen(qtbot, section, width=740, height=620)
    finish(qtbot, section)
    return section


def finish(qtbot: QtBot, section: CdfSection) -> None:
    qtbot.waitUntil(
        lambda: section.complete and not section.plot.due and not section.plot.computing.running,
        timeout=TIMEOUT,
    )


def settle(qtbot: QtBot, section: CdfSection) -> None:
    qtbot.waitUntil(lambda: not section.plot.due, timeout=TIMEOUT)


def drawn(section: CdfSection) -> CdfCurves:
    assert section.canvas is not None
    assert section.canvas.isVisible()
    assert section.canvas.curves is not None
    return section.canvas.curves


def test_the_replica_needs_no_data(qtbot: QtBot, theme: Theme, asked: list[CdfRequest]) -> None:
    section = show(qtbot, Session(find_home(None)), theme)
    assert [request.epsilon for request in asked] == [ONE]
    example = cdf_example(replica(), CdfParams(), ONE, seed=1)
    curves = drawn(section)
    assert curves.exact is not None
    assert curves.exact.tolist() == example.exact.tolist()
    assert curves.released.tolist() == example.released.tolist()
    assert (curves.low.tolist(), curves.high.tolist()) == (example.low.tolist(), example.high.tolist())
    assert section.badge.text() == "Simulated"
    assert section.badge.isVisible()
    assert section.minimumSizeHint().width() <= 411  # what a small screen leaves
    captions = {
        text.text(): text.toolTip().replace("\n", " ") for text in section.choices.findChildren(QLabel)
    }
    assert captions["Records per vehicle"] == term_tip("m_UB")  # plain words, the term behind the mouse
    facts = section.facts.text().replace("\u00a0", " ")
    assert facts.startswith("ε 1 per hexagon slot. Noise ")
    assert "; tree 26 × 25; m_UB 46." in facts
    assert f"worst-case bias {100 * example.bias_bound:.0f} percentage points" in facts


def test_draw_again_takes_other_noise(qtbot: QtBot, theme: Theme, asked: list[CdfRequest]) -> None:
    section = show(qtbot, Session(find_home(None)), theme)
    first = drawn(section)
    section.again.setFocus()
    qtbot.keyClick(section.again, Qt.Key.Key_Space)
    finish(qtbot, section)
    second = drawn(section)
    assert first.exact is not None
    assert second.exact is not None
    assert (first.exact == second.exact).all()
    assert (first.released != second.released).any()
    assert [request.seed for request in asked] == [1, 2]


def test_ones_own_parameters_are_drawn_with(qtbot: QtBot, theme: Theme, asked: list[CdfRequest]) -> None:
    section = show(qtbot, Session(find_home(None)), theme)
    choices = section.choices
    choices.bins.setValue(5)
    finish(qtbot, section)
    assert drawn(section).edges.tolist() == [13.0, 26.0, 39.0, 52.0, 65.0]
    choices.tree.setFocus()
    assert choices.tree.currentText() == "the best (mixed)"
    while choices.tree.currentData() != "flat":
        qtbot.keyClick(choices.tree, Qt.Key.Key_Up)
    choices.weights.setFocus()
    qtbot.keyClick(choices.weights, Qt.Key.Key_Down)
    finish(qtbot, section)
    assert asked[-1].params == CdfParams(bins=5, tree="flat", weights="user")
    assert not choices.m_ub.isEnabled()
    assert "m_UB" not in section.facts.text()
    assert "tree 5." in section.facts.text().replace("\u00a0", " ")


def test_the_query_of_the_draft_goes_before_ones_own(
    qtbot: QtBot, theme: Theme, tmp_path: Path, asked: list[CdfRequest]
) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(3)))
    section = show(qtbot, session, theme)
    assert asked[-1].epsilon == 3
    curve = QueryDraft(
        id="curve", statistic="cdf", parameters={"bins": 13, "m_ub": 40}, budget=Budget(total=Decimal(4))
    )
    edit(qtbot, session, queries=(session.draft.leading, curve))
    finish(qtbot, section)
    assert asked[-1].params == CdfParams(bins=13, m_ub=40)
    assert asked[-1].epsilon == 2  # a total of 4, and a vehicle is in two HATs
    assert not section.choices.bins.isEnabled()
    assert section.choices.bins.value() == 13
    assert section.choices.m_ub.currentText() == "40"
    assert section.facts.text().startswith("ε 2 as in step Parameters. ")
    wrong = dataclasses.replace(curve, parameters={"bins": 1})
    session.edit("change", queries=(session.draft.leading, wrong))
    qtbot.waitUntil(
        lambda: section.plot.empty.reason.text() == "Bins: this value is not allowed.", timeout=TIMEOUT
    )
    assert section.plot.empty.isVisible()
    assert not section.title.isVisible()
    edit(qtbot, session, queries=(session.draft.leading,))
    finish(qtbot, section)
    assert section.choices.bins.isEnabled()
    assert section.choices.bins.value() == 650


def test_what_cannot_be_drawn_is_explained(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    section = show(qtbot, session, theme)
    edit(qtbot, session, budget=Budget(per_hat=Decimal("0.000001")))
    qtbot.waitUntil(section.plot.empty.isVisible, timeout=TIMEOUT)
    assert section.plot.empty.reason.text().startswith("An epsilon of 0.000001 cannot be divided")
    assert not section.badge.isVisible()


def test_a_hidden_section_computes_nothing(
    qtbot: QtBot, theme: Theme, tmp_path: Path, asked: list[CdfRequest]
) -> None:
    session = planned_session(qtbot, tmp_path)
    section = CdfSection(session, theme)
    qtbot.addWidget(section)
    edit(qtbot, session, budget=Budget(per_hat=Decimal(3)))
    assert wait_for_all(10)
    assert asked == []
    section.show()
    finish(qtbot, section)
    section.hide()
    section.show()
    finish(qtbot, section)
    assert len(asked) == 1


def test_the_released_curve_is_that_of_the_chosen_hat(
    qtbot: QtBot, theme: Theme, asked: list[CdfRequest]
) -> None:
    session = Session(find_home(None))
    section = show(qtbot, session, theme)
    section.replica.setFocus()
    qtbot.keyClick(section.replica, Qt.Key.Key_Right)
    settle(qtbot, section)
    assert section.released.isChecked()
    assert section.plot.empty.reason.text() == "No released distribution yet"
    assert not section.again.isVisible()
    assert not section.choices.isVisible()
    with qtbot.waitSignal(session.ledger_changed, timeout=TIMEOUT):
        publish(session, cdf_release())
    settle(qtbot, section)
    assert section.plot.empty.reason.text() == "No hexagon slot is chosen"
    session.chosen.choose_hat(CELLS[0], 10)
    settle(qtbot, section)
    assert section.plot.empty.reason.text() == f"Hexagon {CELLS[0]} at 10:00 is suppressed"
    session.chosen.choose_hat(CELLS[1], 9)
    settle(qtbot, section)
    assert section.plot.empty.reason.text() == f"Hexagon {CELLS[1]} at 09:00 is not in the release"
    session.chosen.choose_hat(CELLS[0], 9)
    settle(qtbot, section)
    curves = drawn(section)
    assert curves.edges.tolist() == [16.25, 32.5, 48.75, 65.0]
    assert curves.released.tolist() == [0.1, 0.6, 0.9, 1.0]
    assert curves.low.tolist() == [0.0, 0.48, 0.0, 1.0]
    assert curves.high.tolist() == [0.22, 0.73, 1.0, 1.0]
    assert curves.exact is None
    assert not section.badge.isVisible()
    assert "exact" not in section.legend.text()
    assert section.title.text() == f"Hexagon {CELLS[0]} at 09:00, as released"
    facts = section.facts.text().replace("\u00a0", " ")
    assert facts.startswith("ε 0.501 per hexagon slot; here ")
    assert "; here the 95 % band reaches 90 percentage points" in facts
    assert "bias is 3 percentage points" in facts
    section.replica.setChecked(True)
    settle(qtbot, section)
    finish(qtbot, section)
    assert drawn(section).exact is not None
    assert len(asked) == 1


@pytest.mark.parametrize("practised", [False, True])
def test_a_released_curve_says_what_must_be_known_of_it(
    qtbot: QtBot, theme: Theme, tmp_path: Path, practised: bool
) -> None:
    """As map and table do; the replica's curve says nothing of it."""
    session = Session(find_home(None))
    section = show(qtbot, session, theme)
    bundle = tmp_path / "practice-bus-1.0.0"
    released = PublishedRelease(bundle=bundle, entry=1, repeated=False, release=cdf_release())
    session.release.set_practised(released) if practised else publish(session, cdf_release())
    session.chosen.choose_hat(CELLS[0], 9)
    section.released.setChecked(True)
    settle(qtbot, section)
    own = "PRACTICE: this is no release."
    assert section.remarks.isVisible() is practised
    assert section.remarks.text() == (own if practised else "")
    assert drawn(section) is not None
    assert section.canvas is not None
    assert (own in section.canvas.accessibleDescription()) is practised
    session.edit("Unit", unit=Unit.VEHICLE_DAY)
    settle(qtbot, section)
    other = "Made with other settings than those chosen now."
    assert section.remarks.isVisible()
    assert section.remarks.text() == (f"{own} {other}" if practised else other)
    assert other in section.canvas.accessibleDescription()
    section.replica.setChecked(True)
    settle(qtbot, section)
    finish(qtbot, section)
    assert not section.remarks.isVisible()
    assert other not in section.canvas.accessibleDescription()
    qtbot.waitUntil(lambda: not session.ledger.running, timeout=TIMEOUT)


@pytest.mark.usefixtures("qapp")
def test_a_release_without_a_distribution_has_none() -> None:
    session = Session(find_home(None))
    publish(session, make_release())
    session.chosen.choose_hat(CELLS[0], 9)
    found = first_reason(session, RELEASED_DISTRIBUTION)
    assert found is not None
    assert found.what == "No released distribution yet"


def test_the_curve_is_told_in_words_and_under_the_pointer(qtbot: QtBot, theme: Theme) -> None:
    session = Session(find_home(None))
    publish(session, cdf_release())
    session.chosen.choose_hat(CELLS[0], 9)
    section = show(qtbot, session, theme)
    canvas = section.canvas
    assert canvas is not None
    assert canvas.accessibleName() == "Distribution of speeds"
    canvas.read_out(20.0, QPointF(60, 60))
    assert "At most 20 km/h" in canvas.readout
    assert "simulated" in canvas.readout
    assert "exact" in canvas.readout
    section.released.setChecked(True)
    settle(qtbot, section)
    assert "A quarter at most 32.5 km/h, half at most 32.5" in canvas.accessibleDescription()
    assert canvas.readout == ""
    canvas.read_out(33.0, QPointF(60, 60))
    assert "60.0\u00a0%" in canvas.readout
    assert "48.0\u00a0% – 73.0\u00a0%" in canvas.readout
    assert "exact" not in canvas.readout
    qtbot.waitUntil(lambda: not session.ledger.running, timeout=TIMEOUT)


def test_all_is_named_and_follows_the_theme(qtbot: QtBot, theme: Theme) -> None:
    section = show(qtbot, Session(find_home(None)), theme)
    choices = section.choices
    for editor in (choices.bins, choices.tree, choices.weights, choices.m_ub):
        assert editor.accessibleName()
        assert editor.accessibleDescription()
        assert editor.focusPolicy() & Qt.FocusPolicy.TabFocus
    theme.set_mode(Mode.DARK)
    assert section.canvas is not None
    assert section.canvas._plot.backgroundBrush().color().name() == DARK.surface
    assert DARK.accent in section.legend.text()
    theme.set_mode(Mode.LIGHT)


def test_many_bins_are_thinned_for_the_eye_only(qtbot: QtBot, theme: Theme) -> None:
    section = show(qtbot, Session(find_home(None)), theme)
    section.choices.bins.setValue(10_000)
    finish(qtbot, section)
    curves = drawn(section)
    assert curves.released.size == 10_000
    assert section.canvas is not None
    speeds, shares = section.canvas._released.getData()
    assert speeds.size == 1001
    assert (speeds[0], shares[0]) == (0.0, 0.0)
    assert (speeds[-1], shares[-1]) == (65.0, 100.0)
    assert np.isin(speeds[1:], curves.edges).all()


def test_differences_are_told_as_finely_as_they_matter() -> None:
    told = [points(share).replace("\u00a0", " ") for share in (0.0, 4e-6, 0.0123, 0.5321)]
    assert told == [
        "0 percentage points",
        "under 0.01 percentage points",
        "1.2 percentage points",
        "53 percentage points",
    ]


def test_a_band_that_tells_nothing_is_said_to_be_of_no_use(qtbot: QtBot, theme: Theme) -> None:
    section = CdfSection(Session(find_home(None)), theme)
    put_on_screen(qtbot, section, width=740, height=620)
    finish(qtbot, section)
    curves = drawn(section)
    assert not curves.useless
    wide = dataclasses.replace(
        curves, low=np.where(curves.edges < 65, 0.0, 1.0), high=np.ones(curves.edges.size)
    )
    section._show(wide)
    assert section.useless.isVisible()
    assert "This band is of no use" in section.useless.text()
    assert "lies below a value that may be anywhere from 0 to 65 km/h." in section.useless.text()
    assert section.canvas is not None
    assert "of no use" in section.canvas.accessibleDescription()
    section._show(curves)
    assert not section.useless.isVisible()


def test_facts_end_with_the_full_stop_of_their_script(qtbot: QtBot, theme: Theme, qapp: QApplication) -> None:
    with spoken(qapp, catalogue_of("hi")):
        section = CdfSection(Session(find_home(None)), theme)
        put_on_screen(qtbot, section, width=740, height=620)
        finish(qtbot, section)
        assert section.facts.text().endswith("।")


def test_the_choices_stand_next_to_each_other_on_a_small_screen(qtbot: QtBot, theme: Theme) -> None:
    section = CdfSection(Session(find_home(None)), theme)
    put_on_screen(qtbot, section, width=740, height=620)
    boxes = [editor.parentWidget() for editor in (section.choices.bins, section.choices.tree)]
    for width in range(740, 480, -20):
        section.resize(width, 620)
        QApplication.processEvents()
        bins, tree = (box.geometry() for box in boxes if box is not None)
        assert tree.left() - bins.right() < 18, width


def test_a_request_names_its_picture() -> None:
    request = CdfRequest(params=CdfParams(bins=10), epsilon=ONE, seed=3, query_id="")
    heard: list[float] = []

    def note(done: float, text: str = "") -> None:
        assert text
        heard.append(done)

    one, two = simulated_curves(request, note), simulated_curves(request, note)
    assert (one.released == two.released).all()
    assert heard == [0.0, 1.0, 0.0, 1.0]


def test_in_hindi_less_follows_what_it_is_less_than(qapp: QApplication) -> None:
    with spoken(qapp, catalogue_of("hi")):
        assert points(4e-6).replace("\u00a0", " ") == "0.01 प्रतिशत अंक से कम"
