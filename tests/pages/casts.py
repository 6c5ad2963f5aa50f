"""The page `docs/reference/casts.md`, from the rules of casts."""

from __future__ import annotations

from collections.abc import Collection

from shardwright.compiler.columns.cast_rules import RULES, CastRule
from shardwright.compiler.plan.catalogue import BINARIES, INTEGERS, SPATIALS, TEXTS

_HEAD = """\
# Casts

Generated from `compiler/columns/cast_rules.py`. `columns: {cast: {amount: {type: "decimal(20,4)"}}}` gives a column
another type on the target. Each change has a verdict:

* **lossless**: every value arrives as the same value.
* **lossy**: some value loses something. The spec has to say that this is meant, and why:
  `{type: datetime, loss: accept, reason: no one reads microseconds}`.
* **impossible**: a value may have no place, or there is no way that is exact in Spark, MySQL and Python alike. What is
  in no line below is impossible.

A cast keeps the column's character set and collation unless the type names others. The first line that fits decides.
`tests/columns/test_casts.py` sends the extreme values of every type through a real server.

| from | to | verdict | when | what happens |
|---|---|---|---|---|
"""
_GROUPS = ((INTEGERS, "integers"), (TEXTS, "text"), (BINARIES, "bytes"), (SPATIALS, "spatial types"))


def page() -> str:
    """Markdown, ending in a line break."""
    return _HEAD + "".join(_row(rule) for rule in RULES)


def _row(rule: CastRule) -> str:
    cells = (_types(rule.sources), _types(rule.targets), rule.verdict, rule.when or "always", rule.effect or "–")
    return f"| {' | '.join(cells)} |\n"


def _types(names: Collection[str]) -> str:
    """Groups of types by their group's name, the others by their own."""
    groups = [word for group, word in _GROUPS if group <= set(names)]
    others = set(names).difference(*(group for group, word in _GROUPS if word in groups))
    return ", ".join([*groups, *sorted(others)])
