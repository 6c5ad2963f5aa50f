"""Sharding functions that were built before: tables of one rule whose key columns are alike share one function, so that what
is made of it, its SQL above all, can be made once as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.sharding.build import Grid, ShardFunction, database_and_table
from shardwright.specs.findings.diagnostics import Diagnostic, Findings
from shardwright.specs.spec.model import ShardingRule, Spec

_Asked = tuple[str, tuple[str, ...], tuple[tuple[str, Column], ...]]


@dataclass(frozen=True, slots=True)
class Built:
    """`function` is None when there is an error among `findings`, which name the rule and the columns but no table;
    `no_mysql` says why MySQL cannot compute it."""

    function: ShardFunction | None
    no_mysql: str | None
    findings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class KnownFunctions:
    """Those of one spec. `files` are the texts of the CSV files that its rules name."""

    spec: Spec
    files: Mapping[str, str]
    _built: dict[_Asked, Built] = field(default_factory=dict)

    def of(self, rule: ShardingRule, shard_key: tuple[str, ...], *, columns: Mapping[str, Column]) -> Built:
        """As `database_and_table`, which says what these are."""
        asked = (rule.name, shard_key, tuple(columns.items()))
        known = self._built.get(asked)
        if known is None:
            known = self._built[asked] = self._build(rule, shard_key, columns)
        return known

    def _build(self, rule: ShardingRule, shard_key: tuple[str, ...], columns: Mapping[str, Column]) -> Built:
        findings = Findings()
        function = database_and_table(
            rule,
            shard_key,
            columns=columns,
            grid=Grid(self.spec.target.databases, self.spec.suffixes_of(rule)),
            files=self.files,
            span_of=self.spec.span_of,
            findings=findings,
        )
        return Built(function, None if function is None else function.no_mysql(), tuple(findings.items))
