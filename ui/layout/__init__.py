"""How widgets share the window."""
