"""The figures of the papers and of the report, drawn anew (method 10.9)."""
