"""Tab *Map*: an offline page of hexagons coloured by a layer."""
