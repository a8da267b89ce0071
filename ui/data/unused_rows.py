"""What is told of a load many of whose rows are of no use: how many, and why. Confidential."""

from __future__ import annotations

from core.assist.unread_cells import UnreadCells
from ui.kit.message_bar import Message
from ui.language.translation import percent, translator

_tr = translator("UnusedRows")


def unused_message(share: float, unread: UnreadCells | None = None) -> Message:
    """share: of the rows, 0..1; unread: why, once it is known."""
    what = _tr("{share} of the rows are not used.").format(share=percent(share))
    if unread is None:
        return Message(what=what, mend=_tr("Look below at what was not used as it was."))
    where = _tr("{column} is not readable from {file} on: cells like {shape}.").format(
        column=unread.column, file=unread.file, shape=unread.shape
    )
    if unread.other_mark:
        mend = _tr(
            "Its decimal mark is another one there: open the files again, and choose “either” as decimal "
            "mark under File format."
        )
    else:
        mend = _tr("Write these cells as the others, or choose another column, and open the files again.")
    return Message(what=what, where=where, mend=mend)
