"""The ledger, a separate place beside the steps: what was spent, what is left, what it may become."""
