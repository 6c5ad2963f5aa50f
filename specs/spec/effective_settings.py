"""What holds for one table of a spec, setting by setting, and which line says so: its entry, the defaults, or
none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shardwright.specs.findings.diagnostics import Path, Span
from shardwright.specs.spec.model import Broadcast, Sharded, Single, Spec, TableSpec


@dataclass(frozen=True, slots=True)
class Setting:
    """`value` in the words of a spec; `span` None: no line sets it; the format's default holds."""

    name: str
    value: str
    span: Span | None


def effective_settings(spec: Spec, table: TableSpec) -> tuple[Setting, ...]:
    """In the order of the spec's reference."""
    return tuple(
        Setting(name, value, _span_of(spec, (*table.path, *path)) or _elsewhere(spec, table, name))
        for name, value, path in _values(spec, table)
    )


def _span_of(spec: Spec, path: Path) -> Span | None:
    return spec.spans.get(path)


def _elsewhere(spec: Spec, table: TableSpec, name: str) -> Span | None:
    """A table under a rule is split as the rule or the target says, by the rule's shard key."""
    if not isinstance(table.distribution, Sharded) or table.distribution.rule not in spec.sharding:
        return None
    rule = spec.sharding[table.distribution.rule]
    match name:
        case "sharding.shard_key":
            return _span_of(spec, (*rule.path, "shard_key"))
        case "target.tables_suffix":
            own = _span_of(spec, (*rule.path, "tables_suffix"))
            return own or _span_of(spec, ("target", "tables_suffix"))
        case _:
            return None


def _values(spec: Spec, table: TableSpec) -> Iterator[tuple[str, str, Path]]:
    yield "table", table.table, ("table",)
    if table.excepted:
        yield "except", ", ".join(table.excepted), ("except",)
    if table.expect is not None:
        yield "expect", str(table.expect), ("expect",)
    yield "to", table.to or table.table, ("to",)
    key = "all columns" if table.by_all_columns else "the primary key"
    yield "key", ", ".join(table.key) if table.key else key, ("key",)
    yield from _distribution(spec, table)
    yield "weight", str(table.weight), ("weight",)
    yield "version_column", table.version_column or "none", ("version_column",)
    yield "write", table.write, ("write",)
    settings = any((*table.path, "deletes", key) in spec.spans for key in ("policy", "delay", "stop_above"))
    yield "deletes.policy", table.deletes.policy, ("deletes", "policy") if settings else ("deletes",)
    if table.deletes.delay_seconds is not None:
        yield "deletes.delay", f"{table.deletes.delay_seconds}s", ("deletes", "delay")
    yield "deletes.stop_above", str(table.deletes.stop_above or "no ceiling"), ("deletes", "stop_above")
    settings = any((*table.path, "errors", key) in spec.spans for key in ("policy", "at_most"))
    held = f" (at_most: {table.errors.at_most})" if table.errors.policy == "quarantine" else ""
    yield "errors", table.errors.policy + held, ("errors", "policy") if settings else ("errors",)
    collisions = table.on_key_collision + (f" {table.origin_column}" if table.origin_column else "")
    yield "on_key_collision", collisions, ("on_key_collision",)
    yield "existing_rows", table.existing_rows, ("existing_rows",)
    yield "defer_indexes", "true" if table.defer_indexes else "false", ("defer_indexes",)
    yield "partitions", table.partitions, ("partitions",)
    yield from _columns(table)
    yield "where", table.where or "all rows", ("where",)
    for group in table.groups:
        value = ", ".join(group.columns) + (f" (on_change: {group.on_change})" if group.on_change else "")
        yield f"groups.{group.name}", value, ("groups", group.name)
    yield from _backward(table)


def _distribution(spec: Spec, table: TableSpec) -> Iterator[tuple[str, str, Path]]:
    path: Path = ("sharding",)
    match table.distribution:
        case Broadcast(source):
            yield "sharding", "broadcast" + (f" from {source}" if source else ""), path
        case Single(database, source):
            yield "sharding", f"single in {database}" + (f" from {source}" if source else ""), path
        case Sharded(rule=name, shard_key=own, parent=parent) if name in spec.sharding:
            rule = spec.sharding[name]
            yield "sharding", name, path
            if parent is not None:
                value = f"of {parent.parent} via {', '.join(parent.via)}"
            else:
                value = ", ".join(own or rule.shard_key)
            yield "sharding.shard_key", value, ("sharding", "shard_key")
            suffixes = spec.suffixes_of(rule)
            shown = f"{suffixes[0]} to {suffixes[-1]} ({len(suffixes)})" if len(suffixes) > 3 else ", ".join(suffixes)
            yield "target.tables_suffix", shown or "none: not split", ("sharding", "tables_suffix")


def _backward(table: TableSpec) -> Iterator[tuple[str, str, Path]]:
    way = table.backward
    if way.rule is not None:
        yield "backward.sharding", way.rule, ("backward", "sharding")
    for value in way.values:
        yield f"backward.values.{value.name}", value.literal, ("backward", "values", value.name)
    yield "backward.triggers", way.triggers, ("backward", "triggers")
    if way.one_way:
        yield "backward.one_way", ", ".join(way.one_way), ("backward", "one_way", "columns")


def _columns(table: TableSpec) -> Iterator[tuple[str, str, Path]]:
    choices = table.columns
    if choices.include is not None:
        yield "columns.include", ", ".join(choices.include), ("columns", "include")
    if choices.exclude:
        yield "columns.exclude", ", ".join(choices.exclude), ("columns", "exclude")
    for name, to in choices.rename.items():
        yield f"columns.rename.{name}", to, ("columns", "rename", name)
    for column in choices.derive:
        yield (
            f"columns.derive.{column.name}",
            f"{column.expression} ({column.type})",
            ("columns", "derive", column.name),
        )
