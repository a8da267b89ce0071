"""ui.session.made_up_preview: made-up numbers where released ones would be, and nothing of them leaves."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.errors import InputError
from tests.ui.small_city import TIMEOUT, edit, loaded_session, planned_session
from tests.ui.taxi_story import rest, user_session
from ui.map.layer_picture import refusal_of
from ui.map.layers import RELEASED_MEAN, MapState, layers, paint
from ui.session import made_up_preview
from ui.session.session import Session
from ui.table.rows import hat_rows


def previewed(qtbot: QtBot, session: Session) -> None:
    session.preview.begin()
    qtbot.waitUntil(lambda: session.release.preview is not None, timeout=TIMEOUT)


def test_it_shows_all_rows_says_that_they_are_made_up_and_gives_nothing_away(
    qtbot: QtBot, tmp_path: Path
) -> None:
    session = planned_session(qtbot, tmp_path)
    previewed(qtbot, session)
    shown, forecast = session.release.shown, session.forecast
    assert shown is not None
    assert forecast is not None
    assert forecast.plan is not None
    assert sum(bool(row.estimates) for row in shown.queries[0].rows) == len(forecast.plan.published)
    assert session.overview is not None
    state = MapState(
        overview=session.overview, forecast=forecast, release=shown, slot=9, slot_text="09:00", preview=True
    )
    (layer,) = (one for one in layers() if one.key == RELEASED_MEAN)
    painting = paint(layer, state)
    assert painting.title.startswith("Made-up mean speed")
    assert (painting.made_up, painting.confidential) == (True, False), "with a frame and a badge"
    assert "PREVIEW: made-up values." in painting.note
    assert "made-up values" in refusal_of(layer, state)
    assert session.contributions is not None
    grid = session.contributions.window.grid
    rows = hat_rows(session.overview, grid, forecast, shown, planned=True, preview=True)
    assert rows.published is None, "nothing can be copied"
    assert session.release.remarks == ("PREVIEW: made-up values.",)


def test_an_edit_has_it_made_anew_and_its_end_shows_what_was_there(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    previewed(qtbot, session)
    first = session.release.shown
    heard: list[bool] = []
    session.preview.changed.connect(lambda: heard.append(session.preview.active))
    edit(qtbot, session, budget=Budget(per_hat=Decimal(7)))
    assert session.preview.making
    qtbot.waitUntil(lambda: session.release.shown is not first, timeout=TIMEOUT)
    assert not session.preview.making
    session.preview.end()
    assert (session.release.shown, session.preview.active) == (None, False)
    assert heard == [True, False]
    session.preview.end()
    assert heard == [True, False], "it has ended already"


def test_choices_that_cannot_be_show_no_preview_until_they_are_mended(qtbot: QtBot, tmp_path: Path) -> None:
    """The numbers of the choices before stood there as if they were of these."""
    session = planned_session(qtbot, tmp_path)
    previewed(qtbot, session)
    edit(qtbot, session, threshold=50)
    assert (session.release.shown, session.preview.active, session.preview.making) == (None, True, False)
    with qtbot.waitSignal(session.forecast_changed, timeout=TIMEOUT):
        session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.release.preview is not None, timeout=TIMEOUT)


def test_other_records_end_it(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    previewed(qtbot, session)
    other = loaded_session(qtbot, tmp_path / "other")
    session.load(other.source)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: not session.preview.active, timeout=TIMEOUT)
    assert session.release.shown is None


def test_taxis_are_made_up_by_constants_alone(qtbot: QtBot, tmp_path: Path) -> None:
    session = user_session(qtbot, tmp_path)
    rest(qtbot, session)
    previewed(qtbot, session)
    shown = session.release.shown
    assert shown is not None
    assert session.forecast is not None
    assert session.forecast.plan is not None
    assert len(shown.queries[0].rows) == len(session.forecast.plan.hats)


def test_one_that_cannot_be_made_ends_and_says_why(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = planned_session(qtbot, tmp_path)

    def full(*_: object, **__: object) -> None:
        raise InputError("No room.", where="memory", mend="close a program")

    monkeypatch.setattr(made_up_preview, "preview", full)
    with qtbot.waitSignal(session.failed, timeout=TIMEOUT) as failed:
        session.preview.begin()
    assert failed.args[0].what == "No room."
    assert not session.preview.active
    assert session.release.shown is None
