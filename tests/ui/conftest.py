"""The `app:` scheme has to be known before the first QApplication: this file is read before."""

from __future__ import annotations

from ui.web.scheme import register_scheme

register_scheme()
