"""The formats of times as a table for people: what docs/file-formats.md says of them (`make docs`)."""

from __future__ import annotations

from core.clean.time_formats import TIME_FORMATS
from core.errors import InputError

HEAD = "| form | example | read as |\n| --- | --- | --- |\n"


def format_rows() -> str:
    """A row for each example of each format, as Markdown; an instant ends in UTC."""
    return "\n".join(
        f"| {one.name}{f', `{one.date_order}`' if one.date_order else ''} | `{cell}` "
        f"| {meaning.replace('Z', ' UTC')} |"
        for one in TIME_FORMATS
        for cell, meaning in one.examples
    )


def with_formats(page: str) -> str:
    """A page with the rows of its table of formats anew. Raises InputError where it has no such table."""
    before, head, rest = page.partition(HEAD)
    _, end, after = rest.partition("\n\n")
    if not head or not end:
        raise InputError("The page has no place for the forms of times.", mend="write the head of the table")
    return f"{before}{HEAD}{format_rows()}\n\n{after}"
