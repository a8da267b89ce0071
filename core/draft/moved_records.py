"""Records that are no longer where a project says: found by the ends of their paths, or as a person says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PureWindowsPath


def missing_files(files: Sequence[Path]) -> tuple[Path, ...]:
    """Those that are not there; what cannot be looked at may be."""
    return tuple(path for path in files if not _is_there(path, unknown=True))


def found_below(files: Sequence[Path], folder: Path) -> tuple[Path, ...]:
    """Each file where it is, else where it lies in this folder now; what is nowhere stays as it was.

    Of `/a/b/c.csv` the folder is asked for `a/b/c.csv`, then `b/c.csv`, then `c.csv`, but for no end of a
    path that several of the files have: it tells neither.
    """
    named = {path: _names(path) for path in files}
    shared = Counter(tuple(names[-length:]) for names in named.values() for length in _lengths(names))
    known = set(files)
    found: list[Path] = []
    for path, names in named.items():
        ends = () if _is_there(path, unknown=True) else (tuple(names[-length:]) for length in _lengths(names))
        candidates = (folder.joinpath(*end) for end in ends if shared[end] == 1)
        now = next((one for one in candidates if one not in known and _is_there(one, unknown=False)), path)
        known.add(now)
        found.append(now)
    return tuple(found)


def found_among(files: Sequence[Path], chosen: Sequence[Path]) -> tuple[Path, ...]:
    """Each file where it is, else the chosen one of its name, else one that lies beside the chosen ones.

    As many as are missing are these, whatever their names: what is read does not depend on which is which.
    """
    missing = missing_files(files)
    others = [path for path in chosen if path not in set(files)]
    shared = Counter(_names(path)[-1] for path in missing)
    by_name = {path.name: path for path in others}
    places = {
        path: by_name[name] for path in missing if shared[name := _names(path)[-1]] == 1 and name in by_name
    }
    unnamed = [path for path in missing if path not in places]
    left = [path for path in others if path not in places.values()]
    if len(unnamed) == len(left):
        places |= dict(zip(unnamed, left, strict=True))
    found = tuple(places.get(path, path) for path in files)
    for folder in dict.fromkeys(path.parent for path in others):
        found = found_below(found, folder)
    return found


def _names(path: Path) -> tuple[str, ...]:
    """Folders and file, without the root; also of a path that was written on Windows."""
    pure = PureWindowsPath(path) if "\\" in str(path) else path
    return pure.parts[1:] if pure.anchor else pure.parts


def _lengths(names: Sequence[str]) -> range:
    return range(len(names), 0, -1)


def _is_there(path: Path, *, unknown: bool) -> bool:
    """Also what an archive holds, as far as that is there."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return any(parent.is_file() for parent in path.parents)
    except (OSError, ValueError):
        return unknown
    return True
