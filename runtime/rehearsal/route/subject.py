"""Which table is asked about, and which keys, as typed on the command line or listed in a file? Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.expressions.expression import IntegerExpression
from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.compiler.plan.plan import Plan, TablePlan
from shardwright.compiler.sharding.csv_text import CsvFault, read_csv
from shardwright.compiler.sharding.function import ShardFunction
from shardwright.compiler.sharding.key_values import KeyValue, NotOfType, key_value
from shardwright.runtime.failures import InputAtFault, RuntimeFailure
from shardwright.specs.findings.diagnostics import Span
from shardwright.specs.findings.wording import did_you_mean, quote

Key = Mapping[str, KeyValue]


@dataclass(frozen=True, slots=True)
class Subject:
    """The table in question. `function` is None for a table that is not sharded, `bucket` also where no rule of the
    spec has buckets."""

    plan: Plan
    table: TablePlan
    function: ShardFunction | None
    bucket: IntegerExpression | None = None

    @property
    def types(self) -> Mapping[str, ColumnType]:
        return {column.name: column.type for column in self.table.source.columns}

    def place(self, database: int, table: int) -> str:
        return f"{self.plan.databases[database]}.{self.table.logical}{self.plan.parts(self.table)[table]}"

    def places(self) -> tuple[str, ...]:
        """Every physical table."""
        return tuple(f"{self.plan.databases[shard]}.{name}" for shard, _, name in self.plan.physical_tables(self.table))


def subject(compiled: Sequence[CompiledPlan], logical: str, migration: str | None) -> Subject:
    """Finds the table. Raises RuntimeFailure (SW5031) when no compiled spec, or several, have it."""
    plans = [item for item in compiled if migration in (None, item.plan.migration)]
    found = [(item, table) for item in plans for table in item.plan.tables if table.logical == logical]
    if len(found) == 1:
        item, table = found[0]
        function = item.functions.get(logical)
        return Subject(item.plan, table, function, item.buckets.get(logical) if function is not None else None)
    if found:
        names = ", ".join(item.plan.migration for item, _ in found)
        raise _fault(f"several migrations move '{logical}' ({names}): choose with --migration")
    known = [table.logical for item in plans for table in item.plan.tables]
    raise _fault(f"no migration moves a table '{logical}'", did_you_mean(logical, known))


def key_of(about: Subject, written: Mapping[str, str]) -> Key:
    """The key with each shard key column once, typed. Raises RuntimeFailure (SW5031)."""
    _check_names(about, written)
    given = {name.lower(): text for name, text in written.items()}
    wanted = {name.lower() for name in about.table.placement.shard_key}
    key: dict[str, KeyValue] = {}
    for column in about.table.source.columns:
        if column.name.lower() not in wanted:
            continue
        text = given[column.name.lower()]
        try:
            key[column.name] = key_value(text, Column(column.name, column.type, column.nullable))
        except NotOfType as expected:
            raise _fault(f"{quote(text)} is not {expected}, as column '{column.name}' has") from None
    return key


def _check_names(about: Subject, names: Iterable[str]) -> None:
    """Each shard key column is named once, in any letter case, and nothing else is."""
    wanted = {name.lower(): name for name in about.table.placement.shard_key}
    seen: set[str] = set()
    for name in names:
        if name.lower() not in wanted:
            hint = (
                did_you_mean(name, wanted.values()) or f"the shard key is {', '.join(about.table.placement.shard_key)}"
            )
            raise _fault(f"'{name}' is no shard key column of '{about.table.logical}'", hint)
        if name.lower() in seen:
            raise _fault(f"'{name}' is there twice")
        seen.add(name.lower())
    missing = [name for lower, name in wanted.items() if lower not in seen]
    if missing:
        raise _fault(f"the shard key of '{about.table.logical}' has no value for {', '.join(missing)}")


def parse_pairs(pairs: Sequence[str]) -> dict[str, str]:
    """`column=value` of the command line. Raises RuntimeFailure (SW5031)."""
    written: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or name.lower() in written:
            raise _fault(f"--key {pair}: write each column once, as column=value")
        written[name.lower()] = value
    return written


def read_keys(about: Subject, text: str, file: str) -> Iterator[Key]:
    """The keys of a CSV file with a header, one after another. Raises RuntimeFailure (SW5031)."""
    try:
        rows = read_csv(text, file=file)
        header = next(rows, None)
        if header is None:
            raise _fault(f"{file} is empty: its first line names the shard key columns")
        names = [cell.text.strip() for cell in header]
        with _fail_at(header[0].span):
            _check_names(about, names)
        for row in rows:
            if len(row) != len(names):
                raise CsvFault(f"this line has {len(row)} cells, the header {len(names)}", row[0].span)
            with _fail_at(row[0].span):
                key = key_of(about, dict(zip(names, (cell.text for cell in row), strict=True)))
            yield key
    except CsvFault as fault:
        raise _fault(f"{fault.span}: {fault.message}") from None


def bucket_of(bucket: IntegerExpression, key: Key) -> int:
    """In which virtual bucket the rows of a key are: the Python form of the expression."""
    found = bucket.evaluate(key)
    if found is None:
        raise ValueError("the shard key is NULL although the schema says NOT NULL")
    return found


@contextmanager
def _fail_at(span: Span) -> Iterator[None]:
    """Adds the place in the file to failures within this context."""
    try:
        yield
    except RuntimeFailure as failure:
        raise CsvFault(failure.message, span) from None


def _fault(message: str, hint: str | None = None) -> InputAtFault:
    return InputAtFault("SW5031", f"{message}; {hint}" if hint else message)
