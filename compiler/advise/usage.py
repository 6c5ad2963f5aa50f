"""What does the workload do with each table and column? Counted statement by statement, without any design. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from sqlglot import exp

from shardwright.compiler.schema.table_names import TableNames, make_table_names
from shardwright.compiler.workload.digest import parse_statement
from shardwright.compiler.workload.statement import StatementGroup

TableColumn = tuple[str, str]
"""The key of a table (`TableNames`), and a column in small letters."""

_VALUES: Final = (exp.Literal, exp.Placeholder, exp.Parameter, exp.Neg, exp.Boolean, exp.Null)


@dataclass(frozen=True, slots=True)
class Mention:
    """What one group of statements does with one table."""

    table: str
    calls: int
    fixed: frozenset[str]
    """The columns that are equal to a value, to one of a list, or are given in an INSERT."""
    joined: frozenset[tuple[str, TableColumn]]
    """Each of its columns that is equal to another table's column, with that."""
    ranged: frozenset[str]
    """The columns that are compared with a value by < or >, or lie between two."""
    written: frozenset[str]
    """The columns that an UPDATE sets."""
    is_write: bool
    is_insert: bool = False


@dataclass(slots=True)
class Usage:
    """Of a whole workload. `calls` are those of all statements that name a table."""

    calls: int = 0
    joins: Counter[tuple[TableColumn, TableColumn]] = field(default_factory=Counter)
    """Calls by the pair of columns that are equal, each pair once, in order."""
    _by_table: dict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))
    _by_digest: dict[str, list[Mention]] = field(default_factory=dict)

    def add(self, digest: str, mentions: Iterable[Mention], calls: int) -> None:
        known = list(mentions)
        self._by_digest[digest] = known
        self.calls += calls if known else 0
        for one in known:
            self._by_table[one.table].append(one)
            for column, other in one.joined:
                if (one.table, column) <= other:
                    self.joins[(one.table, column), other] += one.calls

    def of_group(self, digest: str) -> list[Mention]:
        """What the statements with this digest do, table by table."""
        return self._by_digest.get(digest, [])

    def of(self, table: str) -> list[Mention]:
        return self._by_table.get(table, [])

    def calls_of(self, table: str) -> int:
        return sum(one.calls for one in self.of(table))

    def writes_of(self, table: str) -> int:
        return sum(one.calls for one in self.of(table) if one.is_write)

    def inserts_of(self, table: str) -> int:
        return sum(one.calls for one in self.of(table) if one.is_insert)

    def calls_by_value(self, table: str, column: str) -> int:
        return sum(one.calls for one in self.of(table) if column.lower() in one.fixed and not one.is_insert)

    def calls_by_range(self, table: str, column: str) -> int:
        return sum(one.calls for one in self.of(table) if column.lower() in one.ranged)

    def updates_of(self, table: str, column: str) -> int:
        """The calls that give an existing row's column a value."""
        return sum(one.calls for one in self.of(table) if column.lower() in one.written)


def measure_usage(
    groups: Iterable[StatementGroup], columns_of: Mapping[str, frozenset[str]], tables: TableNames
) -> Usage:
    """`columns_of`: the columns of each table of the schema in small letters, by the key that `tables` gives its name.
    What is not understood counts nothing."""
    usage = Usage()
    for group in groups:
        parsed = parse_statement(group.texts[0])
        if parsed.tree is not None and not isinstance(parsed.tree, exp.Command):
            names = _Names(parsed.tree, columns_of, tables)
            usage.add(group.digest, _mentions(parsed.tree, names, group.calls), group.calls)
    return usage


def _mentions(tree: exp.Expr, names: _Names, calls: int) -> Iterator[Mention]:
    fixed: dict[str, set[str]] = defaultdict(set)
    joined: dict[str, set[tuple[str, TableColumn]]] = defaultdict(set)
    for one, other in _equal_pairs(tree, names):
        fixed[one[0]] |= {one[1]} if other is None else set()
        if other is not None and other[0] != one[0]:
            joined[one[0]].add((one[1], other))
            joined[other[0]].add((other[1], one))
    ranged = _columns_in_ranges(tree, names)
    written = _columns_written(tree, names)
    inserted = _columns_inserted(tree, names)
    for table in names.tables:
        yield Mention(
            table,
            calls,
            frozenset(fixed[table] | inserted.get(table, set())),
            frozenset(joined[table]),
            frozenset(ranged[table]),
            frozenset(written.get(table, ())),
            is_write=table in written or table in inserted or table in _tables_deleted_from(tree, names),
            is_insert=table in inserted,
        )


