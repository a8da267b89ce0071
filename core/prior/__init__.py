"""Public counts for a list of candidate HATs: what is known of a city without the records to protect."""
