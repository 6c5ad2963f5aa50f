"""A plan on disk: `manifest.json`, `summary.md` and one readable `.sql` file per step and logical table.

No timestamps and sorted keys, so that compiling again gives the same bytes. The manifest holds every file's SHA-256: a
file that is missing or was edited by hand is refused when the plan is read.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shardwright.compiler.plain_data import json_pieces
from shardwright.compiler.plan import DdlChange, Plan, Statement, Step, StepName
from shardwright.compiler.plan_json import ddl_from_data, fingerprint, plan_data, table_from_data
from shardwright.compiler.plan_refused import PlanRefused
from shardwright.compiler.plan_summary import plan_summary

FORMAT = 2
_MANIFEST = "manifest.json"
_STATEMENT = re.compile(r"^-- statement: (?P<name>[a-z0-9_]+)(?: -- (?P<comment>.*))?$")


def plan_files(plan: Plan) -> Mapping[str, str]:
    """Relative path -> text of every file of the plan."""
    files = dict(_texts(plan))
    manifest = _manifest(plan, {path: _sha256(text) for path, text in files.items()})
    return {**files, _MANIFEST: "".join(manifest)}


def write_plan(plan: Plan, folder: Path) -> bool:
    """Write the plan so that `folder` holds exactly its files. Returns whether anything changed on disk."""
    digests = {path: _sha256(text) for path, text in _texts(plan)}
    manifest = tuple(_manifest(plan, digests))
    if _holds(folder, {**digests, _MANIFEST: _sha256(*manifest)}):
        return False
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    for part in sorted({path.rpartition("/")[0] for path in digests} | {""}):
        (fresh / part).mkdir(parents=True, exist_ok=True)
    for path, text in _texts(plan):
        with open(f"{fresh}/{path}", "wb") as file:
            file.write(text.encode("utf-8"))
    with open(fresh / _MANIFEST, "wb") as file:
        file.writelines(piece.encode("utf-8") for piece in manifest)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    return True


def _texts(plan: Plan) -> Iterator[tuple[str, str]]:
    """Relative path and text of every file but the manifest, one after the other: all texts at once take as much memory
    as the plan."""
    for step in plan.steps:
        yield f"{step.table}/{step.name.file_name}", _step_text(step)
    for change in plan.ddl:
        yield _ddl_file(change), change.template + "\n"
    yield "summary.md", plan_summary(plan)


def _manifest(plan: Plan, digests: Mapping[str, str]) -> Iterator[str]:
    """Its text in pieces."""
    data = {
        "format": FORMAT,
        **plan_data(plan),
        "steps": (
            {"table": step.table, "step": step.name.value, "file": f"{step.table}/{step.name.file_name}"}
            for step in plan.steps
        ),
        "files": dict(sorted(digests.items())),
    }
    yield from json_pieces(data)
    yield "\n"


def _holds(folder: Path, digests: Mapping[str, str]) -> bool:
    """Whether the folder holds exactly these files."""
    if not folder.is_dir():
        return False
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return found.keys() == digests.keys() and all(
        hashlib.sha256(path.read_bytes()).hexdigest() == digests[name] for name, path in found.items()
    )


def current_files(folder: Path) -> Mapping[str, str]:
    """What stands in the folder now: relative path -> text."""
    if not folder.is_dir():
        return {}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def read_plan(folder: Path) -> Plan:
    """Read a plan back and check it against its manifest. Raises PlanRefused."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PlanRefused("SW8001", f"there is no plan in {folder}: run `shardwright compile` first") from None
    except ValueError as error:
        raise PlanRefused("SW8003", f"{folder}/manifest.json is damaged ({error}): run `shardwright compile`") from None
    if manifest.get("format") != FORMAT:
        raise PlanRefused("SW8003", f"{folder} was written by another version of the tool: run `shardwright compile`")
    texts = {path: _checked(folder, path, digest) for path, digest in manifest["files"].items()}
    name_lists = [tuple(names) for names in manifest["name_lists"]]
    plan = Plan(
        migration=manifest["migration"],
        dialect=manifest["dialect"],
        tool_version=manifest["tool_version"],
        sqlglot_version=manifest["sqlglot_version"],
        databases=tuple(manifest["databases"]),
        tables=tuple(table_from_data(item, name_lists) for item in manifest["tables"]),
        steps=tuple(_step(item, texts[item["file"]]) for item in manifest["steps"]),
        ddl=tuple(ddl_from_data(item) for item in manifest["ddl"]),
        fingerprint=manifest["fingerprint"],
        books=tuple(table_from_data(item, name_lists) for item in manifest["books"]),
    )
    unreviewed = [change for change in plan.ddl if texts.get(_ddl_file(change)) != change.template + "\n"]
    if plan.fingerprint != fingerprint(plan) or unreviewed:
        message = (
            f"the plan's file {folder / 'manifest.json'} was edited: change the spec and run `shardwright compile`"
        )
        raise PlanRefused("SW8002", message)
    return plan


def _ddl_file(change: DdlChange) -> str:
    return f"ddl/{change.file.removesuffix('.sql')}-{change.ordinal}.mysql.sql"


def _checked(folder: Path, path: str, digest: str) -> str:
    try:
        text = (folder / path).read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        raise PlanRefused("SW8001", f"the plan's file {folder / path} is missing: run `shardwright compile`") from None
    if _sha256(text) != digest:
        message = f"the plan's file {folder / path} was edited: change the spec and run `shardwright compile`"
        raise PlanRefused("SW8002", message)
    return text


def _step_text(step: Step) -> str:
    parts = [f"-- {step.table}: {step.name.value}", ""]
    for statement in step.statements:
        parts += [f"-- statement: {statement.name} -- {statement.comment}", f"{statement.sql};", ""]
    return "\n".join(parts)


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


def _sha256(*pieces: str) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece.encode("utf-8"))
    return digest.hexdigest()
