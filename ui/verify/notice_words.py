"""What is said of a bundle that its publisher has withdrawn or corrected; its files are intact."""

from __future__ import annotations

from core.signed.notices import Notice, NoticeKind
from ui.language.translation import stopped, translator

_tr = translator("Verify")


def noticed_verdict(notice: Notice) -> str:
    """In a few words."""
    return (
        _tr("Its publisher has withdrawn this bundle.")
        if notice.kind is NoticeKind.WITHDRAWN
        else _tr("Its publisher has corrected this bundle.")
    )


def noticed_by(notice: Notice, signer: str) -> str:
    """When, by whom, and why; signer: the key in words."""
    text = (
        _tr("Withdrawn on {date} by {signer}: {reason}")
        if notice.kind is NoticeKind.WITHDRAWN
        else _tr("Corrected on {date} by {signer}: {reason}")
    )
    return stopped(text.format(date=notice.on, signer=signer, reason=notice.reason))


def noticed_mend(notice: Notice) -> str:
    """What to do about it. To get the same again would mend nothing."""
    unchanged = _tr("The files are intact; downloading it again will not help.")
    return f"{unchanged} {noticed_action(notice)}"


def noticed_action(notice: Notice) -> str:
    """The same in one sentence."""
    if notice.kind is NoticeKind.WITHDRAWN:
        return _tr("Do not use it; ask its publisher what to use.")
    return _tr("Use {bundle} instead.").format(bundle=notice.replaced_by)
