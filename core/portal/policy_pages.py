"""An epsilon policy as `policy.html` and `policy.md`: the same words, and nothing in them is markup."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path

from core.errors import InputError
from core.portal.policy import EpsilonPolicy, PolicySection, policy_sections
from core.signed.bundle_names import MANIFEST, POLICY_MARKDOWN, POLICY_PAGE
from core.system.files import make_folder, write_atomic
from core.system.paths import resources
from core.system.regular_files import read_regular

Say = Callable[[str], str]
"""A sentence in the language of the page."""
_ENGLISH = "en"
_TITLE = "Epsilon policy"
_MARKUP = re.compile(r"([\\`*_\[\]<>#|&!~])")


def policy_pages(policy: EpsilonPolicy, *, say: Say = str, language: str = _ENGLISH) -> dict[str, bytes]:
    """Name -> content of both files. say: as the window speaks, with the code of that language."""
    typed = policy.publisher, policy.contact, policy.source, *policy.typed
    sections = [
        _said(section, lambda text: policy.subject.says(say(text), typed))
        for section in policy_sections(policy)
    ]
    title = say(_TITLE)
    return {
        POLICY_PAGE: _html(title, policy, sections, language).encode(),
        POLICY_MARKDOWN: _markdown(title, policy, sections).encode(),
    }


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


def _said(section: PolicySection, say: Say) -> PolicySection:
    return PolicySection(
        heading=say(section.heading),
        sentences=tuple(map(say, section.sentences)),
        header=tuple(map(say, section.header)),
        rows=tuple(tuple(map(say, row)) for row in section.rows),
        items=tuple(map(say, section.items)),
    )


def _html(title: str, policy: EpsilonPolicy, sections: list[PolicySection], language: str) -> str:
    parts = "".join(map(_html_section, sections))
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{policy.format}">\n'
        f"<title>{escape(title)}: {_line(policy.source)}</title>\n<style>{_style()}</style>\n</head>\n"
        f'<body>\n<main>\n<h1>{escape(title)}</h1>\n<p class="soft">{_line(policy.source)}</p>\n{parts}'
        "</main>\n</body>\n</html>\n"
    )


@cache
def _style() -> str:
    return read_regular(resources() / "templates" / "policy-1.css").decode()


def _html_section(section: PolicySection) -> str:
    html = "".join(f"<p>{_line(sentence)}</p>\n" for sentence in section.sentences)
    if section.rows:
        head = "".join(f"<th>{_line(cell)}</th>" for cell in section.header)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_line(cell)}</td>" for cell in row) + "</tr>\n" for row in section.rows
        )
        html += f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    if section.items:
        html += "<ul>\n" + "".join(f"<li>{_line(item)}</li>\n" for item in section.items) + "</ul>\n"
    return f"<h2>{_line(section.heading)}</h2>\n{html}"


def _line(text: str) -> str:
    """Free text on one line, as text."""
    return escape(" ".join(text.split()))


def _markdown(title: str, policy: EpsilonPolicy, sections: list[PolicySection]) -> str:
    blocks = [f"# {_plain(title)}: {_plain(policy.source)}", *map(_markdown_section, sections)]
    return "\n\n".join(blocks) + f"\n\n<!-- {policy.format} -->\n"


def _markdown_section(section: PolicySection) -> str:
    blocks = [f"## {_plain(section.heading)}", *map(_plain, section.sentences)]
    if section.rows:
        lines = (section.header, ("---",) * len(section.header), *section.rows)
        blocks.append(
            "\n".join(
                f"| {' | '.join(cell if number == 1 else _plain(cell) for cell in line)} |"
                for number, line in enumerate(lines)
            )
        )
    if section.items:
        blocks.append("\n".join(f"- {_plain(item)}" for item in section.items))
    return "\n\n".join(blocks)


def _plain(text: str) -> str:
    """Free text on one line that cannot become markup; none of ours begins with a sign of a list."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
