"""What the files of the made-up city's map are called."""

STREETS, PLACES = "surat-synthetic-streets.geojson", "surat-synthetic-places.geojson"
