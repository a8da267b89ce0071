"""ui.session.shown_release: nothing is said of a release of what is chosen."""

from __future__ import annotations

from ui.session.shown_release import practice_remark, settings_remark


def test_each_remark_is_said_where_it_holds_and_nowhere_else() -> None:
    assert practice_remark(practice=False) == settings_remark(otherwise=False) == ()
    assert practice_remark(practice=True) == ("PRACTICE: this is no release.",)
    assert settings_remark(otherwise=True) == ("Made with other settings than those chosen now.",)
