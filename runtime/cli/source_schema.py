"""What is the source's schema, as `import` writes it? CREATE TABLE statements and the tables' triggers.

Runs in the process of the command; reads the source servers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pymysql.connections import Connection

from shardwright.compiler.plan.plan import is_ours
from shardwright.compiler.schema.triggers import read_triggers
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.server_lexer import Kind, create_table, group_brackets, statements_of
from shardwright.compiler.tables.source_tables import is_taken, stays_where_it_is, stems
from shardwright.runtime.ddl.fence_names import is_fence
from shardwright.runtime.failures import Refused
from shardwright.runtime.mysql.transactions import query
from shardwright.specs.spec.model import Spec

_TRIGGERS = (
    "SELECT event_object_table, trigger_name, action_timing, event_manipulation, action_statement "
    "FROM information_schema.triggers WHERE event_object_schema = %s "
    "ORDER BY event_object_table, action_timing, event_manipulation, action_order"
)


def source_triggers(connection: Connection[Any], database: str) -> Mapping[str, tuple[str, ...]]:
    """By table, in the order in which they fire, without those of a cutover's fence. Servers show triggers only to
    accounts with the privilege TRIGGER."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in query(connection, _TRIGGERS, (database,)):
        table, name, timing, event, body = map(str, row)
        if not is_fence(name):
            found[table].append(_statement(table, name, f"{timing} {event}", body=body))
    return {table: tuple(statements) for table, statements in found.items()}


def _statement(table: str, name: str, event: str, *, body: str) -> str:
    """The trigger without its definer, because an account has no meaning in a committed file.

    A body that cannot be read back (other quotes by the server's SQL mode) is replaced by an empty one.
    """
    quoted, on = (sql.identifier(each).sql("mysql") for each in (name, table))
    head = f"CREATE TRIGGER {quoted} {event} ON {on} FOR EACH ROW"
    whole = f"DELIMITER ;;\n{head} {body};;\nDELIMITER ;\n"
    if [(each.name, each.table) for each in read_triggers(whole, file="")] == [(name, table)]:
        return whole
    return f"-- The body of this trigger cannot be read here.\n{head} BEGIN END;\n"


TABLE_TYPES = ("BASE TABLE", "SYSTEM VERSIONED")
_OBJECTS = (
    "SELECT table_name, table_type, table_collation FROM information_schema.tables WHERE table_schema = %s "
    "ORDER BY table_name"
)
_COLLATIONS = (
    "SELECT table_name, column_name, collation_name FROM information_schema.columns "
    "WHERE table_schema = %s AND collation_name IS NOT NULL"
)


@dataclass(slots=True)
class SchemaText:
    """The schema file's text in parts. `forgotten` are tables that no spec takes or ignores."""

    parts: list[str]
    tables: int = 0
    triggers: int = 0
    forgotten: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.parts)


def database_schema(connection: Connection[Any], database: str) -> str:
    """CREATE TABLE of every table of a database that no spec speaks of yet, sorted by name. Empty where it has none."""
    found = query(connection, _OBJECTS, (database,))
    tables = {str(name): str(collation or "") for name, kind, collation in found if str(kind) in TABLE_TYPES}
    creates = _creates(connection, database, {name: known for name, known in tables.items() if not is_ours(name)})
    return "\n".join(f"{create};\n" for create in creates.values())


def _creates(connection: Connection[Any], database: str, names: Mapping[str, str]) -> Mapping[str, str]:
    """The CREATE TABLE of each table with every collation. `names`: the tables, each with its collation."""
    columns: dict[str, dict[str, str]] = defaultdict(dict)
    for table, column, collation in query(connection, _COLLATIONS, (database,)):
        columns[str(table)][str(column)] = str(collation)
    return {
        name: with_collations(_create(connection, database, name), collation, columns=columns[name])
        for name, collation in names.items()
    }


def source_schema(spec: Spec, *, others: Sequence[Spec], connection: Callable[[str], Connection[Any]]) -> SchemaText:
    """CREATE TABLE of every table of the source databases, and the triggers of the tables that the spec takes.

    The first database's tables come first, sorted by name. The parts of a split table are written once, when they are
    alike. `connection` connects to a database's server. Raises Refused (SW8126, SW4321) when a table that the spec
    names is missing or is no table.
    """
    databases = spec.source.databases
    written = SchemaText([f"-- Written by `shardwright import` from database {databases[0]}. Review and commit.\n"])
    there: dict[str, str] = {}
    for database in databases:
        found = query(connection(database), _OBJECTS, (database,))
        objects = {str(name): str(kind) for name, kind, _ in found if not is_ours(str(name))}
        new = [name for name, kind in objects.items() if kind in TABLE_TYPES and there.get(name) not in TABLE_TYPES]
        collations = {str(name): str(collation) for name, _, collation in found if collation is not None}
        _write_tables(written, spec, connection(database), database, {name: collations.get(name, "") for name in new})
        there |= objects | {name: there[name] for name in there if there[name] in TABLE_TYPES}
        written.forgotten += (
            f"{database}.{name}"
            for name in new
            if not is_taken(spec, name) and not stays_where_it_is(spec, name, others=others)
        )
    _require_named(spec, there)
    return written


