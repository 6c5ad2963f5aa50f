"""Which folders and files does a sandbox's server find, and how do they come to belong to its account?

Runs in the process of the command; makes folders and files in a folder that only we may write. Ownership is never
given to a file in a folder that the account may write: it could put a link there to a file of root's.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from shardwright.runtime.rehearsal.sandbox.own_folder import own_folder
from shardwright.runtime.rehearsal.sandbox.server_account import ServerAccount, find_server_account


def passable_folder(folder: Path) -> Path:
    """`own_folder`. While it is empty, the servers' account gets the right to pass through to what will be its own; it
    may not list it."""
    place = own_folder(folder)
    account = find_server_account()
    if account and not place.stat().st_mode & stat.S_IXOTH and not any(place.iterdir()):
        with contextlib.suppress(OSError):  # this root may not change owners: the folder stays closed
            os.chown(place, -1, account.gid)
            place.chmod(0o710)
    return place


def make_server_folder(folder: Path, account: ServerAccount | None) -> None:
    """Makes a folder that only the server writes and reads. `account` None is our own account."""
    if account is None:
        own_folder(folder)
        return
    folder.mkdir(mode=0o700, exist_ok=True)
    os.chown(folder, account.uid, account.gid, follow_symlinks=False)


def server_file(file: Path, account: ServerAccount | None, text: str = "") -> None:
    """Makes a file for the server, readable by it alone, and appends `text` to it."""
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        if account:
            os.chown(stream.fileno(), account.uid, account.gid)
        stream.write(text)
