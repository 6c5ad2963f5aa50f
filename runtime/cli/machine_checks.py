"""What does this machine have of what a group of verbs needs: Python and packages, Java, room for temporary files, and
programs that some options use?

Runs in the process of the command; asks Java for its version, and makes and removes one file in the temporary folder.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from shardwright.runtime.cli.extras import PACKAGES, Group, install_command, missing_packages
from shardwright.runtime.spark.java import look_for_java

_OLDEST_JAVA: Final = 17
_ROOM: Final = 1 << 30
"""Bytes of free space below which a run may soon meet a full disk."""
_PATIENCE: Final = 60
"""Seconds; a Java that does not say its version by then is as good as none."""
_JAVA_VERSION: Final = re.compile(r'version "(?:1\.)?(\d+)[^"]*"')
_OPTIONAL: Final = (
    (Group.COMPILE, ("git",), "`diff` reads the earlier version of the specs with it"),
    (Group.MYSQL, ("mariadbd", "mysqld", "docker"), "one of them is what `sandbox` starts servers with"),
    (Group.MYSQL, ("pt-online-schema-change",), "`ddl apply --online pt-osc` calls it"),
    (Group.MYSQL, ("gh-ost",), "`ddl apply --online gh-ost` calls it"),
)
_BESIDE_THE_PATH: Final = ("/usr/sbin", "/usr/libexec", "/usr/local/sbin")
"""Folders in which servers are installed; a user's PATH often lacks them."""


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"
    ABSENT = "absent"
    """Of what is optional: it is not there."""


@dataclass(frozen=True, slots=True)
class MachineCheck:
    """What was found of one thing that a group of verbs needs."""

    group: Group
    """Whose verbs need it; groups behind it need it, too."""
    name: str
    """What was looked for."""
    state: State
    """Whether the verbs can do without a change of the machine."""
    found: str
    """What is there, in words."""
    do: str = ""
    """The remedy; empty where there is nothing to do."""
    code: str = ""
    """That explains it (SWnnnn); empty for what is fine or optional."""


def check_machine() -> tuple[MachineCheck, ...]:
    """In the order of the groups."""
    found = [MachineCheck(Group.COMPILE, "Python", State.OK, platform.python_version())]
    found += [_check_packages(group) for group in Group]
    found += [_check_java(), _check_temporary_folder()]
    found += [_check_program(group, names, why) for group, names, why in _OPTIONAL]
    return tuple(sorted(found, key=lambda check: list(Group).index(check.group)))


def _check_packages(group: Group) -> MachineCheck:
    mine = PACKAGES[group].values()
    missing = [package for package in missing_packages(group) if package in mine]
    if not missing:
        return MachineCheck(group, "packages", State.OK, ", ".join(_versions(group)))
    words = f"{', '.join(missing)}: not installed"
    return MachineCheck(group, "packages", State.MISSING, words, install_command(group), "SW8059")


def _versions(group: Group) -> Iterator[str]:
    for package in PACKAGES[group].values():
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:  # its modules are there, on the path, without the record of an installation
            yield package


def _check_java() -> MachineCheck:
    program, where = look_for_java()
    do = f"install Java {_OLDEST_JAVA} or newer, or set JAVA_HOME to its folder"
    if program is None:
        return MachineCheck(Group.RUNTIME, "Java", State.MISSING, where, do, "SW8011")
    said = _ask(program)
    found = java_version(said)
    if found is None:
        words = f"{program} does not say its version: {said.strip().partition(chr(10))[0] or 'it is silent'}"
        return MachineCheck(Group.RUNTIME, "Java", State.MISSING, words, do, "SW8011")
    if found < _OLDEST_JAVA:
        return MachineCheck(Group.RUNTIME, "Java", State.MISSING, f"{program} is Java {found}", do, "SW8060")
    return MachineCheck(Group.RUNTIME, "Java", State.OK, f"{program} is Java {found}")


def java_version(said: str) -> int | None:
    """The number in what `java -version` prints; None where there is none. Java 8 calls itself 1.8."""
    found = _JAVA_VERSION.search(said)
    return None if found is None else int(found[1])


def _ask(program: str) -> str:
    try:
        done = subprocess.run([program, "-version"], capture_output=True, text=True, check=False, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stderr + done.stdout


def _check_temporary_folder() -> MachineCheck:
    try:
        folder = tempfile.gettempdir()
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free
    except OSError as error:
        do = "TMPDIR, or work_dir of the environment, names another one"
        return MachineCheck(Group.RUNTIME, "temporary folder", State.MISSING, str(error), do, "SW8054")
    words = f"{folder}, {free / _ROOM:,.1f} GiB free"
    if free < _ROOM:
        do = "free some, or name another folder by work_dir of the environment"
        return MachineCheck(Group.RUNTIME, "temporary folder", State.WARNING, words, do, "SW8061")
    return MachineCheck(Group.RUNTIME, "temporary folder", State.OK, words)


def _check_program(group: Group, names: tuple[str, ...], why: str) -> MachineCheck:
    path = os.pathsep.join((os.environ.get("PATH", ""), *_BESIDE_THE_PATH))
    found = next((place for name in names if (place := shutil.which(name, path=path))), None)
    if found is None:
        return MachineCheck(group, " or ".join(names), State.ABSENT, f"optional: {why}")
    return MachineCheck(group, " or ".join(names), State.OK, found)
