"""The offline web pages of the window: scheme, guard, page."""
