"""Made-up records of a city's buses, to try everything on."""
