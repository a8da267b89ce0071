"""The section *Suppression*: what is asked, when it is computed, what it says, and how it is stopped."""

from __future__ import annotations

import dataclasses
import time
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.draft.draft import QueryDraft
from core.planning.user_suppression import occupancy_of
from core.privacy import Relation, Unit
from core.progress import Progress
from core.statistics.moments import constant_error, hat_errors
from core.statistics.suppression import Stop
from core.statistics.suppression_curve import SuppressionPoint, suppression_curve
from core.system.paths import find_home
from tests.records import Ping, instant
from tests.ui.small_city import PLACES, edit, loaded_session, planned_session
from tests.ui.user_actions import show as put_on_screen
from ui.distributions import suppression as page
from ui.distributions.suppression import SuppressionSection
from ui.distributions.suppression_points import (
    Points,
    SuppressionCache,
    SuppressionRequest,
    saving_headline,
    suppression_request,
)
from ui.kit.jobs import wait_for_all
from ui.kit.message_bar import Message
from ui.kit.theme import DARK, Mode, Theme
from ui.plots.plot_canvas import AROUND_A_NAME, LEAST_HEIGHT
from ui.session.query_texts import statistic_title
from ui.session.session import Session

pytestmark = pytest.mark.usefixtures("_no_work_left")

TIMEOUT = 10_000
ONE = Budget(per_hat=Decimal(1))
RULE = "optimal-p4"
MOMENTS = QueryDraft(id="spread", statistic="mean_variance", parameters={"m_ub": RULE}, budget=ONE)


