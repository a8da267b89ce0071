"""Release <-> JSON: what the ledger stores comes back as it was."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from core.accounting.zcdp import epsilon_of
from core.bundle.data_files import data_files
from core.bundle.release_result import Release
from core.codec import from_json, to_json
from core.privacy import Confidential, Relation, Unit
from tests.builders import make_charge, make_mixed_release, make_query, make_release

EPSILONS = st.decimals(min_value=0, max_value=1000, places=6)


def test_a_release_survives_the_ledger() -> None:
    release = make_release()
    assert from_json(Release, json.loads(json.dumps(to_json(release)))) == release


@given(epsilon=EPSILONS, cap=st.none() | st.integers(1, 10**9), unit=st.sampled_from(list(Unit)))
def test_every_field_survives(epsilon: Decimal, cap: int | None, unit: Unit) -> None:
    charge = make_charge(per_vehicle=epsilon, per_date={})
    query = make_query(charge=charge, contribution_cap=cap, noise_scale=epsilon)
    release = make_release(
        queries=(query,), charge=charge, unit=unit, relation=Relation.USER, selection_threshold=None
    )
    assert from_json(Release, json.loads(json.dumps(to_json(release)))) == release


def test_an_evaluation_survives_and_older_releases_had_none() -> None:
    stored = to_json(make_release(evaluated=True))
    assert from_json(Release, stored).evaluated is True
    del stored["evaluated"]
    assert from_json(Release, stored) == make_release(evaluated=False)


def test_an_unclamped_value_survives_and_older_draws_had_none() -> None:
    release = make_release()
    query = release.queries[0]
    retained = tuple(
        dataclasses.replace(
            row, estimates=tuple(dataclasses.replace(one, unclamped=-5) for one in row.estimates)
        )
        for row in query.rows
    )
    newer = dataclasses.replace(release, queries=(dataclasses.replace(query, rows=retained),))
    assert any(row.estimates for row in retained)
    assert from_json(Release, json.loads(json.dumps(to_json(newer)))) == newer
    older = to_json(newer)
    for row in older["queries"][0]["rows"]:
        row[5] = [estimate[:6] for estimate in row[5]]
    assert from_json(Release, older) == release
    assert to_json(release) == older


def test_a_stored_release_gives_the_same_files() -> None:
    release = make_release()
    assert data_files(from_json(Release, to_json(release))) == data_files(release)


def test_days_count_every_date_listed() -> None:
    assert make_release().days == 5


def test_nothing_confidential_can_be_reached() -> None:
    waiting: list[object] = [make_release()]
    while waiting:
        item = waiting.pop()
        assert not isinstance(item, Confidential)
        if dataclasses.is_dataclass(item):
            waiting += [getattr(item, field.name) for field in dataclasses.fields(item)]
        elif isinstance(item, tuple):
            waiting += item


def test_rho_and_delta_survive_the_ledger() -> None:
    release = make_mixed_release()
    stored = json.loads(json.dumps(to_json(release)))
    assert from_json(Release, stored) == release
    assert stored["delta"] == "0.000001"
    assert stored["queries"][0]["charge"]["rho"]["per_vehicle"] == "0.05"


def test_a_release_without_rho_is_stored_as_ever() -> None:
    stored = to_json(make_release())
    assert not {"delta", "cumulative_parts"} & stored.keys()
    assert "rho" not in json.dumps(stored)


def test_an_epsilon_with_rho_is_converted_at_the_delta_of_the_release() -> None:
    release = make_mixed_release()
    assert [release.stated(release.charge, unit).epsilon for unit in Unit] == [
        epsilon_of(Decimal(pure), Decimal(rho), Decimal("1e-6"))
        for pure, rho in (("3.5", "0.05"), ("2.5", "0.03"), ("1.5", "0.02"))
    ]
