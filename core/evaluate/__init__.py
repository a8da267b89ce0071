"""How large the errors are, known with the true values only: confidential, apart (method 10)."""