def crowd() -> list[Ping]:
    """Forty vehicles in both slots of one place, of which only six are in another: the worst HATs."""
    return [
        Ping(f"bus{bus}", instant(f"2022-01-01T{hour:02}:00:00") + 20_000 * (step + 90 * place), *at, 20.0)
        for hour in (9, 10)
        for place, at in enumerate(PLACES[:2])
        for bus in range(40)
        for step in range(1 + bus % 20)
        if place == 0 or bus < 6
    ]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many points were known when each work began."""
    begun: list[int] = []
    real = page.compute_points

    def noting(request: SuppressionRequest, points: Points, progress: Progress) -> None:
        begun.append(len(points))
        real(request, points, progress)

    monkeypatch.setattr(page, "compute_points", noting)
    return begun


@pytest.fixture
def crowded(qtbot: QtBot, tmp_path: Path) -> Session:
    """With mean and variance, which suppress vehicles where they are asked to."""
    session = planned_session(qtbot, tmp_path, crowd())
    session.edit_query("choose", mechanism="levy")  # who chooses is given no advice any more
    edit(qtbot, session, queries=(MOMENTS,))
    return session


def show(qtbot: QtBot, session: Session, theme: Theme) -> SuppressionSection:
    section = SuppressionSection(session, theme)
    put_on_screen(qtbot, section, width=760, height=620)
    qtbot.waitUntil(lambda: section.plot.ready and not section.plot.due, timeout=TIMEOUT)
    return section


def finish(qtbot: QtBot, section: SuppressionSection) -> None:
    """Everything that is due now is shown."""
    qtbot.waitUntil(
        lambda: not section.plot.due and section.complete and not section.plot.computing.running,
        timeout=TIMEOUT,
    )


def shown(qtbot: QtBot, session: Session, theme: Theme) -> SuppressionSection:
    section = show(qtbot, session, theme)
    finish(qtbot, section)
    return section


def says(qtbot: QtBot, section: SuppressionSection, reason: str) -> None:
    qtbot.waitUntil(lambda: section.plot.empty.reason.text() == reason, timeout=TIMEOUT)
    assert section.plot.empty.isVisible()
    assert not section.badge.isVisible()
    assert not section.headline.isVisible()
    assert not section.plot.computing.running


def test_what_is_missing_is_said(qtbot: QtBot, theme: Theme, tmp_path: Path, computed: list[int]) -> None:
    section = show(qtbot, Session(find_home(None)), theme)
    says(qtbot, section, "No data yet")
    session = loaded_session(qtbot, tmp_path)
    section = show(qtbot, session, theme)
    says(qtbot, section, "Who is protected is not chosen yet")
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE_HAT_DAY)
    says(qtbot, section, "Nothing to suppress")
    session.edit("change", relation=Relation.USER)
    says(qtbot, section, "No suppression with “Presence too”")
    edit(qtbot, session, relation=Relation.VALUES, unit=Unit.VEHICLE, threshold=1000)
    assert session.planning.problem is not None
    says(qtbot, section, session.planning.problem.what)
    assert computed == []


def test_the_points_are_those_of_the_core(qtbot: QtBot, theme: Theme, crowded: Session) -> None:
    section = shown(qtbot, crowded, theme)
    request = suppression_request(crowded)
    assert isinstance(request, SuppressionRequest)
    occupancy, _ = occupancy_of(request.users, request.published)
    curve = suppression_curve(
        occupancy, RULE, request.epsilons, partial(hat_errors, 65.0), constant_error(65.0)
    )
    assert section.canvas is not None
    points = section.canvas.points
    assert [float(point.epsilon) for point in points] == curve.epsilon.tolist()
    assert [float(point.before) for point in points] == curve.before.tolist()
    assert [float(point.after) for point in points] == curve.after.tolist()
    assert (curve.after < curve.before).any()
    at = request.epsilons.index(Decimal(1))
    assert f"{points[at].hats_before} hexagon slots" in section.headline.text()
    assert section.headline.text().startswith("A vehicle occupies at most 4 hexagon slots")
    assert section.badge.isVisible()
    assert "epsilon 0.1:" in section.canvas.accessibleDescription()


def test_the_sentence_says_what_is_saved(crowded: Session) -> None:
    request = suppression_request(crowded)
    assert isinstance(request, SuppressionRequest)
    point = SuppressionPoint(epsilon=Decimal(1), hats_before=158, hats_after=90, stop=Stop.WORST)
    assert saving_headline(request, point) == (
        "A vehicle occupies at most 158 hexagon slots, 90 after suppression: 43\u00a0% less total "
        "epsilon, and the worst "
        "hexagon slot's error does not grow."
    )
    reasons = {}
    for stop in Stop:
        nothing = SuppressionPoint(epsilon=Decimal(1), hats_before=158, hats_after=158, stop=stop)
        said, reasons[stop] = saving_headline(request, nothing).split(": ")
        assert said == "A vehicle occupies at most 158 hexagon slots, and suppression would save nothing"
    assert "constant" in reasons[Stop.CONSTANT]
    assert "worst" in reasons[Stop.WORST]
    assert "last vehicle" in reasons[Stop.LAST]


def test_the_rule_and_epsilon_are_those_of_the_query(qtbot: QtBot, theme: Theme, crowded: Session) -> None:
    section = shown(qtbot, crowded, theme)
    edit(qtbot, crowded, budget=Budget(per_hat=Decimal("0.7")), parameters={"m_ub": 3})
    finish(qtbot, section)
    assert section.rule.text() == "3"
    assert section.subline.text().startswith("At ε 0.7 per hexagon slot")
    assert section.subline.text().endswith(
        "Mean and variance: “Suppress vehicles” is off in step Parameters."
    )
    assert "m_UB" not in section.subline.text(), "the line above says it, in words"
    edit(qtbot, crowded, queries=(QueryDraft(id="mean", mechanism="levy", budget=ONE),))
    says(qtbot, section, "No query here can suppress vehicles")


def test_another_epsilon_adds_one_point(
    qtbot: QtBot, theme: Theme, crowded: Session, computed: list[int]
) -> None:
    section = shown(qtbot, crowded, theme)
    assert computed == [0]
    edit(qtbot, crowded, budget=Budget(per_hat=Decimal("0.55")))
    finish(qtbot, section)
    assert computed == [0, 20]
    assert section.canvas is not None
    assert section.canvas._line.value() == 0.55
    edit(qtbot, crowded, budget=ONE)
    qtbot.waitUntil(lambda: section.canvas is not None and section.canvas._line.value() == 1.0)
    assert computed == [0, 20]


def test_a_smaller_unit_and_other_hats_are_computed_anew(
    qtbot: QtBot, theme: Theme, crowded: Session, computed: list[int]
) -> None:
    section = shown(qtbot, crowded, theme)
    edit(qtbot, crowded, unit=Unit.VEHICLE_DAY)
    finish(qtbot, section)
    assert section.headline.text().startswith("A vehicle on one day occupies at most 4 hexagon slots")
    edit(qtbot, crowded, hours=("09:00", "10:00"))
    finish(qtbot, section)
    assert section.headline.text().startswith("A vehicle on one day occupies at most 2 hexagon slots")
    assert computed == [0, 0, 0]


def test_a_hidden_section_computes_nothing(
    qtbot: QtBot, theme: Theme, crowded: Session, computed: list[int]
) -> None:
    section = SuppressionSection(crowded, theme)
    qtbot.addWidget(section)
    edit(qtbot, crowded, budget=Budget(per_hat=Decimal(2)))
    assert wait_for_all(10)
    assert computed == []
    assert not section.plot.ready


class _Slow:
    """Stands for a big city: after the chosen epsilon's point nothing comes until it is let go."""

    def __init__(self) -> None:
        self.real = page.compute_points
        self.held = True

    def __call__(self, request: SuppressionRequest, points: Points, progress: Progress) -> None:
        def held(done: float, text: str = "") -> None:
            progress(done, text)
            while self.held and len(points) >= 2:
                progress(done, text)
                time.sleep(0.005)

        self.real(request, points, held)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> _Slow:
    made = _Slow()
    monkeypatch.setattr(page, "compute_points", made)
    return made