class _Names:
    """The tables of one statement, and which of them a column belongs to."""

    def __init__(self, tree: exp.Expr, columns_of: Mapping[str, frozenset[str]], names: TableNames) -> None:
        self._columns_of = columns_of
        self._names = names
        self._by_alias: dict[str, str | None] = {}
        self.tables: list[str] = []
        nodes = list(tree.find_all(exp.Table))
        self._aliases = make_table_names(node.alias or node.name for node in nodes)
        for node in nodes:
            name = self.key_of(node)
            if name not in columns_of:
                continue
            alias = self._aliases.key_of(node.alias or node.name)
            self._by_alias[alias] = name if self._by_alias.get(alias, name) == name else None
            if name not in self.tables:
                self.tables.append(name)

    def key_of(self, table: exp.Table) -> str:
        return self._names.key_of(table.name)

    def table_called(self, alias: str) -> str:
        """The table of an alias, or of the name itself."""
        return self._by_alias.get(self._aliases.key_of(alias)) or self._names.key_of(alias)

    def find(self, node: exp.Expr) -> TableColumn | None:
        """Of a column; None for anything else, and where it is not clear which table has it."""
        if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
            return None
        column = node.name.lower()
        if node.table:
            table = self._by_alias.get(self._aliases.key_of(node.table))
            return (table, column) if table is not None and column in self._columns_of[table] else None
        having = [table for table in self.tables if column in self._columns_of[table]]
        return (having[0], column) if len(having) == 1 else None


def _equal_pairs(tree: exp.Expr, names: _Names) -> Iterator[tuple[TableColumn, TableColumn | None]]:
    """A column and what it equals: another column, or None for a value or a list of values."""
    for node in tree.find_all(exp.EQ, exp.NullSafeEQ, exp.In):
        if _is_doubtful(node):
            continue
        mine = names.find(node.this)
        if isinstance(node, exp.In):
            query = node.args.get("query")
            if mine is None:
                continue
            if query is None and all(isinstance(one, _VALUES) for one in node.expressions):
                yield mine, None
            elif query is not None and (other := _only_column(query, names)) is not None:
                yield mine, other
            continue
        other = names.find(node.expression)
        if mine is None:
            mine, other = other, None
            if mine is None or not _is_value(node.this):
                continue
        elif other is None and not _is_value(node.expression):
            continue
        yield mine, other


def _columns_in_ranges(tree: exp.Expr, names: _Names) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for node in tree.find_all(exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between):
        column = names.find(node.this)
        if column is not None and not _is_doubtful(node):
            found[column[0]].add(column[1])
    return found


def _is_value(node: exp.Expr) -> bool:
    """Whether it is the same for the whole statement: no column is in it, and no query."""
    return not any(isinstance(one, (exp.Column, exp.Query)) for one in node.walk())


def _is_doubtful(node: exp.Expr) -> bool:
    """Whether the comparison is one of several of which any may hold, or part of an assignment or a value."""
    at = node.parent
    while at is not None and not isinstance(at, (exp.Where, exp.Join, exp.Having)):
        if not isinstance(at, (exp.And, exp.Paren)):
            return True
        at = at.parent
    return at is None


def _only_column(query: exp.Expr, names: _Names) -> TableColumn | None:
    select = query.find(exp.Select)
    if select is None or len(select.expressions) != 1:
        return None
    return names.find(select.expressions[0].unalias())


def _columns_written(tree: exp.Expr, names: _Names) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    if isinstance(tree, exp.Update):
        for part in tree.expressions:
            where = names.find(part.this) if isinstance(part, exp.EQ) else None
            if where is not None:
                found[where[0]].add(where[1])
    if isinstance(tree, exp.Insert) and tree.args.get("conflict") is not None and names.tables:
        for part in tree.args["conflict"].expressions:
            if not _keeps(part):
                found[names.tables[0]].add(part.this.name.lower())
    return found


def _keeps(part: exp.Expr) -> bool:
    """Whether ON DUPLICATE KEY UPDATE gives the column itself, which changes nothing."""
    value = part.expression
    return isinstance(value, exp.Column) and value.name.lower() == part.this.name.lower()


def _columns_inserted(tree: exp.Expr, names: _Names) -> Mapping[str, set[str]]:
    if not isinstance(tree, exp.Insert) or not names.tables:
        return {}
    into = tree.find(exp.Table)
    table = names.key_of(into) if into is not None else ""
    if table not in names.tables:
        return {}
    schema = tree.this
    given = {one.name.lower() for one in schema.expressions} if isinstance(schema, exp.Schema) else set()
    return {table: given}


def _tables_deleted_from(tree: exp.Expr, names: _Names) -> set[str]:
    if not isinstance(tree, exp.Delete):
        return set()
    targets = tree.args.get("tables") or ()
    found = {names.table_called(one.name) for one in targets} or set(names.tables[:1])
    return {name for name in found if name in names.tables}
