"""Licences in words: who may share and adapt the data, and how to name the publisher."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.release_texts import ReleaseTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class Licence:
    """A licence by its SPDX key."""

    key: str
    title: str
    url: str
    """Canonical address of the text; empty where it is unknown."""
    summary: str

    def descriptor(self) -> dict[str, str]:
        """The licence as datapackage.json states it."""
        name = re.sub(r"[^-a-zA-Z0-9._]+", "-", self.key).strip("-") or "other"
        return {"name": name, "title": self.title} | ({"path": self.url} if self.url else {})


KNOWN = (
    Licence(
        key="CC-BY-4.0",
        title="Creative Commons Attribution 4.0 International",
        url="https://creativecommons.org/licenses/by/4.0/",
        summary="You may share and adapt the data for any purpose, if you name the publisher, link to the "
        "licence and say what you changed.",
    ),
    Licence(
        key="CC0-1.0",
        title="Creative Commons Zero 1.0 Universal",
        url="https://creativecommons.org/publicdomain/zero/1.0/",
        summary="The publisher gives up all rights in the data, as far as the law allows. Naming the "
        "publisher is asked for, not required.",
    ),
    Licence(
        key="ODbL-1.0",
        title="Open Data Commons Open Database License 1.0",
        url="https://opendatacommons.org/licenses/odbl/1-0/",
        summary="You may share and adapt the data, if you name the publisher, offer adapted databases "
        "under the same licence and keep them open.",
    ),
)


def find_licence(text: str) -> Licence:
    """The licence that the text names; one of another name keeps its name."""
    wanted = text.strip()
    for licence in KNOWN:
        if wanted.casefold() == licence.key.casefold():
            return licence
    url = wanted if re.match(r"https?://\S+$", wanted) else ""
    return Licence(
        key=wanted,
        title=wanted,
        url=url,
        summary="The terms are those that the publisher names; ask the publisher where they are unclear.",
    )


def attribution(texts: ReleaseTexts, year: int) -> str:
    """The line that names the publisher."""
    return f"{texts.publisher} ({year}): {texts.title}, version {texts.version}."


def licence_text(texts: ReleaseTexts, year: int) -> bytes:
    """The content of LICENSE.txt: a pointer to the licence, not its full text."""
    licence = find_licence(texts.licence)
    lines = [
        f"The data in this folder are published by {texts.publisher} under:",
        "",
        f"    {licence.title}" + (f" ({licence.key})" if licence.key != licence.title else ""),
        *([f"    {licence.url}"] if licence.url and licence.url != licence.title else []),
        "",
        licence.summary,
        "",
        "Name the source like this:",
        "",
        f"    {attribution(texts, year)}",
        "",
        f"Questions: {texts.contact}",
        "",
    ]
    return "\n".join(lines).encode("utf-8")
