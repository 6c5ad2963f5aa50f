"""The entries of `tables` of the next spec: each table of the shards under its logical name, with the settings that its
old entry has. Pure.

What the old entry did to columns and rows is done: the shards have the outcome. So nothing of `columns` and `where`
is left, and other settings name columns as the shards do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Final

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.rescale.shards import Shards
from shardwright.specs.findings.diagnostics import Diagnostic, SpecError
from shardwright.specs.spec.model import (
    Broadcast,
    DeletePolicy,
    ErrorPolicy,
    Sharded,
    ShardingRule,
    Single,
    Spec,
    TableSpec,
)

_LONGEST_NAME: Final = 44
"""Of a rule, with room for a number."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`remarks` are for a person to look at. `rule` and `shard_key`: how the rows of a table are spread at the source,
    and the name of that rule."""

    settings: Mapping[str, object]
    remarks: tuple[str, ...] = ()
    rule: ShardingRule | None = None
    shard_key: tuple[str, ...] = ()
    source_rule: str = ""


@dataclass(frozen=True, slots=True)
class Entries:
    """`databases` are those of the next target."""

    spec: Spec
    shards: Shards
    databases: Sequence[str]
    _names: dict[tuple[str, tuple[str, ...]], str] = field(default_factory=dict)
    """Of the source's rules over columns of other names."""

    def all(self) -> Iterator[Entry]:
        """In the order of the spec. Raises SpecError (SW5034)."""
        names = {id(entry): name for name, entry in self.shards.entries.items()}
        for entry in self.spec.tables:
            yield self._entry(entry, self.shards.plan.table(names[id(entry)]))

    def _entry(self, entry: TableSpec, table: TablePlan) -> Entry:
        settings: dict[str, object] = {"table": table.logical}
        if table.identity.counts_rows:
            settings["key"] = "all_columns"
        elif table.key != self.shards.table(table.logical).primary_key:
            settings["key"] = list(table.key)
        match entry.distribution:
            case Broadcast():
                home = self.spec.target.databases[0]
                settings |= {"sharding": {"broadcast": {"from": home}}, "backward": {"copies": "every_database"}}
                return Entry({**settings, **dict(_policies(entry, table))})
            case Single(database=database):
                there = self.databases[self.spec.target.databases.index(database) % len(self.databases)]
                settings["sharding"] = {"single": there, "from": database}
                remark = f"which of the new databases holds it? It is in {database} now"
                return Entry({**settings, **dict(_policies(entry, table))}, (remark,))
            case Sharded(parent=parent) if parent is not None:
                message = (
                    f"'{table.logical}' is placed through its parent: its rows do not say to which shard they return"
                )
                raise self._refusal(entry, message, "give its rows the parent's shard key in a column of their own")
            case Sharded(rule=name):
                return self._shard(entry, table, self.spec.sharding[name], settings)

    def _shard(self, entry: TableSpec, table: TablePlan, rule: ShardingRule, settings: dict[str, object]) -> Entry:
        if self.spec.suffixes_of(rule) != self.spec.target.tables_suffix:
            message = (
                f"rule '{rule.name}' of '{table.logical}' has table suffixes of its own, and a source has one list"
            )
            raise self._refusal(entry, message, "write the next spec by hand for this table")
        shard_key = self._shard_key(entry, table)
        short = shard_key == rule.shard_key
        settings["sharding"] = rule.name if short else {"rule": rule.name, "shard_key": list(shard_key)}
        source_rule = rule.name if short else self._name(rule, shard_key)
        if entry.origin_column is None:  # else the key of the shards' tables tells rows apart
            settings["on_key_collision"] = entry.on_key_collision
        settings |= dict(_policies(entry, table))
        if len(table.suffixes) * len(self.spec.target.databases) == 1:
            return Entry(settings, (), rule, shard_key, source_rule)
        settings["backward"] = {"sharding": source_rule}
        quarantined = settings.pop("errors", None)
        remark = "a refused row stops the run: rows of several source tables cannot be quarantined"
        return Entry(settings, (remark,) if quarantined else (), rule, shard_key, source_rule)

    def _name(self, rule: ShardingRule, shard_key: tuple[str, ...]) -> str:
        """Of the rule over columns of other names: one that no rule of the spec has."""
        known = self._names.get((rule.name, shard_key))
        if known is None:
            wanted = re.sub(r"[^A-Za-z0-9_-]", "_", "_".join((rule.name, *shard_key)))[:_LONGEST_NAME]
            taken = {*self.spec.sharding, *self._names.values()}
            numbered = (f"{wanted}_{number}" for number in count(2))
            known = next(name for name in chain((wanted,), numbered) if name not in taken)
            self._names[rule.name, shard_key] = known
        return known

    def _shard_key(self, entry: TableSpec, table: TablePlan) -> tuple[str, ...]:
        """As the shards call its columns, which are copied as they are (SW2113, SW2141): they place rows as before."""
        assert isinstance(entry.distribution, Sharded)
        written = entry.distribution.shard_key or self.spec.sharding[entry.distribution.rule].shard_key
        by_name = {column.source.lower(): column.target for column in table.columns}
        return tuple(by_name[name.lower()] for name in written)

    def _refusal(self, entry: TableSpec, message: str, hint: str) -> SpecError:
        span = self.spec.span_of((*entry.path, "table"))
        return SpecError([Diagnostic("SW5034", message, span, hint=hint)])


def _policies(entry: TableSpec, table: TablePlan) -> Iterator[tuple[str, object]]:
    """Settings that hold on, where they are not the usual ones."""
    names = {column.source: column.target for column in table.columns if column.source}
    if entry.weight:
        yield "weight", entry.weight
    if entry.version_column:
        yield "version_column", names.get(entry.version_column, entry.version_column)
    if entry.write != "rows":
        yield "write", entry.write
    if entry.groups:
        yield (
            "groups",
            {
                group.name: {
                    "columns": [names.get(name, name) for name in group.columns],
                    **({"on_change": group.on_change} if group.on_change else {}),
                }
                for group in entry.groups
            },
        )
    if entry.deletes != DeletePolicy("until_snapshot"):
        yield "deletes", _deletes(entry.deletes)
    if entry.errors != ErrorPolicy():
        yield "errors", {"policy": entry.errors.policy, "at_most": entry.errors.at_most}
    if entry.defer_indexes:
        yield "defer_indexes", True
    if entry.partitions == "keep":
        yield "partitions", "keep"


def _deletes(policy: DeletePolicy) -> object:
    if policy.delay_seconds is None and policy.stop_above is None:
        return policy.policy
    above = policy.stop_above
    return {
        "policy": policy.policy,
        **({"delay": f"{policy.delay_seconds}s"} if policy.delay_seconds is not None else {}),
        **({"stop_above": above.amount if above.unit == "rows" else str(above)} if above is not None else {}),
    }
