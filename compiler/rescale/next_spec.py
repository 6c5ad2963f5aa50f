"""The next spec of a spec: what `rescale` writes. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shardwright.compiler.plan.plan import Plan
from shardwright.compiler.rescale.document import Document
from shardwright.compiler.rescale.entries import Entries, Entry
from shardwright.compiler.rescale.rules import Rules
from shardwright.compiler.rescale.shards import shards_of
from shardwright.compiler.sharding.function import Grid
from shardwright.specs.findings.diagnostics import Diagnostic, SpecError
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Order:
    """What the command asks for: the next migration's name, its target, the path of its schema file in the project, and
    rules by name that are written by hand."""

    migration: str
    databases: tuple[str, ...]
    suffixes: tuple[str, ...]
    schema: str
    by_hand: Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class NextSpec:
    """The texts of the spec and of its schema file."""

    spec: str
    schema: str


def next_spec(spec: Spec, plan: Plan, order: Order) -> NextSpec:
    """`plan` is what the spec compiles to. Raises SpecError with the places of the spec that a person has to decide
    about."""
    _require_known(spec, order)
    shards = shards_of(spec, plan)
    entries = tuple(Entries(spec, shards, order.databases).all())
    rules = Rules(spec, Grid(order.databases, order.suffixes), order.by_hand)
    used = [entry for entry in entries if entry.rule is not None]
    document = Document(
        old=spec,
        migration=order.migration,
        databases=order.databases,
        suffixes=order.suffixes,
        schema=order.schema,
        source_rules=_source_rules(rules, used),
        target_rules={entry.rule.name: rules.for_target(entry.rule) for entry in used if entry.rule is not None},
        entries=entries,
        stays=[f"[{name[0]}]{name[1:]}" for name in shards.own_tables()],
    )
    return NextSpec(document.text(), shards.schema)


def _source_rules(rules: Rules, used: Sequence[Entry]) -> Mapping[str, Mapping[str, object]]:
    return {
        entry.source_rule: rules.at_source(entry.rule, entry.shard_key)
        for entry in used
        if entry.rule is not None and "backward" in entry.settings
    }


def _require_known(spec: Spec, order: Order) -> None:
    if order.migration == spec.migration:
        message = f"the next migration cannot be called '{order.migration}' as well: ledgers know it by its name"
        raise SpecError(
            [Diagnostic("SW5034", message, spec.span_of(("migration",)), hint="give it another --migration")]
        )
    both = sorted(set(order.databases) & set(spec.target.databases))
    if both:
        message = f"'{both[0]}' is one of the old shards, and no database is a source and a target"
        hint = "give the new databases other names, also on other servers"
        raise SpecError([Diagnostic("SW5034", message, spec.span_of(("target", "databases")), hint=hint)])
    for name in order.by_hand:
        if name not in spec.sharding:
            hint = did_you_mean(name, spec.sharding) or f"its rules are: {', '.join(spec.sharding)}"
            message = f"there is no rule '{name}'"
            raise SpecError([Diagnostic("SW5034", message, spec.key_span_of(("sharding",)), hint=hint)])
