"""`ddl plan`: which class does each routed change have on each kind of server, and what is its exact statement?

Runs in the process of the command, offline; with `--drift` it reads the shards (`ddl_drift`).
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from shardwright.compiler.ddl.alter.forms import alter_clauses, why_no_tool
from shardwright.compiler.plan.files import read_plan
from shardwright.compiler.plan.plan import DdlChange, DdlForm, Plan
from shardwright.compiler.project.project import find_project
from shardwright.runtime.cli.connecting import only_migration
from shardwright.runtime.cli.next_commands import DdlFacts, as_json, as_lines
from shardwright.runtime.ddl.online.tools import PROGRAMS, TEMPLATE, ToolName, command
from shardwright.runtime.ddl.routing.consent import COPYING, codes_to_allow
from shardwright.runtime.failures import InputAtFault

_KINDS = {"MySQL": False, "MariaDB": True}


def show_plan(arguments: argparse.Namespace) -> int:
    if arguments.drift != (arguments.env is not None):
        raise InputAtFault(
            "SW8440", "--drift looks at an environment's tables: give both --drift and --env, or neither"
        )
    if arguments.drift:
        from shardwright.runtime.cli.ddl_drift import show_drift  # only this needs servers

        return show_drift(arguments)
    project = find_project(arguments.project)
    plan = read_plan(project.plan_folder(arguments.migration or only_migration(project)))
    facts = _facts(plan, arguments.online)
    if arguments.format == "json":
        changes = [plan_data(plan, change, arguments.online) for change in plan.ddl]
        print(json.dumps({"changes": changes, "next": as_json(facts, arguments)}, indent=2))
        return 0
    for change in plan.ddl:
        print("\n".join(plan_lines(plan, change, arguments.online)) + "\n")
    if advice := as_lines(facts, arguments, mark="-- "):
        print(advice)
    return 0


def _facts(plan: Plan, online: ToolName | None) -> DdlFacts:
    kinds = [(change, mariadb) for change in plan.ddl for mariadb in _KINDS.values()]
    allow = sorted({code for change, mariadb in kinds for code in _codes_to_allow(change, online, mariadb=mariadb)})
    return DdlFacts(missing=bool(plan.ddl), allow=tuple(allow))


def plan_data(plan: Plan, change: DdlChange, online: ToolName | None = None) -> Mapping[str, Any]:
    """`allow`: the codes that `ddl apply` requires on such servers. `online`: the tool that gets copying changes."""
    forms: dict[str, dict[str, Any]] = {}
    for kind, mariadb in _KINDS.items():
        form = change.form(mariadb=mariadb)
        assert form is not None
        codes = [*_codes_to_allow(change, online, mariadb=mariadb)]
        forms[kind.lower()] = {"class": form.ddl_class, "statement": form.statement, "allow": codes}
        if online is not None and form.ddl_class == "copying":
            why = why_no_tool(form.statement)
            given = {"refused": why} if why else {"command": [*_command(online, form)]}
            forms[kind.lower()]["online"] = {"tool": online, **given}
    return {
        "file": change.file,
        "ordinal": change.ordinal,
        "table": change.logical,
        "physical_tables": _count(plan, change),
        "destructive": change.destructive,
        "catches_up": change.catches_up,
        **forms,
    }


def plan_lines(plan: Plan, change: DdlChange, online: ToolName | None = None) -> Iterator[str]:
    """SQL with comments. A statement that is the same for both kinds of server appears once; so does a command line in
    its place."""
    mark = f"{', destructive' if change.destructive else ''}{', only for tables that existed before' if change.catches_up else ''}"  # noqa: E501
    yield f"-- {change.file} {change.ordinal}: {_count(plan, change)} physical tables of {change.logical}{mark}"
    by_form: dict[tuple[str, str], list[str]] = {}
    for kind, mariadb in _KINDS.items():
        form = change.form(mariadb=mariadb)
        assert form is not None
        codes = _codes_to_allow(change, online, mariadb=mariadb)
        asked = f", needs --allow {','.join(codes)}" if codes else ""
        handed = online is not None and form.ddl_class == "copying"
        shown = _tool_command(online, form) if online is not None and handed else f"{form.statement};"
        by_form.setdefault((f"{form.ddl_class}{asked}", shown), []).append(kind)
    for (said, shown), kinds in by_form.items():
        yield f"-- {' and '.join(kinds)}: {said}"
        yield shown


def _codes_to_allow(change: DdlChange, online: ToolName | None, *, mariadb: bool) -> tuple[str, ...]:
    return tuple(code for code in codes_to_allow(change, mariadb=mariadb) if online is None or code != COPYING)


def _command(online: ToolName, form: DdlForm) -> tuple[str, ...]:
    return command(online, replace(TEMPLATE, clauses=alter_clauses(form.statement)))


def _tool_command(online: ToolName, form: DdlForm) -> str:
    """The tool's command line as comments, because it is for a shell and is no SQL."""
    if why := why_no_tool(form.statement):
        return f"-- cannot be handed to {PROGRAMS[online]}: {why}"
    # A clause may hold line ends, for example within a default. A comment of SQL ends there.
    return "\n".join(f"-- {line}" for line in shlex.join(_command(online, form)).splitlines())


def _count(plan: Plan, change: DdlChange) -> int:
    return sum(1 for _ in plan.places_of(change))
