"""Hexveil's engine: everything that could run on a server, without Qt."""

__version__ = "0.4.0"
