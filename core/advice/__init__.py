"""What is foretold and recommended before anything is drawn."""
