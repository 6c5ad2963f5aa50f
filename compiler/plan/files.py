"""A plan on disk: `manifest.json`, `summary.md` and one readable `.sql` file per step and logical table. Reads and
writes plan folders.

No timestamps and sorted keys, so that compiling again gives the same bytes. The manifest holds every file's SHA-256: a
file that is missing or was edited by hand is refused when the plan is read.

A new plan is written beside the old one and takes its place whole. A file that is there already is not written again: a
folder that holds exactly what it should is moved (creating and deleting 15,000 files takes longer than compiling them).
Only plans are removed: folders with a manifest in them, which is written first and removed last. Links are never
followed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from shardwright.compiler.plan.digests import all_aspects
from shardwright.compiler.plan.each import Each, one_by_one
from shardwright.compiler.plan.json_form import (
    BACKWARD,
    FORMAT,
    IDS,
    MANIFEST,
    Part,
    PartDigest,
    ddl_path,
    ddl_text,
    digest_part,
    fingerprint,
    ids_text,
    invariant_path,
    invariant_text,
    manifest_pieces,
    name_lists,
    parts_of,
    sha256,
    table_from_data,
    top_files,
)
from shardwright.compiler.plan.plain_data import fields_from_data
from shardwright.compiler.plan.plan import Plan, Statement, Step, StepName
from shardwright.compiler.plan.refusals import PlanRefused
from shardwright.compiler.plan.summary import plan_summary
from shardwright.specs.files.project_files import OWN_BYTES, FileRefused, read_file, read_own_text

_STATEMENT = re.compile(r"^-- (?P<kind>part|statement): (?P<name>[a-z0-9_]+)(?: -- (?P<comment>.*))?$")

_PLAIN_FIELDS = {field.name for field in fields(Plan) if field.init} - {"tables", "lookup_tables", "steps", "aspects"}
"""What the manifest has as it is; the others are made of its folders' files or of shared lists."""


def plan_files(plan: Plan) -> Mapping[str, str]:
    """Relative path -> text of every file of the plan."""
    parts, lists, summary = parts_of(plan), name_lists(plan), plan_summary(plan)
    contents = [part.files() for part in parts]
    made = [digest_part(part, files, lists) for part, files in zip(parts, contents, strict=True)]
    texts = {
        f"{part.folder}/{name}": content.decode()
        for part, files in zip(parts, contents, strict=True)
        for name, content in files.items()
    }
    top = top_files(plan, summary=summary)
    manifest = "".join(manifest_pieces(plan, parts, made, top=top))
    backward = plan_files(plan.backward) if plan.backward is not None else {}
    texts.update({f"{BACKWARD}/{name}": text for name, text in backward.items()})
    return {**texts, **{name: content.decode() for name, content in top.items()}, MANIFEST: manifest}


def current_files(folder: Path) -> Mapping[str, str]:
    """The files that the folder has now: relative path -> text. Links are not followed: a plan has none."""
    if folder.is_symlink():
        return {}
    paths = sorted(Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in paths
        if stat.S_ISREG(path.lstat().st_mode)
    }


def read_plan(folder: Path) -> Plan:
    """Read a plan back and check it against its manifest. Raises PlanRefused."""
    try:
        manifest = json.loads(read_own_text(folder / MANIFEST, root=folder))
    except FileRefused as refused:
        raise PlanRefused("SW8013", f"{folder / MANIFEST} {refused.reason}") from None
    except FileNotFoundError:
        raise PlanRefused("SW8001", f"there is no plan in {folder}: run `shardwright compile` first") from None
    except ValueError as error:
        raise PlanRefused("SW8003", f"{folder}/manifest.json is damaged ({error}): run `shardwright compile`") from None
    if manifest.get("format") != FORMAT:
        raise PlanRefused("SW8003", f"{folder} was written by another version of the tool: run `shardwright compile`")
    texts = {path: _read_checked(folder, path, digest) for path, digest in manifest["files"].items()}
    lists = [tuple(names) for names in manifest["name_lists"]]
    tables, lookup_tables = (
        tuple(table_from_data(item, lists) for item in manifest[name]) for name in ("tables", "lookup_tables")
    )
    steps = tuple(_step(item, texts[item["file"]]) for item in manifest["steps"])
    aspects = all_aspects((*tables, *lookup_tables), steps)
    others = fields_from_data(Plan, {name: manifest[name] for name in _PLAIN_FIELDS if name in manifest})
    plan = Plan(tables=tables, lookup_tables=lookup_tables, steps=steps, aspects=aspects, **others)
    unreviewed: list[object] = [
        *(change for change in plan.ddl if texts.get(ddl_path(change)) != ddl_text(change)),
        *(one for one in plan.invariants if texts.get(invariant_path(one)) != invariant_text(one)),
    ]
    if plan.ids and texts.get(IDS) != ids_text(plan.ids):
        unreviewed.append(IDS)
    if plan.fingerprint != fingerprint(plan) or unreviewed:
        message = (
            f"the plan's file {folder / 'manifest.json'} was edited: change the spec and run `shardwright compile`"
        )
        raise PlanRefused("SW8002", message)
    return plan


