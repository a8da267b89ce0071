"""core.advice.verdict_sentences: the figures of the verdict, each once."""

from __future__ import annotations

from core.advice.verdict import verdict_of
from core.advice.verdict_sentences import verdict_sentences
from core.statistics.error_figures import significant
from tests.core.advice.test_verdict import planned


def test_what_a_number_means_and_how_exact_it_is() -> None:
    plan = planned("3")
    verdict = verdict_of(plan)
    assert verdict.example is not None
    assert verdict.reach is not None
    means, exact = verdict_sentences(plan)
    assert means == f"A published 25 means {verdict.example.low} to {verdict.example.high} km/h."
    off = f"A typical number is off by {significant(verdict.error, 2)} km/h, "
    assert exact == f"{off}19 in 20 times by less than {significant(verdict.reach, 2)}."


def test_what_is_of_no_use_comes_with_its_reason() -> None:
    told = verdict_sentences(planned("0.01"))
    assert told[0] == "A published 25 may mean anything, 0 to 65 km/h."
    assert told[2] == "One number for the whole city would be off by less: 7 km/h."
