"""An epsilon policy as `policy.html` and `policy.md`, and a folder that is a sealed bundle."""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError
from core.portal.plain_pages import PlainPage, Say
from core.portal.policy import EpsilonPolicy, policy_sections
from core.signed.bundle_names import MANIFEST, POLICY_MARKDOWN, POLICY_PAGE
from core.system.files import make_folder, write_atomic

_ENGLISH = "en"
_TITLE = "Epsilon policy"


def policy_pages(policy: EpsilonPolicy, *, say: Say = str, language: str = _ENGLISH) -> dict[str, bytes]:
    """Name -> content of both files. say: as the window speaks, with the code of that language."""
    typed = policy.publisher, policy.contact, policy.source, *policy.typed
    page = PlainPage(
        title=say(_TITLE),
        name=policy.source,
        generator=policy.format,
        sections=[
            section.said(lambda text: policy.subject.says(say(text), typed))
            for section in policy_sections(policy)
        ],
        language=language,
    )
    return {POLICY_PAGE: page.html, POLICY_MARKDOWN: page.markdown}


def write_policy(folder: Path, pages: dict[str, bytes]) -> None:
    """Write both files into a folder, made where it is missing, over older ones.

    Raises InputError for the folder of a bundle, whose list would no longer hold.
    """
    if (folder / MANIFEST).exists():
        raise InputError(
            "This is the folder of a bundle, whose files are sealed.",
            where=str(folder),
            mend="choose another folder; `policy = true` in [release] puts the policy into the next bundle",
        )
    make_folder(folder)
    for name, content in pages.items():
        write_atomic(folder / name, content)
