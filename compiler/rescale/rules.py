"""The sharding rules of the next spec: those by which its source is spread, and the same for its new target. Each
database's buckets of algorithm `weighted` are cut into equal parts. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.rescale.expressions import Counts, NotAdapted, Part, adapt, rename_columns
from shardwright.compiler.sharding.algorithms import SPREADING
from shardwright.compiler.sharding.algorithms.weighted import cut
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
                **{what: self._rename(rule, what, text, columns) for what, text in parts.items() if text is not None},
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
            texts = adapt(database, table)
        except NotAdapted as reason:
            raise SpecError([Diagnostic("SW5033", reason.message, reason.span, hint=_by_hand(rule))]) from None
        return {
            **key,
            **{what: text for what, text in zip(("database", "table"), texts, strict=True) if text is not None},
        }

    def _rename(self, rule: ShardingRule, what: str, text: str, columns: Mapping[str, str]) -> str:
        if all(name == to for name, to in columns.items()):
            return text
        return rename_columns(text, columns, self.spec.span_of((*rule.path, what)))

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


_Range = tuple[int, int, int]
"""The first bucket, the end (excluded), and the index of the database."""


def bucket_ranges(rule: ShardingRule, old: Sequence[str], new: Sequence[str]) -> list[dict[str, object]] | None:
    """Option `ranges` for the new databases. Old database i is divided among i, i + n, i + 2n and so on of the new
    ones, as a remainder would do it. None where the new number is no multiple of the old one, or where ranges name
    single tables."""
    times, rest = divmod(len(new), len(old))
    known = _old_ranges(rule, old)
    if rest or known is None:
        return None
    found: list[_Range] = []
    for first, end, database in known:
        for part in range(times):
            low = first + (end - first) * part // times
            high = first + (end - first) * (part + 1) // times
            if low < high:
                found.append((low, high, database + part * len(old)))
    return [{"from": low, "to": high - 1, "place": new[database]} for low, high, database in found]


def _old_ranges(rule: ShardingRule, old: Sequence[str]) -> list[_Range] | None:
    buckets = rule.options.get("buckets", 1024)
    assert isinstance(buckets, int)
    if "ranges" not in rule.options:
        weights = rule.options.get("weights")
        assert isinstance(weights, dict)
        return list(cut(weights, old, buckets))
    found: list[_Range] = []
    written = rule.options["ranges"]
    for item in written if isinstance(written, list) else ():
        place = item["place"]
        if place not in old and not isinstance(place, int):
            return None
        found.append((item["from"], item["to"] + 1, place if isinstance(place, int) else old.index(place)))
    return found
