"""What a CREATE TABLE says beyond the catalogue, read in one walk: a thousand tables are linted by thirty rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.sql.sql_tokens import place
from shardwright.compiler.sql.table_keys import read_key
from shardwright.specs.findings.diagnostics import Span

FOLLOWING_ACTIONS = ("CASCADE", "SET NULL", "SET DEFAULT")
"""What a foreign key may do to the child's rows when the parent's changes."""


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """`default` and `on_update` are None when not written; `says_null` when NULL or NOT NULL is written."""

    name: str
    default: exp.Expr | None
    on_update: exp.Expr | None
    says_null: bool


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """`name` is empty when it has none. `actions` in capitals, as "ON DELETE CASCADE"."""

    name: str
    columns: tuple[str, ...]
    parent_database: str
    parent: str
    parent_columns: tuple[str, ...]
    actions: tuple[str, ...]
    node: exp.Expr

    @property
    def child_actions(self) -> tuple[str, ...]:
        """The actions by which the server changes the child's rows itself."""
        return tuple(action for action in self.actions if action.endswith(FOLLOWING_ACTIONS))

    @property
    def title(self) -> str:
        columns = ", ".join(self.columns)
        return f"'{self.name}'" if self.name else f"({columns}) -> '{self.parent}'"


@dataclass(frozen=True, slots=True)
class Index:
    """A plain or unique index or the primary key, over whole columns only. `name` is PRIMARY for the latter."""

    name: str
    columns: tuple[str, ...]
    unique: bool
    node: exp.Expr


@dataclass(frozen=True, slots=True)
class TableFacts:
    """`engine` in lower case, empty when not written."""

    source: SourceTable
    columns: tuple[ColumnFacts, ...]
    foreign_keys: tuple[ForeignKey, ...]
    indexes: tuple[Index, ...]
    engine: str


def table_facts(source: SourceTable) -> TableFacts:
    columns: list[ColumnFacts] = []
    foreign_keys: list[ForeignKey] = []
    indexes: list[Index] = []
    for part in source.statement.this.expressions:
        if isinstance(part, exp.ColumnDef):
            columns.append(_column(part))
            foreign_keys += _inline_references(part)
            continue
        key = read_key(part)
        if key is not None and key.kind == "foreign key":
            names = tuple(item.name for item in key.inner.expressions)
            reference = key.inner.args["reference"]
            foreign_keys.append(_foreign_key(key.name or key.inner.name, names, reference, key.inner))
        elif key is not None and key.kind != "check" and key.whole_columns and not key.inner.args.get("kind"):
            name = "PRIMARY" if key.kind == "primary key" else key.name
            indexes.append(Index(name, key.whole_columns, key.is_unique, key.inner))
    return TableFacts(source, tuple(columns), tuple(foreign_keys), tuple(indexes), _engine(source.statement))


def identifier_place(node: exp.Expr, text: str, *, file: str) -> Span | None:
    """Where the first name below `node` stands in `text`; None when the parser kept no place."""
    places = {
        start: identifier.name
        for identifier in node.find_all(exp.Identifier)
        if isinstance(start := identifier.meta.get("start"), int)
    }
    return place(text, min(places), file=file, length=len(places[min(places)])) if places else None


def _column(node: exp.ColumnDef) -> ColumnFacts:
    default: exp.Expr | None = None
    on_update: exp.Expr | None = None
    says_null = False
    for constraint in node.constraints:
        match constraint.kind:
            case exp.DefaultColumnConstraint() as kind:
                default = kind.this
            case exp.OnUpdateColumnConstraint() as kind:
                on_update = kind.this
            case exp.NotNullColumnConstraint():
                says_null = True
            case _:
                pass
    return ColumnFacts(node.name, default, on_update, says_null)


def _inline_references(node: exp.ColumnDef) -> Iterator[ForeignKey]:
    """`column INT REFERENCES parent (id)`: a foreign key in MariaDB and MySQL 9, a comment in MySQL 8."""
    for constraint in node.constraints:
        if isinstance(constraint.kind, exp.Reference):
            yield _foreign_key("", (node.name,), constraint.kind, node)


def _foreign_key(name: str, columns: tuple[str, ...], reference: exp.Expr, node: exp.Expr) -> ForeignKey:
    target = reference.this
    table = target.this if isinstance(target, exp.Schema) else target
    names = tuple(item.name for item in target.expressions) if isinstance(target, exp.Schema) else ()
    actions = tuple(" ".join(str(option).upper().split()) for option in reference.args.get("options") or ())
    return ForeignKey(name, columns, table.text("db"), table.name, names, actions, node)


def _engine(statement: exp.Create) -> str:
    properties = statement.args.get("properties")
    for option in properties.expressions if properties else ():
        if isinstance(option, exp.EngineProperty):
            return option.name.lower()
    return ""
