"""Maps of the analyst's own: layers of features and tiles, and the names of places in them. Public data."""
