"""A release says to the public what it says first in the window's language, too."""

from __future__ import annotations

import dataclasses

from core.draft.draft import Draft
from core.release_texts import LANGUAGES
from ui.language.translation import SOURCE_LANGUAGE, spoken_language


def spoken_in(draft: Draft) -> Draft:
    """The draft with the window's language beside English, where README and report can be in it."""
    spoken = spoken_language()
    beside = spoken != SOURCE_LANGUAGE and spoken in LANGUAGES and spoken not in draft.languages
    return dataclasses.replace(draft, languages=(*draft.languages, spoken)) if beside else draft
