"""A whole city under one budget per vehicle: tokens, and what is made of them (city-release).

Of scipy these modules import the top alone, which loads `scipy.linalg` and the like at their first use: they
take as long to load as all else of a window or a command, most of which never plan a city.
"""
