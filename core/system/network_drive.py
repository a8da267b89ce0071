"""Whether a path lies on another computer: locks and syncs do not work there as a ledger needs them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple

import psutil

if sys.platform == "win32":
    import ctypes

NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ncpfs", "davfs", "ceph", "glusterfs", "lustre", "beegfs"}
    | {"fuse.sshfs", "fuse.davfs2", "fuse.rclone", "fuse.glusterfs", "fuse.ceph", "fuse.gvfsd-fuse", "webdav"}
)
_REMOTE = 4


class Mount(NamedTuple):
    """A file system and where it is found."""

    folder: str
    kind: str


def is_on_network(path: Path) -> bool:
    """Whether a file, which need not exist, lies on a drive of another computer.

    False where nobody can tell.
    """
    if sys.platform == "win32":
        return path.drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(path.anchor) == _REMOTE
    try:
        mounts = [Mount(found.mountpoint, found.fstype) for found in psutil.disk_partitions(all=True)]
        return kind_of(path.resolve(), mounts) in NETWORK_FILE_SYSTEMS
    except OSError:
        return False


def kind_of(path: PurePath, mounts: Iterable[Mount]) -> str:
    """The file system that a path lies on: of the deepest folder on the way to it, the one mounted last."""
    here = PurePosixPath(path)
    above = {str(folder): depth for depth, folder in enumerate([here, *here.parents])}
    found = [
        (-above[mount.folder], place, mount.kind)
        for place, mount in enumerate(mounts)
        if mount.folder in above
    ]
    return max(found, default=(0, 0, ""))[2]
