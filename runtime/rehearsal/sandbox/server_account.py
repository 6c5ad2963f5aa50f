"""As which account does a sandbox's server run? As our own; but where we are the operating system's root (containers,
CI), as one without rights that can reach what the server needs.

Runs in the process of the command; writes nothing. What an account can reach is tried in a child process of that
account: modes alone do not show links, access lists and mounts. The server is started in the same way and never is
root, not even for a moment.
"""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict

from shardwright.runtime.rehearsal.sandbox.binary import ServerBinary

_NAMES: Final = ("mysql", "nobody")
_PASSED_ON: Final = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ")
_FIRST_CLOSED: Final = 'for place do test -x "$place" || { printf %s "$place"; exit; }; done'
_DEADLINE: Final = 20.0


@dataclass(frozen=True, slots=True)
class ServerAccount:
    name: str
    uid: int
    gid: int


class Identity(TypedDict):
    """Arguments of `subprocess` that make the child run as an account."""

    user: int | None
    group: int | None
    extra_groups: list[int] | None
    env: dict[str, str]


def identity(account: ServerAccount | None) -> Identity:
    """A child that runs as `account` and has none of our groups. None leaves it our account."""
    if account is None:
        return Identity(user=None, group=None, extra_groups=None, env=dict(os.environ))
    # Processes of one account can read each other's environment, and ours may hold root's secrets.
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return Identity(user=account.uid, group=account.gid, extra_groups=[], env=environment)


def find_server_account() -> ServerAccount | None:
    """The account for the servers where we are root: the database's own where it exists. None when we are not root."""
    if os.geteuid() != 0:
        return None
    for name in _NAMES:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        if found.pw_uid != 0:
            return ServerAccount(name, found.pw_uid, found.pw_gid)
    return None


def choose_account(binary: ServerBinary, folder: Path) -> tuple[ServerAccount | None, str]:
    """The account for the server of `folder`; None for our own. Where that is root, a sentence says why.

    Data stay with the account that made them, because other accounts cannot enter their folder.
    """
    if os.geteuid() != 0:
        return None, ""
    account = find_server_account()
    why = _why_not(account, binary, folder) if account else f"this machine has no account {' or '.join(_NAMES)}"
    return (None, f"servers run as root: {why}") if why else (account, "")


def _why_not(account: ServerAccount, binary: ServerBinary, folder: Path) -> str:
    """Why the account cannot run this server in this folder, and the remedy; empty when it can."""
    data = folder / "data"
    try:
        if closed := _first_closed(account, data if data.is_dir() else folder):
            way_out = "name a --folder that does not exist yet, in a place that every account may enter (as /var/tmp)"
            return f"the account {account.name} cannot enter {closed}; {way_out}"
        for place in _program_paths(binary):
            if closed := _first_closed(account, place):
                way_out = "install the server where every account may use it"
                return f"the account {account.name} cannot use {place}, as {closed} is closed to it; {way_out}"
        command = [str(binary.path), "--no-defaults", "--version"]
        subprocess.run(command, check=True, capture_output=True, timeout=_DEADLINE, **identity(account))
    except (OSError, subprocess.SubprocessError) as error:
        return f"{binary.path} cannot be run as the account {account.name} ({error})"
    return ""


def _program_paths(binary: ServerBinary) -> Iterator[Path]:
    """The programs, and the folders that they read: messages, and the scripts that fill a data folder."""
    programs = [path.resolve() for path in (binary.path, binary.installer) if path]
    yield from programs
    share = programs[0].parent.parent / "share"
    yield from (share / name for name in ("mysql", "mariadb") if (share / name).is_dir())


def _first_closed(account: ServerAccount, place: Path) -> Path | None:
    """The first folder on the path to `place`, or `place` itself, that the account cannot enter (or run, if a
    program)."""
    places = [str(part) for part in (*reversed(place.parents), place)]
    command = ["/bin/sh", "-c", _FIRST_CLOSED, "sh", *places]
    said = subprocess.run(command, check=True, capture_output=True, timeout=_DEADLINE, **identity(account)).stdout
    return Path(os.fsdecode(said)) if said else None
