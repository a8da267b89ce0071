"""What commands share: questions, passphrases, progress, records."""
