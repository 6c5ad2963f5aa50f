"""Which parts of a spec with errors can still be looked at, and how far."""

from __future__ import annotations

from dataclasses import replace

from shardwright.specs.findings.diagnostics import Faults
from shardwright.specs.spec.model import Sharded, Source, Spec, TableSpec, Target
from shardwright.specs.spec.stream_format import StreamFormat

_SAYS_NOTHING_ABOUT_COLUMNS = frozenset({"sharding", "weight", "version_column", "write", "where", "groups", "deletes"})
_SAYS_NOTHING_ABOUT_COLUMNS |= frozenset({"existing_rows", "defer_indexes", "backward"})
_SAYS_NOTHING_ABOUT_COLUMNS |= frozenset({"partitions"})
_SAYS_NOTHING_ABOUT_TABLES = frozenset(
    {"version", "migration", "owner", "ddl", "sharding", "defaults", "target", "ledger"}
)
_SAYS_NOTHING_ABOUT_SCHEMA = frozenset({"dialect", "databases", "stream", "sharding"})


def names_its_schema(spec: Spec) -> bool:
    """Whether it says which schema file describes the source."""
    return not spec.faults.touch("source", "schema")


def names_all_tables(spec: Spec) -> bool:
    """Whether each entry says which tables it means: then a table that none means is not moved."""
    return not spec.faults.around("tables") and all(entry.table for entry in spec.tables)


def names_what_stays(spec: Spec) -> bool:
    """Whether it says which tables it leaves alone. An unknown key at the top may have been meant to."""
    unclear = {fault[0] for fault in spec.faults.paths if len(fault) == 1}
    return (
        names_all_tables(spec)
        and not spec.faults.touch("ignore_tables")
        and not spec.faults.around()
        and unclear <= _SAYS_NOTHING_ABOUT_TABLES
    )


def has_readable_source(spec: Spec) -> bool:
    """Whether it says how the schema file's tables become the source's."""
    return not spec.faults.around("source") and spec.faults.within("source") <= _SAYS_NOTHING_ABOUT_SCHEMA


def is_readable(spec: Spec, entry: TableSpec) -> bool:
    """Whether the entry says which tables and columns it means. Any unknown key may have been about these."""
    own = spec.faults.within(*entry.path)
    return not spec.faults.around(*entry.path) and own <= _SAYS_NOTHING_ABOUT_COLUMNS


def is_placeable(spec: Spec, entry: TableSpec) -> bool:
    """Whether the entry says where its rows belong, and the target and the rule that it names are sound too."""
    faults = spec.faults
    if faults.touch("target") or faults.touch("source", "databases") or faults.touch(*entry.path, "sharding"):
        return False
    return not isinstance(entry.distribution, Sharded) or is_sound_rule(spec, entry.distribution.rule)


def is_sound_rule(spec: Spec, name: str) -> bool:
    """Whether there is such a rule, and nothing about it has an error but the vectors that it is tried on."""
    faults = spec.faults
    return (
        name in spec.sharding and not faults.around("sharding", name) and faults.within("sharding", name) <= {"vectors"}
    )


def is_sound_entry(spec: Spec, entry: TableSpec) -> bool:
    """Whether the entry and the defaults behind it are just what their author meant."""
    return not spec.faults.touch(*entry.path) and not spec.faults.touch("defaults")


def comparable(spec: Spec) -> Spec:
    """The spec reduced to what can be compared with other specs: target databases and tables that are certain."""
    if not spec.faults:
        return spec
    tables = tuple(entry for entry in spec.tables if is_readable(spec, entry) and is_placeable(spec, entry))
    migration = "" if spec.faults.touch("migration") else spec.migration
    return replace(spec, migration=migration, tables=tables)


def may_share_schema(spec: Spec, other: Spec) -> bool:
    """Whether both describe their sources by one schema file, as far as is known."""
    return not names_its_schema(spec) or spec.source.schema == other.source.schema


def unreadable_spec(file: str) -> Spec:
    """What is known about a spec whose file is no YAML: nothing."""
    return Spec(
        file=file,
        version=1,
        migration="",
        owner=None,
        source=Source("mysql", (), ("",), "", StreamFormat(), ("source",)),
        target=Target((), ("",), ("target",)),
        sharding={},
        tables=(),
        ignore_tables=(),
        ddl=None,
        spans={},
        faults=Faults(frozenset([()])),
    )
