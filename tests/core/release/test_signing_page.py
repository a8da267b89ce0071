"""core.release.signing_page: plain words for who signs, from public counts or constants alone."""

from __future__ import annotations

import dataclasses
import re
from decimal import Decimal
from pathlib import Path

import numpy as np

from core.accounting.ledger import Ledger
from core.accounting.ledger_report import PopulationSummary
from core.hats.cells import areas_km2
from core.keys.signing_key import generate_key
from core.privacy import Relation
from core.release.prepare_publish import prepare, publish
from core.release.prepared import Prepared
from core.release.signing_page import SigningPage, signing_page
from core.spec import load_spec
from tests.builders import NOW
from tests.city import EVERY_STATISTIC, PASSPHRASE, POPULATION, write_city, write_records
from tests.labelled_city import BY_ROUTE, OPEN_LABELS, write_labelled_city
from tests.taxis import ledger_in, write_taxis


def _ledger(folder: Path, limit: str = "20") -> Ledger:
    ledger = Ledger.open(folder / "ledger.sqlite")
    ledger.set_limit(POPULATION, per_vehicle=Decimal(limit))
    return ledger


def _payer(ledger: Ledger) -> PopulationSummary:
    (population,) = ledger.populations()
    return population


def _said(page: SigningPage) -> str:
    verdicts = (text for one in page.verdicts for text in (one.headline, *one.more))
    parts = (page.warnings, page.seen, page.protected, page.left_open, page.costs, page.final)
    return " ".join((page.title, page.published_by, *(text for part in parts for text in part), *verdicts))


def test_it_says_what_for_whom_and_for_how_much_as_people_read_it(tmp_path: Path) -> None:
    ledger = _ledger(tmp_path)
    prepared = prepare(load_spec(write_city(tmp_path)), ledger)
    page = signing_page(prepared, _payer(ledger))
    assert page.published_by.endswith("version 1.0.0.")
    cells = np.unique(prepared.contributions.cell)
    assert page.seen[0].startswith(f"Mean speed, in hexagons of {areas_km2(cells).mean():.2g} km²")
    assert page.costs == (
        f"6 of the budget of 20 that each vehicle of {POPULATION} has.",
        "Nothing was spent before.",
        "2 more such releases fit after this one.",
    )
    assert page.final == (
        "Published numbers stay known, and the 6 stay spent, even if the files are taken offline.",
    )
    assert re.match(r"Each of \d+ vehicles: every value that one vehicle reported", page.protected[0])
    assert page.protected[1:] == (
        "With other speeds from one vehicle, any result here would have been at most 404 times more or less "
        "likely.",
        "This is epsilon 6; at epsilon 1 it would be 2.7 times.",
    )
    assert page.left_open[-2] == "You have confirmed that this is public anyway."
    assert page.left_open[-1].endswith("about 1 to 3 km/h, with or without this release.")
    said = _said(page)
    assert "5.99" not in said
    assert not re.search(r"\b(HAT|told|whoever|None)\b", said)


def test_no_name_of_a_file_and_no_power_of_ten_is_read_by_who_signs(tmp_path: Path) -> None:
    """Slots of 60 minutes, apart by day_kind, and an odds of 10^18 were."""
    ledger = _ledger(tmp_path, "100")
    edit = (*BY_ROUTE, OPEN_LABELS, ('total = "6"', 'total = "40"'))
    prepared = prepare(load_spec(write_labelled_city(tmp_path / "city", edit)), ledger)
    page, review = signing_page(prepared, _payer(ledger)), prepared.review
    assert "slots of 1 hour, apart by direction, kind of day (weekday) from 09:00" in page.seen[0]
    assert page.protected[1:] == (
        "With other speeds from one vehicle, any result here may be more than a billion times more or less "
        "likely: that promises next to nothing.",
        "This is epsilon 40; at epsilon 1 it would be 2.7 times.",
    )
    for said in (_said(page), *(text for _, text in review.lines()), review.means):
        assert not re.search(r"day_kind|10\^|slots of \d+ minutes", said)