def test_points_appear_as_they_are_ready(qtbot: QtBot, theme: Theme, crowded: Session, slow: _Slow) -> None:
    section = show(qtbot, crowded, theme)
    qtbot.waitUntil(
        lambda: section.canvas is not None and len(section.canvas.points) == 2,
        timeout=TIMEOUT,
    )
    assert section.canvas is not None
    assert [point.epsilon for point in section.canvas.points] == [1, 2]  # the chosen one, then the far end
    place = section.plot.pos()
    qtbot.waitUntil(section.stop.isVisible, timeout=TIMEOUT)
    assert section.progress.value() == round(1000 * 2 / 20)
    assert section.plot.pos() == place
    slow.held = False
    finish(qtbot, section)
    assert len(section.canvas.points) == 20
    assert not section.stop.isVisible()
    assert not section.progress.isVisible()


def test_stop_keeps_what_is_ready_and_goes_on_when_asked(
    qtbot: QtBot, theme: Theme, crowded: Session, slow: _Slow
) -> None:
    section = show(qtbot, crowded, theme)
    qtbot.waitUntil(section.stop.isVisible, timeout=TIMEOUT)
    section.stop.click()
    qtbot.waitUntil(section.go_on.isVisible, timeout=TIMEOUT)
    assert not section.stop.isVisible()
    assert section.canvas is not None
    assert len(section.canvas.points) == 2
    section.hide()
    section.show()
    qtbot.waitUntil(lambda: section.go_on.isVisible() and not section.plot.due, timeout=TIMEOUT)
    assert not section.plot.computing.running
    slow.held = False
    section.go_on.click()
    finish(qtbot, section)
    assert not section.go_on.isVisible()
    assert len(section.canvas.points) == 20


def test_all_of_it_has_room_on_a_small_screen_at_150_percent(
    qtbot: QtBot, theme: Theme, crowded: Session, slow: _Slow
) -> None:
    """528 pixels: what 1366x768 leave it there. The badge was cut, and a bar scrolled sideways to it."""
    section = show(qtbot, crowded, theme)
    qtbot.waitUntil(lambda: section.stop.isVisible() and section.badge.isVisible(), timeout=TIMEOUT)
    assert section.progress.isVisible()
    assert section.minimumSizeHint().width() <= 528
    slow.held = False
    finish(qtbot, section)
    section.resize(528, 620)
    assert section.rule.width() >= section.rule.sizeHint().width()
    assert section.badge.geometry().right() < section.width()


def test_hiding_the_section_stops_the_work(qtbot: QtBot, theme: Theme, crowded: Session, slow: _Slow) -> None:
    section = show(qtbot, crowded, theme)
    qtbot.waitUntil(lambda: len(section._points) == 2, timeout=TIMEOUT)
    section.hide()
    assert not section.plot.computing.running
    assert wait_for_all(10)
    assert len(section._points) == 2
    slow.held = False
    section.show()
    finish(qtbot, section)


def test_other_records_leave_nothing_of_the_old_ones(
    qtbot: QtBot, theme: Theme, crowded: Session, computed: list[int]
) -> None:
    section = shown(qtbot, crowded, theme)
    edit(qtbot, crowded, resolution=8)
    finish(qtbot, section)
    edit(qtbot, crowded, resolution=7)
    finish(qtbot, section)
    assert computed == [0, 0, 0]


