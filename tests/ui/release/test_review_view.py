"""The review of relation `user` knows constants alone; what the panel counts with stands beside it."""

from __future__ import annotations

import dataclasses
import re
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.accounting.budgets import Budget
from core.accounting.ledger import Ledger
from core.draft.draft import QueryDraft
from core.keys.signing_key import generate_key
from core.mechanisms.region_fields import REGIONS
from core.parameter_fields import declared
from core.prior.public_prior import PublicPrior
from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from core.statistics.registry import require_statistic
from core.system.paths import find_home
from tests.builders import NOW
from tests.city import PASSPHRASE, POPULATION, SPEC, write_city
from tests.labelled_city import BY_ROUTE, write_labelled_city
from tests.region_bundles import open_ledger, planned
from tests.taxis import ledger_in, write_taxis
from tests.ui.languages import spoken
from tests.ui.release_story import WAIT_MS, city_session, make_home, make_page, make_session
from tests.ui.taxi_story import rest, user_session
from tests.ui.whole_window import unknown_looks
from ui.budget.decision_card import DecisionCard
from ui.language.translation import catalogue_of
from ui.release.dialog import Phase, ReleaseDialog
from ui.release.release_jobs import Reviewed
from ui.release.review_view import ReviewView, asked_words, value_word
from ui.session.session import Session

WARNED = "km/h in a hexagon slot of 5 vehicles. One number for the whole city"


def reviewed(qtbot: QtBot, session: Session, folder: Path) -> tuple[ReleaseDialog, list[str]]:
    """The review that a click opens, and what it says."""
    page = make_page(qtbot, session, folder / "out")
    page.review()
    dialog = page.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    return dialog, [part.text().replace("\u200b", "") for part in dialog.view.details.findChildren(QLabel)]


def test_the_review_and_the_panel_say_what_each_of_them_rests_on(qtbot: QtBot, tmp_path: Path) -> None:
    session = user_session(qtbot, tmp_path)
    generate_key(session.home.default_key.with_suffix(""), PASSPHRASE)
    texts = {"name": "taxis", "title": "Taxis", "publisher": "City", "contact": "c@city.example"}
    session.set_budget("Epsilon", Budget(total=Decimal("5.5")))
    session.edit("Texts", confirmed=True, **texts)
    rest(qtbot, session)
    card = DecisionCard(session, 0)
    qtbot.addWidget(card)
    panel = f"{card.word.text}. {card.verdict.text()}"
    assert "A typical number is off by " in panel
    dialog, told = reviewed(qtbot, session, tmp_path)
    assert not any(line.startswith("Warning: ") for line in told)
    at = next(number for number, line in enumerate(told) if WARNED in line)
    assert told[at - 4 : at] == [
        "Mean speed",
        "Expected beforehand, as in Decide:",
        panel,
        "By the threshold alone:",
    ]
    assert told[told.index("Known beforehand") + 1].endswith(panel)
    signed = [part.text() for part in dialog.view.findChildren(QLabel)]
    assert panel in signed[: signed.index("Name")], "and on the half page too"
    dialog.reject()

    session.edit("Nothing known", prior=PublicPrior())
    rest(qtbot, session)
    dialog, told = reviewed(qtbot, session, tmp_path)
    at = next(number for number, line in enumerate(told) if WARNED in line)
    assert told[at - 1] == "Warning: Mean speed"
    assert "Known beforehand" not in told
    dialog.reject()


def test_counts_that_tell_nothing_by_what_is_known_are_told_of_in_the_review_too(
    qtbot: QtBot, tmp_path: Path
) -> None:
    """The review bounds no count: how many vehicles there are, only the panel knows."""
    session = user_session(qtbot, tmp_path)
    generate_key(session.home.default_key.with_suffix(""), PASSPHRASE)
    texts = {"name": "taxis", "title": "Taxis", "publisher": "City", "contact": "c@city.example"}
    for total, told_of in (("0.05", 1), ("900", 0)):
        fast = QueryDraft(id="fast", statistic="query2", budget=Budget(total=Decimal(total)))
        session.edit("Query", queries=(fast,), days_per_vehicle=1, **texts)
        rest(qtbot, session)
        session.confirmation.answer(confirmed=True)
        card = DecisionCard(session, 0)
        qtbot.addWidget(card)
        panel = f"{card.word.text}. {card.verdict.text()}"
        assert (panel.startswith("No use. "), card.property("look") == "warning") == (
            told_of,
            told_of,
        )
        dialog, lines = reviewed(qtbot, session, tmp_path)
        assert lines.count("Known beforehand") == told_of
        assert sum(line.endswith(panel) for line in lines) == told_of
        dialog.reject()


