"""Which row is asked about? The table by its logical name, the key as `--key` has it.

Pure. Used in the process of the command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shardwright.compiler.plan.catalogue import Column
from shardwright.compiler.plan.plan import CopiedColumn, Plan, TablePlan
from shardwright.compiler.sharding.key_values import KeyValue, NotOfType, key_value
from shardwright.runtime.failures import InputAtFault, Refused
from shardwright.runtime.mysql.keys import Key, key_text
from shardwright.specs.findings.wording import did_you_mean, either, quote


def table_of(plan: Plan, logical: str) -> TablePlan:
    """Raises InputAtFault (SW8504) for a table that the plan does not have, Refused (SW8517) for one without a key."""
    known = {table.logical: table for table in plan.tables}
    if logical not in known:
        hint = did_you_mean(logical, known) or f"it has {', '.join(sorted(known))}"
        raise InputAtFault("SW8504", f"the plan has no table {quote(logical)}; {hint}")
    table = known[logical]
    if table.identity.counts_rows:
        raise Refused(
            "SW8517",
            f"{logical} has no key: its rows are compared by all columns, and equal rows are counted. So no row can be "
            "followed by itself",
        )
    return table


def parse_key(table: TablePlan, pairs: Sequence[str]) -> Key:
    """The key as the plan's statements print it, of `column=value` pairs. Columns have their names at the source or on
    the shards, in any letter case. Raises InputAtFault (SW8516)."""
    given = _read_pairs(table, pairs)
    return tuple(_value(table, column, given[column.target]) for column in table.key_columns)


def _read_pairs(table: TablePlan, pairs: Sequence[str]) -> Mapping[str, str]:
    """By the column's name on the shards."""
    names = {name.lower(): column.target for column in table.key_columns for name in (column.source, column.target)}
    given: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise _fault(f"--key {pair}: write column=value")
        target = names.get(name.lower())
        if target is None:
            hint = did_you_mean(name, table.key) or f"the key is {', '.join(table.key)}"
            raise _fault(f"{quote(name)} is no key column of {quote(table.logical)}; {hint}")
        if target in given:
            raise _fault(f"{quote(name)} is there twice")
        given[target] = value
    missing = [name for name in table.key if name not in given]
    if missing:
        raise _fault(f"the key of {quote(table.logical)} has no value for {', '.join(missing)}")
    return given


def _value(table: TablePlan, column: CopiedColumn, text: str) -> str:
    origin = table.identity.origin
    if origin is not None and column.target == origin.column:
        known = sorted({origin.of(str(name)) for name in table.sources})
        if table.own is None and text not in known:
            raise _fault(f"{quote(text)} is none of the values of column {quote(column.target)}: {either(known)}")
        return text
    try:
        made = key_value(text, Column(column.target, column.type, column.nullable))
    except NotOfType as expected:
        raise _fault(f"{quote(text)} is not {expected}, as column {quote(column.target)} has") from None
    return key_text(canonical_text(made), column.type)


def canonical_text(value: KeyValue) -> str:
    return value.hex().upper() if isinstance(value, bytes) else str(value)


def _fault(message: str) -> InputAtFault:
    return InputAtFault("SW8516", message)
