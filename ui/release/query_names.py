"""What the review calls the queries of a release: by their statistic, as the rest of the window does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.release.review import QueryReview
from ui.language.translation import core_text


def query_names(queries: Sequence[QueryReview]) -> dict[str, str]:
    """Id -> name. A release asks for a statistic once."""
    return {query.query_id: core_text(query.statistic) for query in queries}


def named(text: str, names: Mapping[str, str]) -> str:
    """A fact that begins with the id of its query, with the name in its place; any other as it is."""
    begin, mark, rest = text.partition(": ")
    return f"{names[begin]}{mark}{rest}" if begin in names else text
