"""What every room uses and what knows no session: jobs, theme, messages, small widgets, plots."""
