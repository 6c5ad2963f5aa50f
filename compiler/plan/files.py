"""A plan on disk: `manifest.json`, `summary.md` and one readable `.sql` file per step and logical table.

No timestamps and sorted keys, so that compiling again gives the same bytes. The manifest holds every file's SHA-256: a
file that is missing or was edited by hand is refused when the plan is read.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shardwright.compiler.plan.digests import all_aspects
from shardwright.compiler.plan.json_form import (
    ddl_from_data,
    fingerprint,
    invariant_from_data,
    name_lists,
    stream_ddl_from_data,
    table_from_data,
)
from shardwright.compiler.plan.parts import (
    FORMAT,
    MANIFEST,
    SUMMARY,
    ddl_path,
    ddl_text,
    digested,
    invariant_path,
    invariant_text,
    manifest_pieces,
    parts_of,
    sha256,
)
from shardwright.compiler.plan.plan import Plan, Statement, Step, StepName, StreamDdl
from shardwright.compiler.plan.refused import PlanRefused
from shardwright.compiler.plan.summary import plan_summary
from shardwright.specs.files.project_files import OWN_BYTES, FileRefused, read_file, read_own_text
from shardwright.specs.spec.stream_format import StreamFormat

_STATEMENT = re.compile(r"^-- statement: (?P<name>[a-z0-9_]+)(?: -- (?P<comment>.*))?$")


def plan_files(plan: Plan) -> Mapping[str, str]:
    """Relative path -> text of every file of the plan."""
    parts, lists, summary = parts_of(plan), name_lists(plan), plan_summary(plan)
    contents = [part.files() for part in parts]
    made = [digested(part, files, lists) for part, files in zip(parts, contents, strict=True)]
    texts = {
        f"{part.folder}/{name}": content.decode()
        for part, files in zip(parts, contents, strict=True)
        for name, content in files.items()
    }
    manifest = "".join(manifest_pieces(plan, parts, made, summary=summary.encode()))
    return {**texts, SUMMARY: summary, MANIFEST: manifest}


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
    if manifest.get("format") != FORMAT or any("mysql" not in change for change in manifest["ddl"]):
        raise PlanRefused("SW8003", f"{folder} was written by another version of the tool: run `shardwright compile`")
    texts = {path: _checked(folder, path, digest) for path, digest in manifest["files"].items()}
    lists = [tuple(names) for names in manifest["name_lists"]]
    tables, books = (tuple(table_from_data(item, lists) for item in manifest[name]) for name in ("tables", "books"))
    steps = tuple(_step(item, texts[item["file"]]) for item in manifest["steps"])
    plan = Plan(
        migration=manifest["migration"],
        dialect=manifest["dialect"],
        tool_version=manifest["tool_version"],
        sqlglot_version=manifest["sqlglot_version"],
        databases=tuple(manifest["databases"]),
        tables=tables,
        steps=steps,
        ddl=tuple(ddl_from_data(item) for item in manifest["ddl"]),
        fingerprint=manifest["fingerprint"],
        books=books,
        aspects=all_aspects((*tables, *books), steps),
        stays=tuple(manifest.get("stays", ())),
        stream_ddl=stream_ddl_from_data(manifest["stream_ddl"]) if "stream_ddl" in manifest else StreamDdl(),
        stream=StreamFormat(**manifest.get("stream", {})),
        when_one_fails=manifest.get("when_one_fails", "go_on"),
        quarantine=manifest.get("quarantine", {}),
        existing_rows=manifest.get("existing_rows", {}),
        invariants=tuple(invariant_from_data(item) for item in manifest.get("invariants", ())),
        deferred_indexes={table: tuple(names) for table, names in manifest.get("deferred_indexes", {}).items()},
    )
    unreviewed = [
        *(change for change in plan.ddl if texts.get(ddl_path(change)) != ddl_text(change)),
        *(one for one in plan.invariants if texts.get(invariant_path(one)) != invariant_text(one)),
    ]
    if plan.fingerprint != fingerprint(plan) or unreviewed:
        message = (
            f"the plan's file {folder / 'manifest.json'} was edited: change the spec and run `shardwright compile`"
        )
        raise PlanRefused("SW8002", message)
    return plan


def _checked(folder: Path, path: str, digest: str) -> str:
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
    return Step(item["table"], StepName(item["step"]), tuple(_statements(text)))


def _statements(text: str) -> Iterator[Statement]:
    name, comment, lines = "", "", list[str]()
    for line in [*text.split("\n"), "-- statement: end"]:
        match = _STATEMENT.match(line)
        if match is None:
            lines.append(line)
            continue
        if name:
            yield Statement(name, comment, "\n".join(lines).strip().removesuffix(";"))
        name, comment, lines = match["name"], match["comment"] or "", []
