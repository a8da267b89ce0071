"""Guards: why something cannot be done now, each reason once; a list of guards for each thing to do."""