def test_a_warning_names_the_statistic_and_is_told_in_hindi(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    """Two statistics: the mean is good, and the band of the distribution tells nothing."""
    session = city_session(qtbot, tmp_path)
    curve = QueryDraft(id="speed_cdf", statistic="cdf", budget=Budget(per_hat=Decimal("0.001")))
    session.edit("Queries", queries=(*session.draft.queries, curve), confirmed=True)
    rest(qtbot, session)
    with spoken(qapp, catalogue_of("hi")):
        dialog, told = reviewed(qtbot, session, tmp_path)
    at = told.index("चेतावनी: गति का वितरण")
    assert told[at + 1].startswith("आधे षट्भुज-स्लॉट में वितरण की पट्टी किसी काम की नहीं होगी")
    assert not any("speed_cdf" in line for line in told[: at + 2])
    # as it is read from the left: `50 में से 0 → 9` says that none of 50 becomes 9
    (budget,) = (part for part in dialog.view.details.findChildren(QLabel) if "→" in part.text())
    assert re.fullmatch(r"0 → [\d.]+ / \d+", budget.text())
    # what can be selected is cut at its top, and words may stand there that are higher in this size
    assert budget.textInteractionFlags() == Qt.TextInteractionFlag.NoTextInteraction
    dialog.reject()


def test_mu_stands_beside_what_each_statistic_costs_with_gaussian_noise(qtbot: QtBot, tmp_path: Path) -> None:
    """Epsilons of the review stood without it."""
    make_home(limit="1000")
    Ledger.open(find_home().ledger).set_limit(POPULATION, per_vehicle=Decimal(1000), delta=Decimal("1e-6"))
    asked = SPEC[SPEC.index("[[query]]") :]
    gaussian = '[[query]]\nid = "{0}"\nstatistic = "{0}"\ntotal = "6"\n[query.parameters]\nnoise = "gauss"\n'
    queries = gaussian.format("query1") + gaussian.format("query2")
    session = make_session(qtbot, write_city(tmp_path / "city", edit=((asked, queries),)))
    _, told = reviewed(qtbot, session, tmp_path)
    assert sum("\nmu " in line for line in told) == 9, "each and all, for a vehicle, its day and visit"
    assert any(re.search(r"delta 1e-6, mu [0-9.]+[)]$", line) for line in told)


def test_places_and_what_is_confirmed_are_told_in_hindi(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    """Of places that are no hexagons too, and never as hexagons."""
    make_home(limit="1000")
    with spoken(qapp, catalogue_of("hi")):
        session = make_session(qtbot, write_labelled_city(tmp_path / "city", BY_ROUTE))
        dialog, _ = reviewed(qtbot, session, tmp_path)
    told = [part.text() for part in dialog.view.findChildren(QLabel)]  # the page to sign, and its details
    said = " ".join(told)
    left = [word for word in ("The values of", "Busy", "suppressed", "hexagon", "षट्भुज") if word in said]
    assert left == [], [line for line in told if any(word in line for word in left)]
    dialog.reject()


def test_facts_name_the_statistic_and_no_id(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    mean, little = session.draft.leading, Budget(per_hat=Decimal("0.001"))
    fast = QueryDraft(id="fast", statistic="query2", budget=little)
    session.edit("Queries", queries=(mean, fast), confirmed=True)
    rest(qtbot, session)
    dialog, told = reviewed(qtbot, session, tmp_path)
    statistic = "Vehicles above a speed limit (Query 2)"
    begun = [line.split(":")[0] for line in told]
    assert "Mean speed" in begun
    assert statistic in begun
    assert f"Epsilon a day of {statistic}" in told
    assert not any(mean.id in line or line.startswith("fast") for line in told)
    dialog.details.click()
    parts = dialog.view.details.findChildren(QLabel)
    (last,) = (part for part in parts if part.text() == "All together")
    qtbot.waitUntil(last.isVisible)
    heads = [part for part in parts if part.text() in ("vehicle", "vehicle\nand day", "visit")]
    figures = [part for part in last.parentWidget().findChildren(QLabel) if part.y() == last.y()]
    assert figures.pop(figures.index(last)) is last
    edges = [[part.geometry().right() for part in row] for row in (heads, figures)]
    assert edges[0] == edges[1], "each sum stands below its head"
    assert unknown_looks(dialog) == set()
    dialog.reject()
    for mechanism, parameters, fact in (
        ("baseline", {"suppress_users": True}, "Suppressed users"),
        ("tokens", {"smooth": True}, "Smoothed as well"),
    ):
        asked = dataclasses.replace(
            mean, mechanism=mechanism, parameters=parameters, budget=Budget(total=Decimal(6))
        )
        session.edit("Queries", queries=(asked,), confirmed=True)
        rest(qtbot, session)
        dialog, told = reviewed(qtbot, session, tmp_path)
        assert told[told.index(fact) + 1].startswith("Mean speed: ")
        assert [line for line in told if mean.id in line] == []
        dialog.reject()


def test_numbers_that_were_drawn_before_are_told_first(qtbot: QtBot, tmp_path: Path) -> None:
    """Of relation `user`, whose records may have been corrected meanwhile."""
    ledger, spec = ledger_in(tmp_path / "home"), load_spec(write_taxis(tmp_path / "city"))
    key = generate_key(tmp_path / "key", PASSPHRASE)
    publish(prepare(spec, ledger), ledger, key=key, out=tmp_path / "out", now=NOW)
    view = ReviewView(Reviewed(prepared=prepare(spec, ledger), population=None))
    qtbot.addWidget(view)
    first, *_ = (one.text().replace("\u200b", "") for one in view.findChildren(QLabel))
    assert first.startswith("These numbers are those drawn on ")
    assert "corrected records are not in them" in first


@pytest.mark.usefixtures("qapp")
def test_what_is_switched_off_promises_nothing(tmp_path: Path) -> None:
    (query,) = planned(tmp_path, open_ledger(tmp_path)).review.queries
    assert "Merge into regions: yes; Promised error: 8 km/h" in asked_words(query)
    off = tuple((one, False if one.name == REGIONS else value) for one, value in query.parameters)
    told = asked_words(dataclasses.replace(query, parameters=off))
    assert told.endswith("Merge into regions: no")
    assert "Promised" not in told


@pytest.mark.usefixtures("qapp")
def test_every_parameter_is_told_by_its_label_and_none_by_its_key(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000))
    (query,) = prepare(load_spec(write_city(tmp_path)), ledger).review.queries
    told = asked_words(query)
    assert told.startswith("epsilon 6 in all; ")
    assert query.parameters
    for parameter, value in query.parameters:
        assert f"{parameter.label}: {value_word(parameter, value)}" in told
        if "_" in parameter.name:
            assert parameter.name not in told
    assert query.asked.startswith("total 6, ")  # the command line speaks as the spec does


def test_in_hindi_it_is_hindi(qapp: QApplication) -> None:
    parameters = {one.name: one for one in declared(require_statistic("cdf").Params)}
    with spoken(qapp, catalogue_of("hi")):
        words = [
            value_word(parameters["tree"], "mixed"),
            *(value_word(parameters["tree"], yes) for yes in (True, False)),
        ]
        assert len(set(words)) == 3
        assert all("\u0900" <= word[0] <= "\u097f" for word in words)
        assert value_word(parameters["bins"], 13) == "13"


def test_values_are_said_as_their_lists_show_them() -> None:
    declared_ones = {one.name: one for one in declared(require_statistic("cdf").Params)}
    tree = declared_ones["tree"]
    assert value_word(tree, "mixed") == tree.titles["mixed"] != "mixed"
    assert (value_word(tree, True), value_word(tree, False)) == ("yes", "no")


def test_ranges_are_said_by_their_ends() -> None:
    parameters = {one.name: one for one in declared(require_statistic("share").Params)}
    assert value_word(parameters["ranges"], ((0.0, 10.0), (40.0, 65.0))) == "0:10, 40:65"
    assert value_word(parameters["percentiles"], ()) == "none named"
