"""A draft before any noise: what it costs, how exact it will be, what to choose (method 6, 7)."""
