"""One file per step of the window."""
