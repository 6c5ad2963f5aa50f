"""The sharding rules of the next spec: those by which its source is spread, and the same for its new target. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shardwright.compiler.rescale.buckets import bucket_ranges
from shardwright.compiler.rescale.expressions import Counts, NotAdapted, Part, adapted, renamed
from shardwright.compiler.sharding.algorithms import SPREADING
from shardwright.compiler.sharding.function import Grid
from shardwright.specs.findings.diagnostics import Diagnostic, SpecError
from shardwright.specs.spec.model import ShardingRule, Spec


@dataclass(frozen=True, slots=True)
class Rules:
    """Of one spec and the target of the next."""

    spec: Spec
    grid: Grid
    by_hand: Mapping[str, Mapping[str, object]]
    """What the command says that a rule of the next spec is, by the rule's name."""

    def at_source(self, rule: ShardingRule, shard_key: tuple[str, ...]) -> Mapping[str, object]:
        """The rule as it spreads the rows of a table of the shards. `shard_key` are the table's columns."""
        if rule.algorithm is None:
            columns = dict(zip(rule.shard_key, shard_key, strict=True))
            parts = {"database": rule.database, "table": rule.table}
            return {
                "shard_key": list(shard_key),
                **{what: self._renamed(rule, what, text, columns) for what, text in parts.items() if text is not None},
            }
        options = {"options": dict(rule.options)} if rule.options else {}
        return {"shard_key": list(shard_key), "algorithm": rule.algorithm, **options}

    def for_target(self, rule: ShardingRule) -> Mapping[str, object]:
        """The rule for the new target. Raises SpecError (SW5033) with the place that a person has to write."""
        key: dict[str, object] = {"shard_key": list(rule.shard_key)}
        if rule.name in self.by_hand:
            return {**key, **self.by_hand[rule.name]}
        if rule.algorithm is not None:
            return {**key, "algorithm": rule.algorithm, **self._options(rule)}
        spec, span_of = self.spec, self.spec.span_of
        databases = Counts(len(spec.target.databases), len(self.grid.databases))
        tables = Counts(len(spec.suffixes_of(rule)), self.grid.tables)
        database = Part(rule.database, databases, span_of((*rule.path, "database")), "database")
        table = Part(rule.table, tables, span_of((*rule.path, "table")), "table")
        try:
            texts = adapted(database, table)
        except NotAdapted as reason:
            raise SpecError([Diagnostic("SW5033", reason.message, reason.span, hint=_by_hand(rule))]) from None
        return {
            **key,
            **{what: text for what, text in zip(("database", "table"), texts, strict=True) if text is not None},
        }

    def _renamed(self, rule: ShardingRule, what: str, text: str, columns: Mapping[str, str]) -> str:
        if all(name == to for name, to in columns.items()):
            return text
        return renamed(text, columns, self.spec.span_of((*rule.path, what)))

    def _options(self, rule: ShardingRule) -> Mapping[str, object]:
        if rule.algorithm in SPREADING:
            return {"options": dict(rule.options)} if rule.options else {}
        if rule.algorithm == "weighted":
            ranges = bucket_ranges(rule, self.spec.target.databases, self.grid.databases)
            if ranges is not None:
                kept = {name: value for name, value in rule.options.items() if name not in ("weights", "ranges")}
                return {"options": {**kept, "ranges": ranges}}
        message = f"rule '{rule.name}' names places, and it is not known which new ones take their rows"
        span = self.spec.span_of((*rule.path, "algorithm"))
        raise SpecError([Diagnostic("SW5033", message, span, hint=_by_hand(rule))])


def _by_hand(rule: ShardingRule) -> str:
    return f"write it for the new target: --rule '{rule.name}={{database: ..., table: ...}}'"
