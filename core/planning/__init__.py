"""A draft before any noise: what it costs, how exact it will be, what to choose (SPEC 6, 7)."""
