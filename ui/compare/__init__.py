"""Compare, a separate place beside the steps: published bundles compared with each other."""
