"""core.portal.policy_pages: the same words in both files, markup never runs, the first form is for ever."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.portal.policy import policy_of_statement, policy_sections
from core.portal.policy_pages import policy_pages, write_policy
from core.release_texts import Handling
from core.verify.verify import verify_bundle
from tests.builders import make_bundle, make_texts, usual_bundle

STATEMENT = (
    Path(__file__).resolve().parents[2] / "golden" / "v0.2" / "releases" / "one-query-1.0.0" / "privacy.json"
)
EVIL = '<script>alert(1)</script> [x](javascript:alert(1)) **b** | c\n\n# h <img src="http://a.example/">'


def pages(**changes: Any) -> dict[str, bytes]:
    return policy_pages(policy_of_statement(json.loads(STATEMENT.read_bytes()) | changes))


class Reader(HTMLParser):
    """Tags and text of a page."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.feed(content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onload", "onclick"}

    def handle_data(self, data: str) -> None:
        self.texts.append(" ".join(data.split()))


def test_the_first_form_is_never_changed() -> None:
    """Bundles hold it, and `verify` makes it anew: other words are another form with a name of its own."""
    sums = {name: hashlib.sha256(content).hexdigest()[:16] for name, content in pages().items()}
    assert sums == {"policy.html": "226e96b527e5c7f4", "policy.md": "093ee1080faf824d"}


def test_the_second_form_is_never_changed() -> None:
    """Of bundles before the third, which says how records are handled and who is served worse."""
    path = STATEMENT.parents[3] / "v0.4" / "releases" / "one-query-1.0.0" / "privacy.json"
    made = policy_pages(policy_of_statement(json.loads(path.read_bytes())))
    sums = {name: hashlib.sha256(content).hexdigest()[:16] for name, content in made.items()}
    assert sums == {"policy.html": "913f65fd95830b82", "policy.md": "70ef429e65737254"}


def test_what_a_publisher_says_of_its_records_is_text(tmp_path: Path) -> None:
    handling = Handling(
        who_sees_records=EVIL[:60],
        review_date=dt.date(2027, 1, 31),
        intruder_test="Each vehicle: <b>nobody</b>",
    )
    bundle = make_bundle(tmp_path, texts=make_texts(policy=True, handling=handling))
    html, markdown = ((bundle / name).read_text("utf-8") for name in ("policy.html", "policy.md"))
    assert "2027-01-31" in html
    assert "<td>not said</td>" in html
    assert "Each vehicle: &lt;b&gt;nobody&lt;/b&gt;" in html
    assert "<script" not in html
    assert "\\<script" in markdown
    assert "of a hundred cases" in html
    assert "No usable number: 1 row of 4" in markdown
    assert verify_bundle(bundle).ok


def test_both_files_say_every_sentence() -> None:
    sections = policy_sections(policy_of_statement(json.loads(STATEMENT.read_bytes())))
    made = pages()
    shown = Reader(made["policy.html"]).texts
    markdown = made["policy.md"].decode().replace("\\", "")
    for one in sections:
        for text in (one.heading, *one.sentences, *one.header, *sum(one.rows, ()), *one.items):
            assert text in shown
            assert text in markdown


def test_markup_in_names_is_text() -> None:
    made = pages(contact=EVIL, data_curators=[EVIL], title=EVIL)
    usual = Reader(pages()["policy.html"])
    reader = Reader(made["policy.html"])
    assert reader.tags == usual.tags
    assert any("<script>alert(1)</script>" in text for text in reader.texts)
    markdown = made["policy.md"].decode()
    assert "<script>" not in markdown
    assert "[x](" not in markdown
    assert not any(line.startswith("# h") for line in markdown.splitlines())


def test_the_page_asks_for_nothing_and_runs_nothing() -> None:
    content = pages()["policy.html"].decode()
    assert "default-src 'none'" in content
    assert "http://" not in content
    assert "https://" not in content
    assert "<script" not in content


def test_the_page_speaks_the_language_that_it_is_given() -> None:
    policy = policy_of_statement(json.loads(STATEMENT.read_bytes()))
    made = policy_pages(policy, say=lambda text: f"«{text}»", language="hi")
    assert '<html lang="hi">' in made["policy.html"].decode()
    assert "## «What epsilon is»" in made["policy.md"].decode()
    assert "«vehicle and day»" in made["policy.md"].decode()


def test_files_are_written_whole_and_never_into_a_bundle(tmp_path: Path) -> None:
    write_policy(tmp_path / "new" / "folder", pages())
    write_policy(tmp_path / "new" / "folder", pages(contact="new@city.example"))
    found = {path.name: path.read_bytes() for path in (tmp_path / "new" / "folder").iterdir()}
    assert found == pages(contact="new@city.example")
    bundle = usual_bundle(tmp_path)
    with pytest.raises(InputError, match="files are sealed"):
        write_policy(bundle, pages())
    assert not (bundle / "policy.html").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be created"):
        write_policy(tmp_path / "file", pages())
