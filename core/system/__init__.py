"""Files, rights, processes and the machine below them."""
