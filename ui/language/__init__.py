"""The texts of the window in the language that is chosen."""
