"""ui.parameters.constants_box: C begins untyped; public counts tell the best, and which noise is smaller."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.prior.public_prior import PublicPrior
from core.prior.public_source import SourceRequest
from core.privacy import Relation, Unit
from tests.ui.taxi_story import WAIT, rest, taxi_session, type_constants, user_session
from tests.ui.user_actions import press, show, texts
from ui.kit.spec_words import help_of
from ui.kit.tips import in_lines
from ui.parameters.constants_box import ConstantsBox
from ui.parameters.page import ParametersPage
from ui.session.session import Session


def made(qtbot: QtBot, session: Session) -> ConstantsBox:
    box = ConstantsBox(session)
    session.draft_changed.connect(box.refresh)
    show(qtbot, box, width=320)
    return box


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Session:
    return user_session(qtbot, tmp_path)


@pytest.fixture
def box(qtbot: QtBot, session: Session) -> ConstantsBox:
    found = made(qtbot, session)
    known(qtbot, found, session)
    return found


def known(qtbot: QtBot, box: ConstantsBox, session: Session) -> None:
    rest(qtbot, session)
    hats = session.draft.hats_per_vehicle
    qtbot.waitUntil(
        lambda: box.outlook is not None and (hats is None or f"{hats}" in box.best.text()), timeout=WAIT
    )


def test_constants_are_of_relation_user_alone(qtbot: QtBot, tmp_path: Path) -> None:
    session = taxi_session(qtbot, tmp_path)
    page = ParametersPage(session)
    qtbot.addWidget(page)
    assert page.sections["constants"].isHidden()
    session.choose_relation("Relation", Relation.USER)
    assert not page.sections["constants"].isHidden()
    for box, key in ((page.constants.hats, "hats_per_vehicle"), (page.constants.days, "days_per_vehicle")):
        assert (box.text(), box.toolTip()) == ("not typed", in_lines(help_of(f"privacy.{key}")))
    rest(qtbot, session)


def test_without_public_counts_it_says_what_is_missing(qtbot: QtBot, tmp_path: Path) -> None:
    session = taxi_session(qtbot, tmp_path)
    type_constants(qtbot, session, tmp_path, hats=None)
    session.edit("Prior", prior=PublicPrior())
    rest(qtbot, session)
    box = made(qtbot, session)
    assert "Public estimates are missing" in texts(box)
    assert not box.use_best.isVisible()


def test_one_click_takes_the_best_constant(qtbot: QtBot, box: ConstantsBox, session: Session) -> None:
    assert box.outlook is not None
    best = box.outlook.best.hats_per_vehicle
    assert best != 4
    assert "Yours, 4:" in box.best.text()
    press(qtbot, box.use_best)
    assert session.draft.hats_per_vehicle == best
    known(qtbot, box, session)
    qtbot.waitUntil(lambda: not box.use_best.isVisible(), timeout=WAIT)
    assert box.best.text().startswith(f"✓ C = {best} is best")
    session.undo_stack.undo()
    assert session.draft.hats_per_vehicle == 4
    assert box.hats.value() == 4
    rest(qtbot, session)


def test_it_tells_from_where_gaussian_noise_pays_and_takes_it(
    qtbot: QtBot, box: ConstantsBox, session: Session
) -> None:
    assert "Gaussian noise pays off from 12 hexagon slots per vehicle." in box.gaussian.text()
    assert "With C = 4 Laplace noise is smaller, and is taken." in box.gaussian.text()
    assert not box.use_noise.isVisible()  # the better one is taken by itself
    session.edit_query("Noise", parameters={"noise": "gauss"})
    qtbot.waitUntil(box.use_noise.isVisible, timeout=WAIT)
    assert "With C = 4 take Laplace noise." in box.gaussian.text()
    press(qtbot, box.use_noise)
    assert session.draft.leading.parameters == {"noise": "laplace"}
    rest(qtbot, session)


def test_another_total_has_another_best(qtbot: QtBot, box: ConstantsBox, session: Session) -> None:
    before = box.outlook
    session.set_budget("Epsilon", Budget(total=Decimal(200)))
    qtbot.waitUntil(
        lambda: box.outlook is not before and box.outlook is not None and box.outlook.total == 200,
        timeout=WAIT,
    )
    assert "total of 200" in box.best.text()
    rest(qtbot, session)


def test_typing_the_constant_is_an_undo_step(qtbot: QtBot, box: ConstantsBox, session: Session) -> None:
    box.hats.setFocus()
    box.hats.selectAll()
    qtbot.keyClicks(box.hats, "9")
    box.hats.clearFocus()
    assert session.draft.hats_per_vehicle == 9
    steps = session.undo_stack.count()
    box.hats.stepUp()
    box.hats.stepUp()
    assert (session.draft.hats_per_vehicle, session.undo_stack.count()) == (11, steps)
    rest(qtbot, session)
    box.hats.setValue(0)
    assert session.draft.hats_per_vehicle is None
    rest(qtbot, session)
    assert session.planning.problem is not None
    assert session.planning.problem.where == "privacy.hats_per_vehicle"


def test_a_plan_by_public_counts_has_no_such_constant(
    qtbot: QtBot, box: ConstantsBox, session: Session
) -> None:
    session.set_mechanism("Mechanism", "plan-and-enforce", {})
    assert not box.hats.isVisible()
    rest(qtbot, session)
    assert session.planning.problem is None
    assert session.forecast is not None
    assert session.forecast.plans[0].bounded is not None
    assert session.forecast.plans[0].bounded.enforced


def test_days_are_a_constant_where_a_day_is_protected_and_steps_of_them_are_one(
    qtbot: QtBot, box: ConstantsBox, session: Session
) -> None:
    assert box.caption.text() == "Hexagon slots counted (C)"
    box.days.setValue(5)
    steps = session.undo_stack.count()
    box.days.stepUp()
    assert (session.draft.days_per_vehicle, session.undo_stack.count()) == (6, steps)
    box.days.setValue(0)
    assert session.draft.days_per_vehicle is None
    session.edit("Unit", unit=Unit.VEHICLE_DAY)
    assert box.caption.text() == box.hats.accessibleName() == "Slots counted a day (C)"
    rest(qtbot, session)


def test_public_counts_that_cannot_be_read_suggest_nothing_and_say_why(
    qtbot: QtBot, box: ConstantsBox, session: Session, tmp_path: Path
) -> None:
    assert box.gaussian.isVisible()
    (tmp_path / "counts.csv").write_text("nothing,of,it\n", encoding="utf-8")
    session.edit(
        "Counts", prior=PublicPrior(fleet=60, source=SourceRequest(path=str(tmp_path / "counts.csv")))
    )
    qtbot.waitUntil(
        lambda: box.outlook is None and box.best.text().startswith("C cannot be suggested yet: "),
        timeout=WAIT,
    )
    shown = (box.gaussian, box.use_best, box.use_noise)
    qtbot.waitUntil(lambda: not any(part.isVisible() for part in shown), timeout=WAIT)
    rest(qtbot, session)


def test_without_a_delta_it_says_what_gaussian_noise_needs(
    qtbot: QtBot, box: ConstantsBox, session: Session
) -> None:
    needs = "Gaussian noise needs a population with a delta (More… beside its limit)."
    session.edit_query("Noise", parameters={"noise": "laplace"})  # which no delta plans anew
    rest(qtbot, session)
    Ledger.open(session.home.ledger).set_limit(session.draft.population, per_vehicle=Decimal(50))
    session.ledger.read()
    qtbot.waitUntil(lambda: box.gaussian.text() == needs, timeout=WAIT)
    session.edit("Population", population="")
    rest(qtbot, session)
    assert box.gaussian.text() == needs
    assert not box.use_noise.isVisible()
    rest(qtbot, session)
