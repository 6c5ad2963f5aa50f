"""Compiler pass: an entry of the spec that means a group of tables (`each`) becomes one entry for each table. All later
passes know entries of single tables, and patterns whose tables are merged.

Pure.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from shardwright.compiler.tables.source_tables import exceptions_match
from shardwright.specs.findings.diagnostics import Findings, Note
from shardwright.specs.spec.cross_references import check_references
from shardwright.specs.spec.model import Spec, TableSpec

ALL = "*"
"""The pattern of a group that is all the rest."""


def expand_groups(spec: Spec, names: Iterable[str], *, findings: Findings) -> Spec:
    """`names`: the tables of the schema file, as specs call them. A group leaves out its exceptions, tables that have
    an entry of their own, and those of `ignore_tables`; the group of all tables leaves out those of other groups. The
    tables of a group may be parents of others: what entries
    say about each other is checked once all of them are known."""
    if not any(entry.is_group for entry in spec.tables):
        return spec
    known = sorted(names)
    taken: dict[str, TableSpec] = {}
    tables: list[TableSpec] = []
    for entry in spec.tables:
        if not entry.is_group:
            tables.append(entry)
            continue
        found = _find_tables(spec, entry, known, findings)
        _check_other_groups(spec, entry, found, taken, findings)
        new = [name for name in found if name not in taken]
        tables += (replace(entry, table=name, is_group=False, excepted=(), expect=None) for name in new)
        taken |= dict.fromkeys(new, entry)
    left_out = (name for entry in spec.tables if entry.is_group for name in entry.excepted)
    expanded = replace(spec, tables=tuple(tables), ignore_tables=(*spec.ignore_tables, *left_out))
    _check_again(spec, expanded, findings)
    return expanded


def _find_tables(spec: Spec, entry: TableSpec, names: Sequence[str], findings: Findings) -> Sequence[str]:
    exceptions_match(spec, entry, [name for name in names if _matches(name, [entry.table])], findings)
    found = [name for name in names if _is_meant(spec, entry, name)]
    where = spec.span_of((*entry.path, "each"))
    if not found:
        findings.error("SW2101", f"group '{entry.table}' matches no table of {spec.source.schema}", where)
    elif entry.expect not in (None, len(found)):
        message = f"group '{entry.table}' has {len(found)} tables, not {entry.expect}: {', '.join(found[:10])}"
        findings.error("SW2102", message, where)
    return found


def _check_other_groups(
    spec: Spec, entry: TableSpec, found: Iterable[str], taken: Mapping[str, TableSpec], findings: Findings
) -> None:
    """No table is in two groups. One finding for a pair of them."""
    name = next((name for name in found if name in taken), None)
    if name is None:
        return
    message = f"table '{name}' is meant by two groups: '{taken[name].table}' and '{entry.table}'"
    note = Note("the other group is at", spec.span_of((*taken[name].path, "each")))
    hint = f"add 'except: [{name}]' to '{entry.table}'"
    findings.error("SW2018", message, spec.span_of((*entry.path, "each")), hint=hint, notes=(note,))


def _is_meant(spec: Spec, entry: TableSpec, name: str) -> bool:
    by_others = any(other.takes(name) for other in spec.tables if not other.is_group)
    if not entry.takes(name) or by_others or _matches(name, spec.ignore_tables):
        return False
    return entry.table != ALL or not any(
        other.is_group and other.table != ALL and other.takes(name) for other in spec.tables
    )


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _check_again(spec: Spec, expanded: Spec, findings: Findings) -> None:
    """What is found now, and was not before the tables were known."""
    before, after = Findings(), Findings()
    check_references(spec, frozenset(), before)
    check_references(expanded, frozenset(), after)
    known = {(item.code, item.span) for item in before.items}
    findings.items += (item for item in after.items if (item.code, item.span) not in known)