def _require_named(spec: Spec, there: Mapping[str, str]) -> None:
    stem_of = stems(spec.source.tables_suffix)
    kinds: dict[str, str] = {}
    for name, kind in there.items():
        for called in (name, stem_of(name) or name):
            if kinds.get(called) not in TABLE_TYPES:
                kinds[called] = kind
    for entry in spec.tables:
        found = kinds.get(entry.table)
        place = f"{spec.source.databases[0]}.{entry.table}"
        if entry.is_pattern or found in TABLE_TYPES:
            continue
        if found is None:
            raise Refused("SW8126", f"table {place} does not exist on the source")
        what = f"a {found.lower()}" if found in ("VIEW", "SEQUENCE") else f"no table but {found.lower()}"
        raise Refused(
            "SW4321", f"{place} is {what} on the source: only tables are moved, leave its entry out of the spec"
        )


def _write_tables(
    written: SchemaText, spec: Spec, connection: Connection[Any], database: str, names: Mapping[str, str]
) -> None:
    """`names`: the tables, each with its collation."""
    stem_of = stems(spec.source.tables_suffix)
    families: dict[str, dict[str, str]] = {}
    for name, create in _creates(connection, database, names).items():
        families.setdefault(stem_of(name) or name, {})[name] = create
    triggers = source_triggers(connection, database)
    for tables in families.values():
        for name, text in _describe(tables).items():
            own = triggers.get(name, ()) if is_taken(spec, name) else ()
            written.parts += [text, *own]
            written.tables += 1
            written.triggers += len(own)


def _create(connection: Connection[Any], database: str, name: str) -> str:
    statement = f"SHOW CREATE TABLE {sql.table(name, database=database).sql(dialect='mysql')}"
    return without_counter(str(query(connection, statement)[0][1]))


def without_counter(create: str) -> str:
    """The statement without the table option AUTO_INCREMENT, whose value changes every day."""
    table = create_table(next(statements_of(create), []))
    options = group_brackets(table.options) if table is not None else []
    for number, (word, *_) in enumerate(options):
        before = options[number - 1][-1].end if number else word.start
        if word.upper == "AUTO_INCREMENT" and number + 2 < len(options) and options[number + 1][0].upper == "=":
            return create[:before] + create[options[number + 2][-1].end :]
        if word.upper == "PARTITION":
            break
    return create


def with_collations(create: str, collation: str, *, columns: Mapping[str, str]) -> str:
    """The statement with the collations that it leaves out: servers print none that is the default of its character
    set, and which one that is depends on the server. `collation` is the table's, `columns` those of its columns."""
    table = create_table(next(statements_of(create), []))
    if table is None:
        return create
    added: list[tuple[int, str]] = []
    options = group_brackets(table.options)
    names = [group[0].upper for group in options]
    if collation and "CHARSET" in names and "COLLATE" not in names:
        at = names.index("CHARSET") + 2
        if at < len(options):
            added.append((options[at][-1].end, f" COLLATE={collation}"))
    for element in table.elements:
        words = [group[0] for group in group_brackets(element)]
        its = [word.upper for word in words]
        if words[0].kind is Kind.NAME and words[0].text in columns and "SET" in its and "COLLATE" not in its:
            at = its.index("SET") + 1
            if its[at - 2] == "CHARACTER" and at < len(words):
                added.append((words[at].end, f" COLLATE {columns[words[0].text]}"))
    for end, text in sorted(added, reverse=True):
        create = create[:end] + text + create[end:]
    return create


def _after_name(create: str) -> str:
    table = create_table(next(statements_of(create), []))
    return create[table.opening.start :] if table is not None else create


def _describe(tables: Mapping[str, str]) -> Mapping[str, str]:
    """The statements by name: one for all tables when they differ in name only, otherwise each."""
    shapes = {_after_name(create) for create in tables.values()}
    (first, create), *others = tables.items()
    if len(shapes) > 1 or not others:
        return {name: f"{create};\n" for name, create in tables.items()}
    return {first: f"-- {len(tables)} tables like this one, from {first} to {others[-1][0]}.\n{create};\n"}
