"""Tab *Distributions*: resolutions, user suppression, distribution of values."""
