"""`map.hi.html`: the map page in another language: the data of `map.html`, and its texts in that language.

The data stay as they are, so that who checks the bundle compares them with the tables; `texts` beside
them holds every sentence of the page, and of the data, under its English words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from core.bundle.public_words import DATES
from core.catalogue import Catalogue, CatalogueEntry
from core.portal.map_data import COMPARISONS, WORDS
from core.portal.map_page import map_page, page_part
from core.release_texts import IN_ENGLISH
from core.signed.bundle_names import MAP_PAGE
from core.subject import VEHICLE

PAGE_TEXTS, LANGUAGE = "texts", "language"
_SAID = re.compile(r'\bsay\("([^"]+)"')
_COUNTED = re.compile(r'\bcount\([^"]+"([^"]+)", "([^"]+)"\)')
_SHOWN = re.compile(r'(?<=>)(?=[A-Z][a-z])[^<>{}]+?(?=</)|(?<=aria-label=")[^"]+')
"""Texts of the page around the script, which begin with a capital; commands do not."""
_NOUNS = (VEHICLE.name, VEHICLE.plural, "percentile", "day kind")


def page_entries() -> Iterator[CatalogueEntry]:
    """What the page itself says, each text once: of its script, and of what stands around it."""
    script, page = page_part("page.js"), page_part("page.html")
    for one, many in dict.fromkeys(_COUNTED.findall(script)):
        yield CatalogueEntry(text=one, many=many, context=MAP_PAGE)
    for text in dict.fromkeys([*_NOUNS, *DATES, *_SAID.findall(script), *_SHOWN.findall(page)]):
        yield CatalogueEntry(text=text, context=MAP_PAGE)


def spoken_map(
    data: Mapping[str, Any], catalogue: Catalogue, say: Callable[[str], str], place: Callable[[str], str]
) -> bytes:
    """The page; data: of `map.html`, its sentences with their templates.

    say: a sentence in that language; place: a text in it, with hexagons and vehicles as they are called.
    """
    known = {one.text: one.said for one in catalogue.entries if one.context == MAP_PAGE}
    texts = {
        english: place(said)
        for entry in page_entries()
        for english, said in zip((entry.text, entry.many), known.get(entry.text, ()), strict=False)
    }
    others = (text for text in _sentences(data) if text not in texts)
    texts |= {text: said for text in others if (said := say(text)) != text}
    words = data.get(WORDS, {})
    pages = {**words.get("pages", {}), IN_ENGLISH: MAP_PAGE}
    own = {WORDS: {**words, "pages": pages}, LANGUAGE: catalogue.language, PAGE_TEXTS: texts}
    content = map_page({**data, **own}).decode("utf-8")
    head, mark, rest = content.partition("<main>")
    body, end, tail = rest.partition("</main>")
    head = head.replace(f'<html lang="{IN_ENGLISH}">', f'<html lang="{catalogue.language}">', 1)
    body = _SHOWN.sub(lambda found: texts.get(found[0], found[0]), body)
    return "".join((head, mark, body, end, tail)).encode("utf-8")


def _sentences(data: Mapping[str, Any]) -> Iterator[str]:
    """The texts of the data: none that names something of a person's, as a place or a route."""
    yield from (text for text in data.get(WORDS, {}).values() if isinstance(text, str))
    yield from filter(None, (data["practice"], *data["subject"], data["privacy"]["protected"]))
    yield from (*data["privacy"]["open"], *data["privacy"]["meaning"])
    compared = data.get(COMPARISONS, {})
    yield from (text for text in compared.values() if isinstance(text, str))
    yield from (text for card in compared.get("cards", ()) for text in card.values() if isinstance(text, str))
    for table in data["tables"]:
        yield table["title"]
        yield from (text for layer in table["layers"] for text in (layer["unit"], *layer["key"]))
