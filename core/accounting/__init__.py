"""What a release costs, how a total is divided, and the ledger that refuses."""
