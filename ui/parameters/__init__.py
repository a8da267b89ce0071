"""Step *Parameters*: what is published, for how much epsilon, for whom, by which mechanism."""
