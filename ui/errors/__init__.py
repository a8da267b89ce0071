"""Step *Errors* and the error plot: how exact a release will be."""