def _read_checked(folder: Path, path: str, digest: str) -> str:
    try:
        content = read_file(folder / path, root=folder, limit=OWN_BYTES)
    except FileRefused as refused:
        raise PlanRefused("SW8013", f"the plan's file {folder / path} {refused.reason}") from None
    except FileNotFoundError:
        raise PlanRefused("SW8001", f"the plan's file {folder / path} is missing: run `shardwright compile`") from None
    if sha256(content) != digest:
        message = f"the plan's file {folder / path} was edited: change the spec and run `shardwright compile`"
        raise PlanRefused("SW8002", message)
    return content.decode("utf-8")


def _step(item: Mapping[str, Any], text: str) -> Step:
    texts: dict[str, list[Statement]] = {"part": [], "statement": []}
    for kind, statement in _statements(text):
        texts[kind].append(statement)
    return Step(item["table"], StepName(item["step"]), tuple(texts["statement"]), tuple(texts["part"]))


def _statements(text: str) -> Iterator[tuple[str, Statement]]:
    kind, name, comment, lines = "", "", "", list[str]()
    for line in [*text.split("\n"), "-- statement: end"]:
        match = _STATEMENT.match(line)
        if match is None:
            lines.append(line)
            continue
        if name:
            yield kind, Statement(name, comment, "\n".join(lines).strip().removesuffix(";"))
        kind, name, comment, lines = match["kind"], match["name"], match["comment"] or "", []


@dataclass(frozen=True, slots=True)
class _WriteResult:
    """`is_unchanged` says that the old plan holds the very files, and nothing was written."""

    digested: PartDigest
    is_unchanged: bool


def write_plan(plan: Plan, folder: Path, *, each: Each = one_by_one) -> bool:
    """Write the plan, and its backward plan, so that `folder` holds exactly their files. Returns whether anything
    changed on disk. Raises PlanRefused (SW8013) when the folder exists and is no plan; a folder above it may be a
    link."""
    changed = _write_plan(plan, folder, fresh=folder.with_name(folder.name + ".new"), each=each)
    if plan.backward is None:
        return changed
    fresh = folder.with_name(f"{folder.name}.{BACKWARD}.new")
    return _write_plan(plan.backward, folder / BACKWARD, fresh=fresh, each=each) or changed


def _write_plan(plan: Plan, folder: Path, *, fresh: Path, each: Each) -> bool:
    """One direction. A backward plan that is there stays as it is where the plan has one. `fresh` becomes the
    folder."""
    _require_plan(folder)
    _require_plan(fresh)
    _remove(fresh)
    _write_files(str(fresh), {MANIFEST: b""})  # so that what an interruption leaves is known as ours
    parts, lists = parts_of(plan), name_lists(plan)
    written = each(partial(_write, old=str(folder), fresh=str(fresh), lists=lists), parts)
    top = top_files(plan, summary=plan_summary(plan))
    pieces = manifest_pieces(plan, parts, [item.digested for item in written], top=top)
    top[MANIFEST] = "".join(pieces).encode()
    unchanged = [part.folder for part, item in zip(parts, written, strict=True) if item.is_unchanged]
    whole = len(unchanged) == len(parts)
    if plan.backward is not None and os.path.isdir(folder / BACKWARD) and not os.path.islink(folder / BACKWARD):
        unchanged.append(BACKWARD)
    if whole and _holds(str(folder), top, folders=unchanged):
        _remove(fresh)
        return False
    _write_files(str(fresh), top)
    # From here on the old plan is not whole: whoever reads it is refused until the new one has its name.
    for name in unchanged:
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


def _write(part: Part, *, old: str, fresh: str, lists: Mapping[tuple[str, ...], int]) -> _WriteResult:
    files, unchanged = part.files(), f"{old}/{part.folder}"
    is_unchanged = not os.path.islink(unchanged) and _holds(unchanged, files)
    if not is_unchanged:
        _write_files(f"{fresh}/{part.folder}", files)
    return _WriteResult(digest_part(part, files, lists), is_unchanged)


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