def test_the_theme_and_the_pointer_are_followed(qtbot: QtBot, theme: Theme, crowded: Session) -> None:
    section = shown(qtbot, crowded, theme)
    canvas = section.canvas
    assert canvas is not None
    theme.set_mode(Mode.DARK)
    assert canvas._plot.backgroundBrush().color().name() == DARK.surface
    assert DARK.accent in section.legend.text()
    theme.set_mode(Mode.LIGHT)
    canvas.read_out(0.52, QPointF(50, 50))
    assert "Epsilon per hexagon slot 0.5" in canvas.readout
    assert "4 hexagon slots" in canvas.readout


def test_everything_is_named_and_nothing_can_be_copied(qtbot: QtBot, theme: Theme, crowded: Session) -> None:
    section = shown(qtbot, crowded, theme)
    assert section.rule.accessibleName() == "Records per vehicle"
    assert section.canvas is not None
    assert section.canvas.accessibleName() == "Total epsilon before and after suppression"
    assert section.progress.accessibleName() == "Suppressing vehicles"
    for text in (section.headline, section.subline, section.legend):
        assert text.textInteractionFlags() == Qt.TextInteractionFlag.NoTextInteraction


@pytest.mark.parametrize(
    ("unit", "who"), [(Unit.VEHICLE, "a vehicle"), (Unit.VEHICLE_DAY, "a vehicle on one day")]
)
def test_the_axis_names_whose_total_it_is(
    qtbot: QtBot, theme: Theme, crowded: Session, unit: Unit, who: str
) -> None:
    if unit is not crowded.draft.unit:
        edit(qtbot, crowded, unit=unit)
    section = shown(qtbot, crowded, theme)
    assert section.canvas is not None
    axis = section.canvas._item.getAxis("left")
    assert axis.labelText == f"Total epsilon of {who}, at most"
    section.canvas.setFixedHeight(LEAST_HEIGHT)  # as on a small screen at 150 %
    qtbot.waitUntil(lambda: section.canvas is not None and section.canvas.height() == LEAST_HEIGHT)
    assert axis.label.mapRectToScene(axis.label.boundingRect()).top() >= -AROUND_A_NAME


def test_what_suppression_is_stands_beside_what_it_saves(
    qtbot: QtBot, theme: Theme, crowded: Session
) -> None:
    section = shown(qtbot, crowded, theme)
    assert "Busy vehicles leave the hexagon slots that need them least." in section.subline.text()
    assert "user" not in f"{section.headline.text()} {section.subline.text()}"


def test_the_repr_of_a_request_tells_no_counts(crowded: Session) -> None:
    assert repr(suppression_request(crowded)).startswith("<confidential SuppressionRequest")


def test_a_large_epsilon_is_reached_step_by_step(qtbot: QtBot, crowded: Session) -> None:
    edit(qtbot, crowded, budget=Budget(per_hat=Decimal(8)))
    request = suppression_request(crowded)
    assert not isinstance(request, Message)
    assert [float(epsilon) for epsilon in request.epsilons[-7:]] == [2, 3, 4, 5, 6, 7, 8]
    assert sorted(request.order) == list(request.epsilons)
    assert request.order[:3] == (Decimal(8), Decimal("0.1"), Decimal("1.3"))


def test_only_some_selections_are_kept(crowded: Session) -> None:
    request = suppression_request(crowded)
    assert isinstance(request, SuppressionRequest)
    cache = SuppressionCache()
    first = cache.of(request.key)
    assert cache.of(request.key) is first
    for number in range(1, 14):
        cache.of(page.SuppressionKey(Unit.VEHICLE, b"", str(number)))
    assert cache.of(request.key) is not first


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        (
            QueryDraft(id="mean", mechanism="array-averaging", parameters={"m_ub": "sqrt"}),
            "by square root (sqrt)",
        ),
        (QueryDraft(id="pairs", statistic="query1"), "all records"),
        (QueryDraft(id="fast", statistic="query2", parameters={"suppress_users": True}), "all records"),
    ],
)
def test_the_curve_is_that_of_the_query_that_can_suppress(
    qtbot: QtBot, theme: Theme, crowded: Session, query: QueryDraft, rule: str
) -> None:
    edit(qtbot, crowded, queries=(dataclasses.replace(query, budget=ONE),))
    section = shown(qtbot, crowded, theme)
    assert section.rule.text() == rule
    asked = "suppress_users" in query.parameters
    told = section.subline.text()
    title = statistic_title(crowded.draft.leading, crowded.quantity)
    assert told.endswith(f"is {'on' if asked else 'off'} in step Parameters.")
    assert f"{title}: “Suppress vehicles” is o" in told
    assert query.id not in told, "an id of a file is nothing to read here"
