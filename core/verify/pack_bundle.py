"""Packing a bundle as one zip to send: a name that exists, a bundle that is not as signed (method 14.11).

What is signed stays the folder. The same folder gives the same bytes on one computer: sorted names, one time.
"""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path

from core.errors import InputError
from core.progress import Progress, silent
from core.signed.findings import Finding
from core.signed.signed_files import SignedFiles
from core.system.files import atomic_file, require_free
from core.system.paths import program_name
from core.texts import text_of
from core.verify.packed_source import PACKED_SUFFIX, require_name

_TIME = (1980, 1, 1, 0, 0, 0)
"""The first that the format knows: when a file was written is nobody's concern."""
_UNIX = 3
_MODE = stat.S_IFREG | 0o644
_BLOCK = 1 << 20


def packed_path(bundle: Path, release: str) -> Path:
    """Where the zip of a bundle lies: beside its folder, called by its release."""
    return bundle.absolute().parent / f"{release}{PACKED_SUFFIX}"


def pack_bundle(bundle: Path, progress: Progress = silent) -> Path:
    """Pack the files that are signed, and them alone; the path of the zip.

    Raises InputError for a folder that is not as it was signed, where there is something of the name already,
    and where the folder above cannot be written.
    """
    try:
        return _pack(SignedFiles(bundle), bundle, progress)
    except Finding as finding:
        raise InputError(
            "This bundle is not as it was signed: {finding}.",
            finding=finding,
            where=str(bundle),
            mend=text_of(
                "name the folder of a bundle; `{value} verify` says what is wrong with it",
                value=program_name(),
            ),
        ) from None


def _pack(files: SignedFiles, bundle: Path, progress: Progress) -> Path:
    target = packed_path(bundle, files.release)
    require_free(target, "move it away first")
    contents = {
        f"{files.release}/{name}": content
        for name, content in (*files.seal.items(), *((name, files.read(name)) for name in files.names))
    }
    for name in contents:
        require_name(name)  # who signed it may have called it anything
    total, done = sum(map(len, contents.values())), 0
    with atomic_file(target) as file:
        with zipfile.ZipFile(file, "w") as archive:
            for name in sorted(contents):
                with archive.open(_member(name), "w") as member:
                    content = io.BytesIO(contents[name])
                    while block := content.read(_BLOCK):
                        progress(done / total, "Packing the bundle…")
                        done += member.write(block)
        require_free(target, "move it away first")
    return target


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _TIME)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = _UNIX
    info.external_attr = _MODE << 16
    return info
