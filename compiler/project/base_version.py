"""The project as it stood at a commit, in a folder of its own for as long as it is needed."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from shardwright.compiler.plan.refusals import ProjectRefused
from shardwright.compiler.project.project import Project
from shardwright.specs.files.project_files import FileRefused, make_folder

_SECONDS = 60


@contextmanager
def project_at(project: Project, ref: str) -> Iterator[Project]:
    """The project's files at `ref`, without what git does not keep. Raises ProjectRefused (SW8810) when git cannot
    give them; a commit before the project began gives an empty project."""
    named = _git(project.root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}", ref=ref)
    commit = named.decode().strip()
    prefix = _git(project.root, "rev-parse", "--show-prefix", ref=ref).decode().strip()
    with TemporaryDirectory(prefix="shardwright-base-") as folder:
        if not prefix or _git(project.root, "ls-tree", "--full-tree", commit, prefix.rstrip("/"), ref=ref):
            # Within a folder, git packs that folder, named from there.
            _unpack(_git(project.root, "archive", "--format=tar", commit, ref=ref), folder, ref=ref)
        yield Project(Path(folder))


def _unpack(packed: bytes, folder: str, *, ref: str) -> None:
    """Links that lead outside are made last, so that nothing is written through one. They are refused when they are
    read, as those of the current version are, and are no matter otherwise. Raises ProjectRefused (SW8810)."""
    outside: list[tarfile.TarInfo] = []

    def inside(member: tarfile.TarInfo, path: str) -> tarfile.TarInfo | None:
        try:
            return tarfile.data_filter(member, path)
        except (tarfile.AbsoluteLinkError, tarfile.LinkOutsideDestinationError):
            outside.append(member)
            return None

    try:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter=inside)
        for link in outside:
            place = os.path.join(folder, link.name)
            make_folder(os.path.dirname(place), root=folder)
            os.symlink(link.linkname, place)
    except (tarfile.TarError, FileRefused, OSError) as error:
        raise ProjectRefused("SW8810", f"cannot read the specs at '{ref}': {error}") from None


def _git(folder: Path, *arguments: str, ref: str) -> bytes:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, timeout=_SECONDS, check=False
        )
    except FileNotFoundError:
        raise ProjectRefused("SW8810", "git is not installed: the base version is read from it") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[0] if said else "no such commit here (a shallow clone? fetch more of the history)"
        raise ProjectRefused("SW8810", f"cannot read the specs at '{ref}': {reason}")
    return done.stdout
