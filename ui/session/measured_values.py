"""Whether the values that are loaded may be released: not what follows from positions, in relation values."""

from __future__ import annotations

from core.errors import InputError
from core.release.job import require_measured_values
from ui.session.session import Session


def refusal_of(session: Session) -> InputError | None:
    """Why the core would refuse the values that are loaded under the relation that is chosen."""
    source, relation = session.source, session.draft.relation
    if source is None or relation is None:
        return None
    try:
        require_measured_values(source.rules.mapping, relation)
    except InputError as error:
        return error
    return None
