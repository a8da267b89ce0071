"""Signed folders: what their files are called, their sums, and whose signature they bear."""
