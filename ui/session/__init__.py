"""What the window holds: the current frozen objects, settings, undo, how far each step has come."""
