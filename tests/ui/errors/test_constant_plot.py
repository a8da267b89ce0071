"""ui.errors.constant_plot: curves over C from public counts alone, in relation user."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.prior.public_prior import PublicPrior
from core.privacy import Relation
from tests.ui.taxi_story import WAIT, rest, taxi_session, user_session
from tests.ui.user_actions import show, texts
from ui.errors.constant_plot import ConstantPlotSection
from ui.errors.error_tabs import ErrorTabs
from ui.kit.theme import Theme
from ui.session.session import Session


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return user_session(qtbot, tmp_path)


def drawn(qtbot: QtBot, session: Session, theme: Theme) -> ConstantPlotSection:
    section = ConstantPlotSection(session, theme)
    show(qtbot, section, width=700, height=600)
    qtbot.waitUntil(lambda: section.canvas is not None and section.canvas.outlook is not None, timeout=WAIT)
    return section


def test_both_noises_are_drawn_with_their_best(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = drawn(qtbot, session, theme)
    assert section.outlook is not None
    assert section.canvas is not None
    assert len(section.outlook.curves) == 2
    told = texts(section)
    assert "Error against C at a total of 10" in told
    legend = "Solid, dot: Laplace noise; dashed, diamond: Gaussian noise; marks: the best C"
    assert f"{legend} (from constants and public counts alone)\n" in told
    assert "Gaussian noise pays off from 12 hexagon slots per vehicle." in told
    for curve in section.outlook.curves:
        assert f"C = {curve.best.hats_per_vehicle}, {curve.best.error_kmh:.2f} km/h" in told
    assert section.summary.text() == section.canvas.accessibleDescription()


def test_the_pointer_reads_the_nearest_constant(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = drawn(qtbot, session, theme)
    canvas = section.canvas
    assert canvas is not None
    found = canvas._read(0.31)
    assert found is not None
    assert found[0] == pytest.approx(0.30103)
    assert "C = 2" in found[1]
    assert "Laplace" in found[1]
    assert "Gaussian" in found[1]


def test_another_constant_moves_the_line(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = drawn(qtbot, session, theme)
    before = section.outlook
    session.edit("C", hats_per_vehicle=9)
    qtbot.waitUntil(lambda: section.outlook is not before, timeout=WAIT)
    assert section.outlook is not None
    assert section.outlook.choice(9, "auto") is not None
    rest(qtbot, session)


def test_what_is_missing_stands_in_its_place(qtbot: QtBot, session: Session, theme: Theme) -> None:
    section = drawn(qtbot, session, theme)
    session.edit("Prior", prior=PublicPrior())
    qtbot.waitUntil(lambda: "Public estimates" in texts(section), timeout=WAIT)
    assert not section.summary.isVisible()
    rest(qtbot, session)


def test_without_a_delta_there_is_one_curve(qtbot: QtBot, session: Session, theme: Theme) -> None:
    session.edit("Population", population="")
    rest(qtbot, session)
    section = drawn(qtbot, session, theme)
    assert "Laplace noise; the dot is the best C (from constants and public counts alone)\n" in texts(section)


def test_the_section_is_offered_in_relation_user_alone(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    session = taxi_session(qtbot, tmp_path)
    tabs = ErrorTabs(session, theme)
    qtbot.addWidget(tabs)
    constants = tabs.sections.indexOf(tabs.constants)
    assert not tabs.sections.isTabVisible(constants)
    session.choose_relation("Relation", Relation.USER)
    assert tabs.sections.isTabVisible(constants)
    session.undo_stack.undo()
    assert not tabs.sections.isTabVisible(constants)
    rest(qtbot, session)
