"""ui.release.asked_words: a review tells parameters as the fields do, not by keys of a spec."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from core.accounting.ledger import Ledger
from core.mechanisms.region_fields import REGIONS
from core.parameter_fields import declared
from core.release.prepare_publish import prepare
from core.spec import load_spec
from core.statistics.registry import require_statistic
from tests.city import POPULATION, write_city
from tests.region_bundles import open_ledger, planned
from tests.ui.languages import spoken
from ui.language.translation import catalogue_of
from ui.release.asked_words import asked_words, value_word


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
        assert value_word(parameters["tree"], "mixed") != "mixed"
        assert value_word(parameters["bins"], 13) == "13"