def test_what_is_spent_and_whether_one_more_fits_is_said(tmp_path: Path) -> None:
    ledger = _ledger(tmp_path, "12")
    first = prepare(load_spec(write_city(tmp_path / "first")), ledger)
    key = generate_key(tmp_path / "key", PASSPHRASE)
    publish(first, ledger, key=key, out=tmp_path / "out", now=NOW)
    again = signing_page(prepare(load_spec(write_city(tmp_path / "first")), ledger), _payer(ledger))
    assert again.costs == ("Nothing: the numbers of ledger entry 1 are published again.",)
    assert again.final == ("Published numbers stay known, even if the files are taken offline.",)
    other = write_city(tmp_path / "other", edit=(('total = "6"', 'total = "5"'),))
    costs = signing_page(prepare(load_spec(other), ledger), _payer(ledger)).costs
    assert costs[1:] == ("6 was spent before.", "No other release like it fits.")


def test_it_follows_from_counts_never_from_values(tmp_path: Path) -> None:
    ledger, spec = _ledger(tmp_path), write_city(tmp_path)
    first = signing_page(prepare(load_spec(spec), ledger), _payer(ledger))
    write_records(tmp_path / "records.csv", bump=10.0)
    assert signing_page(prepare(load_spec(spec), ledger), _payer(ledger)) == first


def test_in_relation_user_it_looks_at_no_record(tmp_path: Path) -> None:
    """Not even how many vehicles there are: without contributions it says the same."""
    ledger = ledger_in(tmp_path / "home")
    prepared = prepare(load_spec(write_taxis(tmp_path / "city")), ledger)
    assert prepared.spec.relation is Relation.USER
    page = signing_page(prepared, _payer(ledger))
    blind = dataclasses.replace(prepared, contributions=None, users=None, report=None)  # type: ignore[arg-type]
    assert signing_page(blind, _payer(ledger)) == page
    assert page.protected[0] == "Each vehicle: everything about one vehicle, even that it was there."
    assert "a row each, with vehicles or without" in page.seen[1]
    assert page.left_open[0].endswith("None of it comes from the records.")


def test_of_several_statistics_each_verdict_is_named(tmp_path: Path) -> None:
    ledger = _ledger(tmp_path, "1000")
    one = signing_page(prepare(load_spec(write_city(tmp_path / "one")), ledger), _payer(ledger))
    assert one.verdicts[0].headline in ("Good", "Rough", "No use")
    several = prepare(load_spec(write_city(tmp_path / "several", edit=EVERY_STATISTIC)), ledger)
    begun = [verdict.headline.split(":")[0] for verdict in signing_page(several, _payer(ledger)).verdicts]
    assert begun == [query.statistic for query in several.review.queries]


def test_places_that_are_no_hexagons_are_named(tmp_path: Path) -> None:
    ledger = _ledger(tmp_path, "1000")
    prepared: Prepared = prepare(load_spec(write_labelled_city(tmp_path / "city", BY_ROUTE)), ledger)
    page = signing_page(prepared, _payer(ledger))
    assert ", in one place per route, " in page.seen[0]
    assert "Which route each of its records has." in page.left_open


def test_what_was_confirmed_stands_right_behind_what_is_public_and_not_behind_true_errors(
    tmp_path: Path,
) -> None:
    prepared = prepare(load_spec(write_city(tmp_path)), _ledger(tmp_path))
    seen = dataclasses.replace(prepared, review=dataclasses.replace(prepared.review, evaluated=True))
    said = list(signing_page(seen, None).left_open)
    confirmed = said.index("You have confirmed that this is public anyway.")
    assert said[confirmed - 1].startswith("In which hexagon slots each vehicle was")
    assert said[confirmed + 1] == "True errors were viewed before; the release says so."
