"""How large the errors are, known only with the true values: confidential, apart from releases (SPEC 10)."""
