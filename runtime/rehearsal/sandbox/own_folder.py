"""Do the folders and password files of a sandbox belong to us, and may no other account write them?

Runs in the process of the command; makes folders and password files. A folder that another account made beforehand
could give us its passwords and make us run its files (every account may write in `/tmp`).
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path
from typing import Final

from shardwright.runtime.failures import Refused

_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_PASSWORD: Final = re.compile(r"[A-Za-z0-9_-]{32}")


def own_folder(folder: Path) -> Path:
    """The folder, made where it does not exist, for our account alone.

    Raises Refused (SW8608) when it is not ours, or other accounts may write it.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise _refusal(folder, "is no folder") from None
    found = folder.stat()
    if folder.is_symlink() and folder.lstat().st_uid != os.geteuid():
        raise _refusal(folder, "is a link that another account made")
    if found.st_uid != os.geteuid():
        raise _refusal(folder, "belongs to another account")
    if found.st_mode & _OTHERS_WRITE:
        raise _refusal(folder, f"may be written by other accounts (mode {stat.S_IMODE(found.st_mode):04o})")
    return folder.resolve()


def password_in(file: Path) -> str:
    """The password in `file`. If there is none yet, it is made up and written there, readable by its owner only.

    Raises Refused (SW8608) for a file that another account made or may read, and for one that holds anything but a
    password of ours.
    """
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return _read_password(file)
    password = secrets.token_urlsafe(24)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(password)
    return password


def _read_password(file: Path) -> str:
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise _refusal(file, f"cannot be read: {error.strerror}") from None
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(stream.fileno())
        ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
        text = stream.read(100).decode("ascii", "replace") if ours else ""
    if not ours or not _PASSWORD.fullmatch(text):
        raise _refusal(file, "is not a password file that we have made (mode 0600, our own)")
    return text


def _refusal(place: Path, why: str) -> Refused:
    return Refused("SW8608", f"{place} {why}: name another --folder, in a place that is yours, or remove it")
