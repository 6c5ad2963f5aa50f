"""Which columns forbid that a routed statement converts a table to a character set: those whose texts would lose
characters, and those by whose texts rows are found, placed or refused.

A text in another character set prints as before, and `verify` compares what is printed. Another collation changes which
texts are equal, and the migration's own tables on the shards keep the old one (hazards C5, C9).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from shardwright.compiler.ddl.alter.options import Convert, DefaultSet
from shardwright.compiler.ddl.alter.read import AlterTable
from shardwright.compiler.ddl.alter.routing import Routing
from shardwright.compiler.ddl.shape.character_sets import BYTES, keeps_texts
from shardwright.compiler.ddl.shape.table_edit import parts_of
from shardwright.compiler.ddl.shape.table_shape import charset_word
from shardwright.compiler.expressions.capacity import charset_holds
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import TablePlan, with_suffix
from shardwright.compiler.schema.file import read_schema, text_defaults
from shardwright.compiler.sql.character_sets import CharacterSet
from shardwright.compiler.sql.named_columns import columns_in
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.compiler.sql.table_keys import read_key
from shardwright.specs.findings.diagnostics import Findings

_REMEDY = "do it on every shard after `finish`, or convert the source and begin a new migration"


def check_character_sets(alter: AlterTable, check: Routing, now: Callable[[], exp.Create | None]) -> None:
    """`now` gives the table before the statement; None where that is not known."""
    to = next((clause.to for clause in alter.clauses if isinstance(clause, Convert)), None)
    default = next((clause.to for clause in alter.clauses if isinstance(clause, DefaultSet)), None)
    named = to or default
    if named is None:
        return
    if to is not None and (sum(not clause.is_option for clause in alter.clauses) > 1 or default is not None):
        check.error("SW4208", "write CONVERT TO in a statement of its own")
    elif not named.is_certain:
        message = "servers differ in what they take for a collation that is not named: name it"
        check.error("SW4015", message, "write CHARACTER SET … COLLATE …, as `SHOW CREATE TABLE` is to print them")
    elif not check.is_free:
        table = _read(now(), check.plan.logical)
        if table is None:
            check.error("SW4208", "it is not known what earlier statements make of the columns", _REMEDY)
        elif to is not None:
            _check_columns(to, table, check)
        else:
            _check_default(named, table, check)


def _read(now: exp.Create | None, logical: str) -> SourceTable | None:
    if now is None:
        return None
    findings = Findings()
    text = with_suffix(to_sql(now, "mysql"), "")
    found = read_schema(text, file="plan", findings=findings).get(logical)
    return None if findings.has_errors else found


def _check_columns(to: CharacterSet, table: SourceTable, check: Routing) -> None:
    deciding = _comparisons_by_column(check.plan, table.statement)
    for column in table.columns:
        old = CharacterSet(charset_word(column.type.charset or ""), charset_word(column.type.collation or ""))
        new = CharacterSet(charset_word(to.name), charset_word(to.collation))
        if column.type.charset is None or old == new:
            continue
        if not keeps_texts(old.charset, new.charset):
            check.error("SW4016", f"column '{column.name}' is in {old.charset}: {_why_not(old.charset, new.charset)}")
        elif why := deciding.get(column.name.lower()):
            message = f"column '{column.name}' is to stay in {old.charset}, {old.collation}: {why}"
            check.error("SW4017", message, _REMEDY)


def _check_default(to: CharacterSet, table: SourceTable, check: Routing) -> None:
    """The stream may bring a column that names no character set: it gets the table's."""
    old = charset_word(text_defaults(table.statement)[0] or "")
    new = charset_word(to.name)
    if old and not keeps_texts(old, new):
        check.error("SW4016", f"the default of new columns is {old}: {_why_not(old, new)}")


def _why_not(old: str, new: str) -> str:
    lacks = new in BYTES and not charset_holds(old, new)
    return f"{new} lacks some of its characters" if lacks else f"converting that to {new} is not supported"


def _comparisons_by_column(plan: TablePlan, statement: exp.Create) -> dict[str, str]:
    """Columns of the target, in lower case, whose texts are compared while the migration runs, and by what."""
    found: dict[str, str] = {}
    for column, why in _comparisons(plan, statement):
        found.setdefault(column.lower(), why)
    return found


def _comparisons(plan: TablePlan, statement: exp.Create) -> Iterator[tuple[str, str]]:
    yield from ((name, "rows are found by it") for name in plan.key)
    placing = {column.target for column in plan.columns if column.source in plan.placement.shard_key}
    yield from ((name, "rows are placed by it") for name in (*placing, *(column.target for column in plan.via_columns)))
    if plan.writes.version_column:
        yield plan.writes.version_column, "rows' versions are compared by it"
    for group in plan.writes.event_groups:
        yield from ((name, f"the field group '{group.name}' compares it") for name in group.columns)
    for part in statement.this.expressions:
        if isinstance(part, exp.ColumnDef):
            yield from _comparisons_of_column(part)
        elif (key := read_key(part)) is not None and (key.is_unique or key.kind == "check"):
            why = "a unique key has it" if key.is_unique else "a check reads it"
            yield from ((name.name, why) for item in key.parts for name in columns_in(item))


def _comparisons_of_column(column: exp.ColumnDef) -> Iterator[tuple[str, str]]:
    for part in parts_of(column):
        match part:
            case exp.UniqueColumnConstraint() | exp.PrimaryKeyColumnConstraint():
                yield column.name, "a unique key has it"
            case exp.ComputedColumnConstraint():
                yield from ((name.name, f"column '{column.name}' is computed from it") for name in columns_in(part))
            case exp.CheckColumnConstraint() if "json_valid" not in part.sql("mysql").lower():
                yield from ((name.name, "a check reads it") for name in columns_in(part))
