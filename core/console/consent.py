"""The question before what cannot be undone: a release, an evaluation of true values (method 15)."""

from __future__ import annotations

from core.console.console import can_ask
from core.errors import InputError


def consents(question: str, *, what: str, mend: str) -> bool:
    """Ask at the terminal; True for the word yes.

    Raises InputError where no terminal can answer: `what` needs the consent, and how to give it otherwise.
    """
    if not can_ask():
        raise InputError(f"{what} needs your consent.", where="standard input", mend=mend)
    return input(f"{question} Type yes: ").strip().lower() == "yes"
