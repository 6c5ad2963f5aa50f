"""Plans are written beside the one that stands there and take its place whole. What is there already is not written again:
a folder that holds exactly what it should is moved (creating and deleting 15,000 files takes longer than compiling them).

Only plans are removed: folders with a manifest in them, which is written first and removed last. Links are never
followed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from shardwright.compiler.plan.each import Each, one_by_one
from shardwright.compiler.plan.json_form import name_lists
from shardwright.compiler.plan.parts import MANIFEST, SUMMARY, Digested, Part, digested, manifest_pieces, parts_of
from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.plan.refused import PlanRefused
from shardwright.compiler.plan.summary import plan_summary


@dataclass(frozen=True, slots=True)
class _Written:
    """`stands` says that the old plan holds the very files, and nothing was written."""

    digested: Digested
    stands: bool


def write_plan(plan: Plan, folder: Path, *, each: Each = one_by_one) -> bool:
    """Write the plan so that `folder` holds exactly its files. Returns whether anything changed on disk. Raises
    PlanRefused (SW8013) when the folder exists and is no plan; a folder above it may be a link."""
    fresh = folder.with_name(folder.name + ".new")
    _require_plan(folder)
    _require_plan(fresh)
    _remove(fresh)
    _write_files(str(fresh), {MANIFEST: b""})  # so that what an interruption leaves is known as ours
    parts, lists = parts_of(plan), name_lists(plan)
    written = each(partial(_write, old=str(folder), fresh=str(fresh), lists=lists), parts)
    summary = plan_summary(plan).encode()
    pieces = manifest_pieces(plan, parts, [item.digested for item in written], summary=summary)
    top = {SUMMARY: summary, MANIFEST: "".join(pieces).encode()}
    standing = [part.folder for part, item in zip(parts, written, strict=True) if item.stands]
    if len(standing) == len(parts) and _holds(str(folder), top, folders=standing):
        _remove(fresh)
        return False
    _write_files(str(fresh), top)
    # From here on the old plan is not whole: whoever reads it is refused until the new one has its name.
    for name in standing:
        os.rename(f"{folder}/{name}", f"{fresh}/{name}")
    _remove(folder)
    fresh.rename(folder)
    return True


def _require_plan(folder: Path) -> None:
    """Nothing, an empty folder, or a plan. Raises PlanRefused (SW8013)."""
    if folder.is_symlink():
        raise PlanRefused(
            "SW8013", f"{folder} is a link: plans are not written through links; remove it and compile again"
        )
    if not folder.exists():
        return
    manifest = folder / MANIFEST
    ours = folder.is_dir() and (not any(folder.iterdir()) or manifest.is_file() or manifest.is_symlink())
    if not ours:
        raise PlanRefused("SW8013", f"{folder} holds no plan and is left as it is: move it away and compile again")


def _remove(folder: Path) -> None:
    """What `_require_plan` took for a plan; the manifest goes last."""
    if not folder.exists():
        return
    for entry in list(os.scandir(folder)):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        elif entry.name != MANIFEST:
            os.unlink(entry.path)
    (folder / MANIFEST).unlink(missing_ok=True)
    folder.rmdir()


def _write(part: Part, *, old: str, fresh: str, lists: Mapping[tuple[str, ...], int]) -> _Written:
    files, standing = part.files(), f"{old}/{part.folder}"
    stands = not os.path.islink(standing) and _holds(standing, files)
    if not stands:
        _write_files(f"{fresh}/{part.folder}", files)
    return _Written(digested(part, files, lists), stands)


def _holds(folder: str, files: Mapping[str, bytes], *, folders: Iterable[str] = ()) -> bool:
    """Whether the folder holds exactly these files and folders, and no links."""
    try:
        with os.scandir(folder) as entries:
            found = {entry.name: entry for entry in entries}
    except OSError:
        return False
    return (
        {name for name, entry in found.items() if entry.is_file(follow_symlinks=False)} == files.keys()
        and {name for name, entry in found.items() if entry.is_dir(follow_symlinks=False)} == set(folders)
        and len(found) == len(files) + len(set(folders))
        and all(Path(found[name].path).read_bytes() == content for name, content in files.items())
    )


def _write_files(folder: str, files: Mapping[str, bytes]) -> None:
    os.makedirs(folder, exist_ok=True)
    for name, content in files.items():
        with open(f"{folder}/{name}", "wb", buffering=0) as file:
            rest = memoryview(content)
            while rest:
                rest = rest[file.write(rest) :]
