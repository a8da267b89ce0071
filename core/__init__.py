"""Hexveil's engine: everything that could run on a server, without Qt."""

__version__ = "1.0.0"
