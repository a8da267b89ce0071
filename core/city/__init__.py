"""A whole city under one budget per vehicle: tokens, and what is made of them (city-release).

Functions that need scipy import it themselves: it takes as long to load as all else of a window or a command,
and most never plan a city.
"""
