"""The manifest of checksums: its lines in order, line ends that were changed, the trusted comment."""

from __future__ import annotations

import re

from core.signed.bundle_names import MANIFEST, SIGNATURE
from core.signed.findings import Finding, decoded, require
from core.signed.minisign import Signature

_LINE = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*)")

_COMMENT = re.compile(rf"timestamp:[0-9]{{1,12}}\tfile:{MANIFEST}\trelease:([a-z0-9.-]{{1,200}})")


def parse_manifest(content: bytes) -> dict[str, str]:
    """Relative path -> SHA-256. Raises Finding unless it is written exactly as we write it (method 14)."""
    text = decoded(MANIFEST, content)
    require_line_ends(content)
    require(text.endswith("\n"), "{manifest} does not end with a line break")
    listed: dict[str, str] = {}
    last = ""
    for number, line in enumerate(text[:-1].split("\n"), start=1):
        found = _LINE.fullmatch(line)
        if not found or {".", ".."} & set(found[2].split("/")) or found[2] in (MANIFEST, SIGNATURE):
            raise Finding("{manifest}, line {number}, is malformed", number=number)
        require(found[2] > last, "{manifest}, line {number}, is out of order or repeated", number=number)
        last = found[2]
        listed[last] = found[1]
    return listed


def require_line_ends(content: bytes) -> None:
    """Raise Finding for a manifest with other line ends than ours, which no signature fits."""
    require(
        b"\r" not in content,
        "the line ends of {manifest} were changed, as git and editors do: copy or download it unchanged",
    )


def release_of(signature: Signature) -> str:
    """The `<name>-<version>` of a manifest's trusted comment. Raises Finding where it names none."""
    found = _COMMENT.fullmatch(signature.trusted_comment)
    if not found:
        raise Finding("{signature}: the trusted comment names no time, file and release")
    return found[1]
