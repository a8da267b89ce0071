"""The forms of times as a table for people: what docs/file-formats.md says of them (`make docs`)."""

from __future__ import annotations

from core.clean.time_forms import TIME_FORMS
from core.errors import InputError

HEAD = "| form | example | read as |\n| --- | --- | --- |\n"


def forms_rows() -> str:
    """A row for each example of each form, as Markdown; an instant ends in UTC."""
    return "\n".join(
        f"| {form.name}{f', `{form.date_order}`' if form.date_order else ''} | `{cell}` "
        f"| {meaning.replace('Z', ' UTC')} |"
        for form in TIME_FORMS
        for cell, meaning in form.examples
    )


def with_forms(page: str) -> str:
    """A page with the rows of its table of forms anew. Raises InputError where it has no such table."""
    before, head, rest = page.partition(HEAD)
    _, end, after = rest.partition("\n\n")
    if not head or not end:
        raise InputError("The page has no place for the forms of times.", mend="write the head of the table")
    return f"{before}{HEAD}{forms_rows()}\n\n{after}"
