"""What Qt hands to the methods of a table model and of a delegate to name a cell."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex

ModelIndex = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
"""The invisible cell that holds all rows of a table."""
