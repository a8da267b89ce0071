"""Compare, a place of its own beside the steps: published bundles held against each other."""
