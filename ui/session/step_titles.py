"""Titles of the steps."""

from __future__ import annotations

from ui.language.translation import translator

_tr = translator("Steps")


def data_title() -> str:
    """Where records are opened."""
    return _tr("Data")


def parameters_title() -> str:
    """Where all that is published is chosen."""
    return _tr("Parameters")


def errors_title() -> str:
    """Where mechanisms are compared."""
    return _tr("Errors")


def release_title() -> str:
    """Where a release is reviewed and signed."""
    return _tr("Release")


def verify_title() -> str:
    """Where bundles are checked."""
    return _tr("Verify")
