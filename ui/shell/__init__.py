"""The frame around the steps: start and end, menus, list of steps, log, help; assembly only."""
