"""What a person edits, and the files it is kept in."""
