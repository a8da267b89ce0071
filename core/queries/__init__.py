"""What is asked of the selected HATs."""
