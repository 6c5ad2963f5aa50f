"""A project's files are read and written only where they really stand in the project, as regular files, up to a size.

A checkout may hold links that somebody else committed: to a key, to a device, to a folder of the user's. Whoever reads
or writes a file of a project goes through here. Runs in the command line; what the files mean is the callers' business.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path

MIB = 1024 * 1024
YAML_BYTES = MIB
SQL_BYTES = 16 * MIB
"""Schema, DDL and CSV files."""
OWN_BYTES = 256 * MIB
"""What `compile` wrote: plans, the lock, records."""

_OUTSIDE = "is a link that leads out of the project, or is behind one: put the file or folder itself there"
_OF_GIT = "leads into .git: put the file or folder itself into the project"
_IRREGULAR = "is a pipe or a device: put a regular file there"


class FileRefused(Exception):
    """Nothing of the file was read. `reason` goes on from the file's name and says what to do; `code` is the
    finding's."""

    code = "SW1013"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class FileTooLarge(FileRefused):
    """The file is larger than `limit` bytes."""

    code = "SW1008"

    def __init__(self, limit: int) -> None:
        super().__init__(f"is larger than {limit // MIB} MiB")


def real_path(path: str | Path, *, root: str | Path) -> str:
    """Where the path leads, links followed; it need not exist. Raises FileRefused when that is outside of `root`, which
    may be a link itself, or in its .git, which may hold a login."""
    real, top = os.path.realpath(path), os.path.realpath(root)
    below = os.path.relpath(real, top).split(os.sep)
    if below[0] == os.pardir:
        raise FileRefused(_OUTSIDE)
    if ".git" in below:
        raise FileRefused(_OF_GIT)
    return real


def read_file(path: str | Path, *, root: str | Path | None, limit: int) -> bytes:
    """The bytes of a regular file. `root` None: the operator named the file, and it may stand anywhere.

    Never waits, as opening a pipe would. Raises FileRefused, FileTooLarge, and OSError as opening the file does.
    """
    real = str(path) if root is None else real_path(path, root=root)
    _require_regular(os.stat(real), path)  # before it is opened: opening alone sets some devices going
    no_follow = 0 if root is None else os.O_NOFOLLOW
    with open(os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | no_follow), "rb") as file:
        _require_regular(os.fstat(file.fileno()), path)
        content = file.read(limit + 1)
    if len(content) > limit:
        raise FileTooLarge(limit)
    return content


def read_own_text(path: str | Path, *, root: str | Path) -> str:
    """The text of a file that `compile` wrote, with newlines as line ends. Raises FileRefused, OSError,
    UnicodeDecodeError."""
    return with_newlines(read_file(path, root=root, limit=OWN_BYTES).decode("utf-8"))


def with_newlines(text: str) -> str:
    """As Python reads text files: every line ends with a newline, whatever the file has."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write_file(path: str | Path, text: str, *, root: str | Path) -> None:
    """Write the whole file, making its folders. A link in its place is replaced, and what it leads to is left alone:
    the text goes into a new file beside, which then takes the name. Raises FileRefused, OSError."""
    folder, name = os.path.split(os.fspath(path))
    real = make_folder(folder or os.curdir, root=root)
    fresh = os.path.join(real, f".{name}.{secrets.token_hex(4)}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(fresh, os.path.join(real, name))
    except BaseException:
        os.unlink(fresh)
        raise


def make_folder(folder: str | Path, *, root: str | Path) -> str:
    """Make the folder where it is missing; gives its real path. Raises FileRefused, OSError."""
    real = real_path(folder, root=root)
    os.makedirs(real, exist_ok=True)
    return real


def files_in(folder: Path, *endings: str, root: str | Path) -> tuple[Path, ...]:
    """What has one of the endings in a folder, sorted; empty where there is no such folder. Raises FileRefused."""
    try:
        names = os.listdir(real_path(folder, root=root))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    return tuple(folder / name for name in sorted(names) if name.endswith(endings))


def _require_regular(state: os.stat_result, path: str | Path) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(state.st_mode):
        raise FileRefused(_IRREGULAR)
