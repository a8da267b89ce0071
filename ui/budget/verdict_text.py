"""The verdict on a plan in the window's language."""

from __future__ import annotations

from core.advice.usefulness import verdict_word
from core.advice.verdict import verdict_of
from core.advice.verdict_sentences import verdict_sentences
from core.planning.query_plan import QueryPlan
from ui.language.translation import core_text, sentence, translator

_tr = translator("Verdict")


def verdict_text(plan: QueryPlan, *, counted: bool = False, released: bool = False) -> str:
    """The word with all that is said for it; counted, released: as `verdict_sentences` takes them."""
    word = core_text(verdict_word(verdict_of(plan).usefulness))
    return f"{word}. {verdict_reasons(plan, counted=counted, released=released)}"


def verdict_reasons(plan: QueryPlan, *, counted: bool = False, released: bool = False) -> str:
    """All that is said beside the word."""
    said = verdict_sentences(plan, counted=counted, released=released)
    return " ".join(sentence(core_text(one)) for one in said)


def verdict_tip(plan: QueryPlan) -> str:
    """Where the value of the example comes from; empty where there is none."""
    example = verdict_of(plan).example
    if example is None:
        return ""
    text = _tr(
        "{published} is an example: a round number near the usual mean of a public model. It is not from "
        "your records. Nineteen in twenty times the true mean lies in the range."
    )
    return text.format(published=example.published)
