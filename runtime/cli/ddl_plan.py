"""`ddl plan`: every routed change with its class on each kind of server and the exact statement; offline."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from shardwright.compiler.plan import DdlChange, Plan
from shardwright.compiler.plan_files import read_plan
from shardwright.runtime.cli.connecting import only_migration
from shardwright.runtime.cli.project import find_project
from shardwright.runtime.ddl.consent import needed
from shardwright.runtime.failures import InputAtFault

_KINDS = {"MySQL": False, "MariaDB": True}


def show_plan(arguments: argparse.Namespace) -> int:
    if arguments.strays != (arguments.env is not None):
        raise InputAtFault(
            "SW8440", "--strays looks at an environment's tables: give both --strays and --env, or neither"
        )
    if arguments.strays:
        from shardwright.runtime.cli.ddl_strays import show_strays  # only this needs servers

        return show_strays(arguments)
    project = find_project(arguments.project)
    plan = read_plan(project.plan_folder(arguments.migration or only_migration(project)))
    if arguments.format == "json":
        print(json.dumps([plan_data(plan, change) for change in plan.ddl], indent=2))
        return 0
    for change in plan.ddl:
        print("\n".join(plan_lines(plan, change)) + "\n")
    return 0


def plan_data(plan: Plan, change: DdlChange) -> Mapping[str, Any]:
    """`allow`: the codes that `ddl apply` asks for on such servers."""
    forms = {}
    for kind, mariadb in _KINDS.items():
        form = change.form(mariadb=mariadb)
        assert form is not None
        codes = list(needed(change, mariadb=mariadb))
        forms[kind.lower()] = {"class": form.ddl_class, "statement": form.statement, "allow": codes}
    return {
        "file": change.file,
        "ordinal": change.ordinal,
        "table": change.logical,
        "physical_tables": _count(plan, change),
        "destructive": change.destructive,
        **forms,
    }


def plan_lines(plan: Plan, change: DdlChange) -> Iterator[str]:
    """SQL with comments. A statement that both kinds of server get stands once."""
    mark = ", destructive" if change.destructive else ""
    yield f"-- {change.file} {change.ordinal}: {_count(plan, change)} physical tables of {change.logical}{mark}"
    by_form: dict[tuple[str, str], list[str]] = {}
    for kind, mariadb in _KINDS.items():
        form = change.form(mariadb=mariadb)
        assert form is not None
        codes = needed(change, mariadb=mariadb)
        asked = f", needs --allow {','.join(codes)}" if codes else ""
        by_form.setdefault((f"{form.ddl_class}{asked}", form.statement), []).append(kind)
    for (said, statement), kinds in by_form.items():
        yield f"-- {' and '.join(kinds)}: {said}"
        yield f"{statement};"


def _count(plan: Plan, change: DdlChange) -> int:
    table = plan.table(change.logical)
    return len(plan.shards(table)) * len(plan.parts(table))
