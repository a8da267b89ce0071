"""A key on paper: what a camera reads from the page makes the same key again."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import zxingcpp
from PIL import Image

from core.keys.paper import key_paper, scanned
from core.keys.signing_key import SigningKey, generate_key
from core.keys.words import restore_key, words_of


def _key(folder: Path) -> SigningKey:
    return generate_key(folder / "key", "correct horse battery")


def test_a_camera_reads_the_key_from_the_code(tmp_path: Path) -> None:
    key = _key(tmp_path)
    drawn = io.BytesIO()
    scanned(words_of(key)).save(drawn, kind="png", scale=5)
    pixels = np.asarray(Image.open(drawn).convert("L")).copy()
    pixels[120:140, 110:140] = 255  # a stain
    (read,) = zxingcpp.read_barcodes(pixels)
    again = restore_key(tmp_path / "again", read.text, "another passphrase")
    assert again.public_text == key.public_text


def test_the_page_holds_the_words_in_their_order_and_the_code_of_them(tmp_path: Path) -> None:
    key = _key(tmp_path)
    page = key_paper(key)
    assert re.findall(r"<li>(\w+)</li>", page) == words_of(key).split()
    drawn = io.BytesIO()
    scanned(words_of(key)).save(drawn, kind="svg", scale=4)
    dots = re.search(r' d="([^"]+)"', drawn.getvalue().decode())
    assert dots is not None
    assert dots[1] in page
    assert key.key_id in page
    assert key.public_text in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
