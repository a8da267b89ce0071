"""Files that cannot be opened: a folder, a pipe, no rights, truncated, a zero character in the path."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from core.errors import InputError
from core.system.device_names import too_long_for_windows
from core.system.regular_files import NotRegular


def folder_refused(path: Path) -> InputError:
    """What to say where a folder stands for a file."""
    return InputError("This is a folder, not a file.", where=str(path), mend="name the files in it")


@contextlib.contextmanager
def unreadable_as_input_error(path: Path) -> Iterator[None]:
    """Turn what reading may raise into an InputError that quotes nothing from the file."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        mend = "choose a shorter path" if too_long_for_windows(path) else "check the path"
        raise InputError("There is no such file.", where=str(path), mend=mend) from None
    except PermissionError:
        raise InputError(
            "You are not allowed to read the file.", where=str(path), mend="check its permissions"
        ) from None
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile):
        raise _damaged(path) from None
    except InputError:
        raise
    except NotRegular:
        raise InputError(
            "This is neither a file nor a folder, but a pipe or a device.",
            where=str(path),
            mend="write its contents to a file, and name that",
        ) from None
    except ValueError as error:
        if "null" not in str(error):
            raise
        raise InputError(
            "A path cannot contain a zero character.", where=repr(str(path)), mend="check the path"
        ) from None
    except IsADirectoryError:
        raise folder_refused(path) from None
    except OSError as error:
        if error.errno is None:  # of a library that unpacks, not of the system
            raise _damaged(path) from None
        raise InputError(
            "The file cannot be read: {value}.",
            value=error.strerror or type(error).__name__,
            where=str(path),
            mend="check the path and the disk",
        ) from None


def _damaged(path: Path) -> InputError:
    return InputError(
        "The compressed file is truncated or damaged.",
        where=str(path),
        mend="copy or download it again; `gzip -t` or `unzip -t` shows whether it is whole",
    )
