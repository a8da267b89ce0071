"""The verdict on a plan in the window's language: an example near the usual mean, how many get a number."""

from __future__ import annotations

from core.advice.usefulness import verdict_word
from core.advice.verdict import Verdict, verdict_of
from core.advice.verdict_sentences import figures, verdict_sentences
from core.planning.query_plan import QueryPlan
from core.published.published_verdict import RowsThatCame
from ui.language.counted_words import counted_hats
from ui.language.translation import core_text, percent, sentence, translator, whole

_tr = translator("Verdict")


def verdict_text(plan: QueryPlan, *, counted: bool = False) -> str:
    """The word with all that is said for it; counted: as `verdict_sentences` takes it."""
    word = core_text(verdict_word(verdict_of(plan).usefulness))
    said = verdict_sentences(plan, counted=counted)
    return " ".join(sentence(one) for one in (word, *map(core_text, said)))


def verdict_reasons(plan: QueryPlan, *, counted: bool, released: bool) -> str:
    """All that is said beside word and example."""
    said = figures(plan, counted=counted, released=released)
    return " ".join(sentence(core_text(one)) for one in said)


def said_of_rows(rows: RowsThatCame, planned: Verdict) -> str:
    """The same once they are published."""
    return " ".join(sentence(core_text(one)) for one in rows.sentences(planned))


def rows_text(plan: QueryPlan, with_records: int) -> str:
    """How many rows there will be of those that could be, and how many of them empty.

    with_records: HATs that have any, chosen or not. Nothing where nobody can know.
    """
    verdict = verdict_of(plan)
    if plan.bounding is not None or plan.regions or verdict.mostly_empty:
        return ""
    slots = counted_hats(len(plan.hats))
    if with_records > len(plan.hats):
        # else who sees the map filled expects it to be filled after the release
        if not verdict.empty:
            said = _tr("{slots} of {all} with records get a number.")
            return said.format(slots=slots, all=whole(with_records))
        slots = _tr("{slots} of {all} with records").format(slots=slots, all=whole(with_records))
    if not verdict.empty:
        return _tr("{slots}, none empty.").format(slots=slots)
    return _tr("{slots}, {share} of them empty.").format(slots=slots, share=percent(verdict.empty))


def verdict_tip(plan: QueryPlan) -> str:
    """Where the value of the example comes from; empty where there is none."""
    example = verdict_of(plan).example
    if example is None:
        return ""
    text = _tr(
        "{published} is an example near the usual mean of a public model, not from your records. The "
        "true number lies in the range 19 times in 20."
    )
    return text.format(published=example.published)
