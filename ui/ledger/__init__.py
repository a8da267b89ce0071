"""The ledger, a place of its own beside the steps: what was spent, what is left, what it may become."""
