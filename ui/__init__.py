"""The window: pages, widgets, session, jobs. No mathematics."""
