"""What a person edits, and the files it is stored in."""
