"""A whole city under one budget per vehicle: tokens, and what is made of them (city-release)."""
