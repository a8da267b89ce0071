"""core.portal.plain_pages: a section in another language keeps its parts; both files show all of them."""

from __future__ import annotations

from core.portal.plain_pages import PlainPage, PlainSection

SECTION = PlainSection(
    heading="Limits",
    sentences=("One.",),
    header=("For", "Limit"),
    rows=(("a car", "1 < 2"),),
    items=("x | y",),
)


def test_every_part_is_said_and_shown_as_text() -> None:
    said = SECTION.said(lambda text: text.upper())
    assert said == PlainSection(
        heading="LIMITS",
        sentences=("ONE.",),
        header=("FOR", "LIMIT"),
        rows=(("A CAR", "1 < 2"),),
        items=("X | Y",),
    )
    page = PlainPage(title="A & B", name="one", generator="form-1", sections=[said], language="hi")
    html, markdown = page.html.decode(), page.markdown.decode()
    assert '<html lang="hi">' in html
    assert "<h1>A &amp; B</h1>" in html
    assert "<td>A CAR</td><td>1 &lt; 2</td>" in html
    assert "<li>X | Y</li>" in html
    assert markdown.startswith("# A \\& B: one\n\n## LIMITS\n\nONE.\n\n| FOR | LIMIT |\n| --- | --- |\n")
    assert markdown.endswith("- X \\| Y\n\n<!-- form-1 -->\n")
