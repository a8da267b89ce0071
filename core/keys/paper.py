"""A signing key on paper: an HTML page with its words and a code for a scanner (method 18.4)."""

from __future__ import annotations

import io
from html import escape
from pathlib import Path

import segno

from core.errors import InputError
from core.keys.signing_key import SigningKey
from core.keys.words import words_of
from core.system.files import write_synced

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Signing key {key_id}</title>
<style>
body {{ font: 12pt/1.5 sans-serif; color: #000; background: #fff; max-width: 17cm; margin: 1.5cm auto; }}
h1 {{ font-size: 18pt; margin: 0; }}
ol {{ columns: 3; font: 15pt/2 monospace; list-style-position: inside; padding: 0; }}
.secret {{ border: 2px solid #000; padding: .6em .9em; }}
figure {{ margin: 1em 0; }}
code {{ font-size: 10.5pt; overflow-wrap: anywhere; }}
</style>
</head>
<body>
<h1>Signing key {key_id}</h1>
<p>Fingerprint {fingerprint}<br>Public key <code>{public}</code></p>
<p class="secret"><b>SECRET.</b> Who has this page signs as its owner does, without any passphrase. Print it,
keep it in a safe, and delete the file and what the printer keeps of it.</p>
<ol>
{words}
</ol>
<figure>{code}<figcaption>The same words, for a scanner that types what it reads.</figcaption></figure>
<p>To make the key file again: <code>hexveil keygen --words - --out KEY</code>, then type the words in their
order, or scan the code, and end with an empty line. The last two words are a sum of the others: one that was
misread is noticed.</p>
</body>
</html>
"""


def key_paper(key: SigningKey) -> str:
    """The page as HTML, which asks for nothing from anywhere. It holds the private key itself."""
    words = words_of(key)
    drawn = io.BytesIO()
    scanned(words).save(
        drawn, kind="svg", scale=4, xmldecl=False, svgclass=None, lineclass=None, title="The words as a code"
    )
    return _PAGE.format(
        key_id=escape(key.key_id),
        fingerprint=escape(key.fingerprint),
        public=escape(key.public_text),
        words="\n".join(f"<li>{word}</li>" for word in words.split()),
        code=drawn.getvalue().decode("utf-8"),
    )


def write_key_paper(path: Path, key: SigningKey) -> None:
    """Write the page as a new file that is its owner's alone (mode 0600).

    Raises InputError where it cannot be written, or is there already: written over another, that one's key
    might stay on the disk.
    """
    try:
        write_synced(path, key_paper(key).encode(), mode=0o600)
    except FileExistsError:
        raise InputError("The file is there already.", where=str(path), mend="name a new file") from None
    except OSError as error:
        raise InputError(
            "The page cannot be written: {strerror}.",
            strerror=error.strerror,
            where=str(path),
            mend="choose a file in a folder that you can write to",
        ) from None


def scanned(words: str) -> segno.QRCode:
    """The code of some words, on one line and in capitals, which take fewer dots; it bears dirt of 15 %."""
    return segno.make_qr(" ".join(words.split()).upper(), error="m")
