"""Files as tables of text: formats, encodings, archives; one reader a format (method 2)."""
