"""What must be said wherever numbers of a release are shown that is none, or not of what is chosen now."""

from __future__ import annotations

from ui.language.translation import translator

_tr = translator("ReleasedRemarks")


def practice_remark(*, practice: bool) -> tuple[str, ...]:
    """Of a practice release."""
    return (_tr("PRACTICE: this is no release."),) if practice else ()


def settings_remark(*, otherwise: bool) -> tuple[str, ...]:
    """Of a release that was made with other choices than those of the draft."""
    return (_tr("Made with other settings than those chosen now."),) if otherwise else ()
