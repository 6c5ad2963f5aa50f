"""`show`: which settings hold for one table, and which line says so? Offline, no SQL.

Runs in the process of the command; reads the specs.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from shardwright.compiler.project.project import choose_files, find_project
from shardwright.specs.findings.diagnostics import Diagnostic, SpecError
from shardwright.specs.findings.text_table import text_table
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.effective_settings import Setting, effective_settings
from shardwright.specs.spec.model import Spec, TableSpec
from shardwright.specs.spec.read import read_spec


def execute(arguments: argparse.Namespace) -> int:
    project = find_project(arguments.project)
    files = choose_files(project, arguments.paths)
    specs = [read_spec(project.display_path(file), root=project.root_of(file)) for file in files]
    found = [(spec, table) for spec in specs for table in spec.tables if _is_meant(table, arguments.table)]
    if not found:
        raise SpecError([_unknown(specs, arguments.table)])
    if arguments.format == "json":
        print(json.dumps([_data(spec, table) for spec, table in found], indent=2, ensure_ascii=False))
        return 0
    print("\n".join(_describe(spec, table) for spec, table in found), end="")
    return 0


def _is_meant(table: TableSpec, name: str) -> bool:
    """Whether `name` is the logical name, the entry as written, or a source table that the entry's pattern matches."""
    if name in (table.to, table.table):
        return True
    return table.is_pattern and table.takes(name)


def _unknown(specs: Sequence[Spec], name: str) -> Diagnostic:
    known = [known for spec in specs for table in spec.tables for known in (table.to or table.table,)]
    message = f"no entry of {', '.join(spec.file for spec in specs)} means a table '{name}'"
    hint = did_you_mean(name, known) or f"tables are: {', '.join(known[:20])}"
    return Diagnostic("SW2028", message, specs[0].span_of(("tables",)), hint=hint)


def _describe(spec: Spec, table: TableSpec) -> str:
    settings = effective_settings(spec, table)
    rows = [(item.name, item.value, _place(item)) for item in settings]
    return f"{table.to or table.table} in migration {spec.migration}\n{text_table(rows, indent=2)}\n"


def _place(setting: Setting) -> str:
    return str(setting.span) if setting.span is not None else "default"


def _data(spec: Spec, table: TableSpec) -> dict[str, object]:
    return {
        "migration": spec.migration,
        "table": table.to or table.table,
        "settings": [
            {
                "name": item.name,
                "value": item.value,
                "file": item.span.file if item.span else None,
                "line": item.span.line if item.span else None,
                "column": item.span.column if item.span else None,
            }
            for item in effective_settings(spec, table)
        ],
    }
