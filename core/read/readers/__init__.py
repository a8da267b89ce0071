"""One file format per file; the registry finds them."""
