"""What a typical number misses is the same figure wherever the window shows it."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.advice.hexagon_facts import hexagon_facts
from core.advice.verdict import verdict_of
from core.advice.verdict_sentences import verdict_sentences
from core.hats.slots import SlotGrid
from core.statistics.error_figures import significant
from tests.ui.small_city import TIMEOUT, edit, planned_session
from tests.ui.user_actions import show
from ui.budget.error_input import ErrorInput
from ui.map.layer_values import layer_values
from ui.map.layers import MapState, layers
from ui.session.hat_bins import bins_of_errors
from ui.session.query_texts import error_text
from ui.table.hat_columns import hat_columns
from ui.table.rows import HatStatus, hat_rows


def test_the_error_of_smoothed_numbers_is_the_same_everywhere(qtbot: QtBot, tmp_path: Path) -> None:
    session = planned_session(qtbot, tmp_path)
    edit(qtbot, session, mechanism="tokens", parameters={}, budget=Budget(total=Decimal(2)))
    qtbot.waitUntil(lambda: not session.busy and not session.planning.smoothing, timeout=TIMEOUT)
    shown, overview = session.forecast, session.overview
    assert shown is not None
    assert shown.plan is not None
    assert shown.plan.smoothed_errors is not None
    assert overview is not None
    verdict, grid = verdict_of(shown.plan), SlotGrid(60)
    assert verdict.error == np.median(shown.plan.smoothed_errors) < verdict.raw_error
    figure = significant(verdict.error, 2)
    assert f"off by {figure} km/h" in " ".join(verdict_sentences(shown.plan))
    assert error_text(shown.plan) == f"{figure} km/h"

    field = ErrorInput(session, lambda: session.draft.leading.id)
    show(qtbot, field)
    assert field.number.text() == figure

    state = MapState(overview=overview, forecast=shown, release=None, slot=9, slot_text="09:00")
    (layer,) = (one for one in layers() if one.key == "typical-error")
    on_map = layer_values(layer, state, grid).numbers
    rows = hat_rows(overview, grid, shown, None, planned=True)
    titles = {one.key: one.title for one in hat_columns(rows, smoothed=False)}
    assert titles["worst"] == "Raw, at worst\nkm/h"
    in_table = rows.numbers["typical"][np.isfinite(rows.numbers["typical"])]
    cells = dict.fromkeys(hat.cell_text for hat in shown.plan.published)
    facts = [hexagon_facts(overview, shown, cell, [9, 10]) for cell in cells]
    on_cards = [one.error for fact in facts for one in fact.slots if one.error is not None]
    for errors in (on_map, in_table, on_cards):
        assert sorted(errors) == sorted(shown.plan.smoothed_errors)
    assert len(bins_of_errors(shown).hats) == len(shown.plan.smoothed_errors)
    judged = [HatStatus(one).name for one in rows.status if HatStatus(one).has_number]
    assert len(judged) == len(shown.plan.published)
