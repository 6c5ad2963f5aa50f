"""What a sandbox's server finds on disk, given to the account that it runs as. Runs in the driver; makes folders and
files in a folder that we alone may write.

Nothing is given whose folder the account may write: it could put a link there to a file of root's."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.own_folder import own_folder
from shardwright.runtime.rehearsal.sandbox.server_account import ServerAccount, unprivileged_account


def passable_folder(folder: Path) -> Path:
    """`own_folder`; while nothing is in it yet, the servers' account is let through to what will be its own. It
    may not list it."""
    place = own_folder(folder)
    account = unprivileged_account()
    if account and not place.stat().st_mode & stat.S_IXOTH and not any(place.iterdir()):
        with contextlib.suppress(OSError):  # a root that may give nothing away: the folder stays closed
            os.chown(place, -1, account.gid)
            place.chmod(0o710)
    return place


def written_folder(folder: Path, account: ServerAccount | None) -> None:
    """A folder that the server alone writes and reads; None is our own account."""
    if account is None:
        own_folder(folder)
        return
    folder.mkdir(mode=0o700, exist_ok=True)
    os.chown(folder, account.uid, account.gid, follow_symlinks=False)


def server_file(file: Path, account: ServerAccount | None, text: str = "") -> None:
    """A file for the server, readable by it alone. `text` is added at its end."""
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        if account:
            os.chown(stream.fileno(), account.uid, account.gid)
        stream.write(text)
