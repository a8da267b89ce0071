"""Pages of headings, sentences, lists and tables, as HTML and as Markdown: nothing in them is markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from core.system.paths import resources
from core.system.regular_files import read_regular

Say = Callable[[str], str]
"""A sentence in the language of the page."""
_MARKUP = re.compile(r"([\\`*_\[\]<>#|&!~])")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSection:
    """A part of a page: sentences, then a table or a list."""

    heading: str
    sentences: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    items: tuple[str, ...] = ()

    def said(self, say: Say) -> PlainSection:
        """The same in another language."""
        return PlainSection(
            heading=say(self.heading),
            sentences=tuple(map(say, self.sentences)),
            header=tuple(map(say, self.header)),
            rows=tuple(tuple(map(say, row)) for row in self.rows),
            items=tuple(map(say, self.items)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainPage:
    """A page; its texts may be anybody's, and hold markup."""

    title: str
    name: str
    """What it is of; below the title."""
    generator: str
    """Its format, for programs."""
    sections: Sequence[PlainSection]
    language: str = "en"

    @property
    def html(self) -> bytes:
        """As a page for a browser, which asks for nothing."""
        parts = "".join(map(_html_section, self.sections))
        return (
            f'<!doctype html>\n<html lang="{escape(self.language)}">\n<head>\n<meta charset="utf-8">\n'
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
            "style-src 'unsafe-inline'\">\n"
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="generator" content="{self.generator}">\n'
            f"<title>{escape(self.title)}: {_line(self.name)}</title>\n<style>{_style()}</style>\n</head>\n"
            f'<body>\n<main>\n<h1>{escape(self.title)}</h1>\n<p class="soft">{_line(self.name)}</p>\n{parts}'
            "</main>\n</body>\n</html>\n"
        ).encode()

    @property
    def markdown(self) -> bytes:
        """As Markdown."""
        blocks = [f"# {_plain(self.title)}: {_plain(self.name)}", *map(_markdown_section, self.sections)]
        return ("\n\n".join(blocks) + f"\n\n<!-- {self.generator} -->\n").encode()


@cache
def _style() -> str:
    return read_regular(resources() / "templates" / "policy-1.css").decode()


def _html_section(section: PlainSection) -> str:
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


def _markdown_section(section: PlainSection) -> str:
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
