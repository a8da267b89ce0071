"""Step *Release*: texts, key, review, the one irreversible act, and what came of it."""
