"""The numbered files of the `ddl:` folder, read and rewritten so that each statement fits every physical table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import sqlglot
from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.ddl.alter.after_changes import after_changes
from shardwright.compiler.ddl.alter.clause import Clause, Kind, Named, Unread
from shardwright.compiler.ddl.alter.effects import additions_of
from shardwright.compiler.ddl.alter.forms import forms_of
from shardwright.compiler.ddl.alter.keys import AddPrimaryKey
from shardwright.compiler.ddl.alter.read import AlterTable, read_alter
from shardwright.compiler.ddl.alter.routing import Routing
from shardwright.compiler.ddl.routing.catching_up import catches_up, part_names
from shardwright.compiler.ddl.routing.character_set_checks import check_character_sets
from shardwright.compiler.ddl.routing.conditional import decide_conditions
from shardwright.compiler.ddl.routing.missing_columns import NamedColumns
from shardwright.compiler.ddl.routing.whole_tables import OwnTables, whole_table
from shardwright.compiler.ddl.shape.rewrite import MAX_NAME, SUFFIX, table_node, too_long, without_comments
from shardwright.compiler.ddl.shape.table_edit import NotCalculable
from shardwright.compiler.ddl.statements.sql_file import FileStatement, first_words, read_statements
from shardwright.compiler.ddl.statements.unread import clause_not_routed
from shardwright.compiler.plan.plan import DdlChange, TablePlan
from shardwright.compiler.schema.names import ALL_CLEAR, UnclearTables
from shardwright.compiler.sql.conditions import is_conditional, unconditional, without_conditions
from shardwright.compiler.sql.mysql_parser import each_added, without_empty_names
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.compiler.sql.sql_tokens import find_lost_words
from shardwright.specs.findings.diagnostics import Findings, Note, Span
from shardwright.specs.findings.wording import did_you_mean

_LOOSE_WORDS = ("only", "not_valid", "check", "cascade", "cluster", "iceberg")
_FILE_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")


def read_changes(
    files: Mapping[str, str],
    *,
    tables: Mapping[str, TablePlan],
    findings: Findings,
    unclear: UnclearTables = ALL_CLEAR,
    creates: Mapping[str, exp.Create] | None = None,
) -> tuple[DdlChange, ...]:
    """The changes in the order they must be applied: by file number, then as they stand in the file (ordinal from 1).

    `files` maps a path, as findings shall name it, to its text. Statements with a finding are left out; nothing that is
    not understood completely becomes a change (hazard E19). `unclear` are logical tables that have an error elsewhere:
    statements about them are only parsed. `creates` are the plan's CREATE TABLEs by logical table: a statement that
    leads to what they say catches up. There are none where the plan has an error: then nothing is said of conditions.
    """
    changes: list[DdlChange] = []
    earlier = {name: _Earlier((creates or {}).get(name)) for name in tables}
    reader = _Reader(tables, findings, unclear, OwnTables(tables, findings, unclear), earlier, bool(creates))
    at_first = len(findings.items)
    for path in _in_order(files, findings):
        before = len(findings.items)
        statements = read_statements(files[path], file=path, findings=findings)
        if not statements and not findings.has_stop_since(before):
            findings.error("SW4202", "this file holds no statement", Span(path, 1, 1))
        for ordinal, statement in enumerate(statements, start=1):
            if statement.tree is not None:
                changes += reader.change(_base_name(path), ordinal, statement)
    if not findings.has_stop_since(at_first):  # a statement that is not understood may have added a column
        for logical, known in earlier.items():
            if known.create is not None:
                known.columns.require(logical, known.create, findings)
    return tuple(changes)


@dataclass(slots=True)
class _Earlier:
    """What is known of a table before a statement: its CREATE TABLE, the columns that changes so far used for an index,
    what they added, and these changes themselves."""

    create: exp.Create | None
    used: frozenset[str] = frozenset()
    added: frozenset[Named] = frozenset()
    templates: tuple[str, ...] = ()
    """The changes so far that its CREATE TABLE does not have."""
    columns: NamedColumns = field(default_factory=NamedColumns)
    """What statements say of its columns."""

    def now(self) -> exp.Create | None:
        """The table after the changes so far; None where that is not known."""
        try:
            return None if self.create is None else after_changes(self.create, self.templates)
        except NotCalculable:
            return None

    def names_in_use(self, wanted: str) -> Iterator[str]:
        """The names of the table's keys, or of its checks, in lower case."""
        named = () if self.create is None else part_names(self.create)
        yield from (name for kind, name in (*named, *self.added, ("index", "primary")) if kind == wanted)


def _in_order(files: Mapping[str, str], findings: Findings) -> list[str]:
    numbered: dict[str, str] = {}
    for path in sorted(files, key=_base_name):
        found = _FILE_NAME.match(_base_name(path))
        span = Span(path, 1, 1)
        if not found:
            findings.error("SW4201", f"'{_base_name(path)}' is not named like 0001_add_note.sql", span)
        elif found[1] in numbered:
            first = Note("the other file", Span(numbered[found[1]], 1, 1))
            findings.error("SW4215", f"two files have the number {found[1]}", span, notes=(first,))
        else:
            numbered[found[1]] = path
    return [numbered[number] for number in sorted(numbered)]


def _base_name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes changes of statements, in the order of the files."""

    tables: Mapping[str, TablePlan]
    """The plan's tables by logical name."""
    findings: Findings
    unclear: UnclearTables
    """Logical tables that have an error elsewhere."""
    own: OwnTables
    """Tables that only these files create."""
    earlier: dict[str, _Earlier]
    """What is known of each table before the next statement."""
    knows_tables: bool
    """Whether the plan's CREATE TABLEs are known."""

    def change(self, file: str, ordinal: int, statement: FileStatement) -> Iterator[DdlChange]:
        tree, span = statement.tree, statement.span
        if tree is not None and (whole := whole_table(tree)) is not None:
            if not isinstance(tree, exp.Command):
                _refuse_words(statement, tree, span, self.findings)
            yield from self.own.change(file, ordinal, statement, whole)
            return
        alter = read_alter(tree)
        if alter is None:
            words, why = first_words(statement.text), clause_not_routed(statement.text)
            said = f"{why}: {words}" if why else f"only statements about tables and indexes can be routed, not {words}"
            self.findings.error("SW4208", said, span)
            return
        table = alter.tree.this
        plan = _resolve_table(
            table, {**self.tables, **self.own.present}, statement.place_of(table.this), self.findings, self.unclear
        )
        if plan is None:
            return
        before = len(self.findings.items)
        _refuse_words(statement, alter.tree, span, self.findings)
        known = self.earlier.setdefault(plan.logical, _Earlier(None))
        known.columns.read(alter, statement)
        is_own = plan.logical not in self.tables
        if not (self.knows_tables or is_own) and is_conditional(alter.tree):
            return
        routing = Routing(plan, span, self.findings, statement.place_of, _adds_key(alter, plan))
        decided = _decide(
            alter.with_clauses(_with_names(alter.clauses, plan.logical, known.names_in_use)), routing, known
        )
        if decided is None:
            return
        catching = catches_up(decided, known.create, known.added)
        routed = _make_physical(decided, replace(routing, is_free=catching or is_own), known)
        if any(item.severity == "error" for item in self.findings.items[before:]):
            return
        # Tables that stand already may have indexes over what they are to lose.
        used = known.used | _names_of_drops(routed) if catching or is_own else known.used
        known.used = routed.columns_used(known.used)
        template = to_sql(routed.tree, "mysql")
        if not catching:
            known.added |= additions_of(template)
            known.templates += (template,)
        destructive = any(clause.destructive for clause in routed.clauses)
        forms = forms_of(routed, used=used)
        yield DdlChange(file, ordinal, plan.logical, template, destructive, *forms, catches_up=catching, own=is_own)


def _with_names(clauses: Iterable[Clause], table: str, taken: Callable[[Kind], Iterable[str]]) -> Iterator[Clause]:
    """Names for the keys and checks that have none: the same on every physical table, so that a resumed apply finds
    them. `taken`: the names that keys, or checks, of the table have, in lower case."""
    known: dict[Kind, set[str]] = {}
    for clause in clauses:
        if (usual := clause.usual_name(table)) is not None:
            kind, name = usual
            names = known.setdefault(kind, set(taken(kind)))
            if name.lower() not in names:
                names.add(name.lower())
                clause = clause.with_name(name)
        yield clause


def _decide(alter: AlterTable, routing: Routing, known: _Earlier) -> AlterTable | None:
    """The statement without conditions. One that leads an older table to the plan's CREATE TABLE keeps all its clauses:
    tables that have it already are found as having it."""
    plain = alter.unconditional()
    is_conditional = any(clause.is_conditional for clause in alter.clauses)
    if not is_conditional or catches_up(plain, known.create, known.added):
        return plain
    decided = decide_conditions(alter, routing, known.now)
    return decided and decided.unconditional()


def _make_physical(alter: AlterTable, routing: Routing, known: _Earlier) -> AlterTable:
    """As it goes to each physical table; findings say why it cannot."""
    tree, table = alter.tree, table_node(routing.plan.logical)
    if any(place.args.get("position") != "FIRST" and not place.this for place in tree.find_all(exp.ColumnPosition)):
        routing.error("SW4203", "AFTER names no column")
    if any(tree.args.get(word) for word in _LOOSE_WORDS):
        routing.error("SW4208", "ALTER TABLE takes no words of this kind before its clauses yet")
    for clause in sorted(alter.clauses, key=lambda clause: not clause.is_option):
        is_odd = any(clause.node.args.get(word) for word in ("cascade", "restrict"))
        (Unread(clause.node) if is_odd else clause).check(routing)
    check_character_sets(alter, routing, known.now)
    routed = alter.with_clauses((clause.physical() for clause in alter.clauses), table=table)
    without_comments(routed.tree.walk())
    names = {item.name for item in routed.tree.find_all(exp.Identifier)}
    for name in sorted(name for name in names if SUFFIX in name or len(name) > MAX_NAME):
        if full := too_long(name, routing.plan.suffixes):
            routing.error("SW4005", f"the name '{full}' has {len(full)} characters; servers allow {MAX_NAME}")
    return routed


def _adds_key(alter: AlterTable, plan: TablePlan) -> bool:
    """Whether it gives the rows' key a primary key again."""
    wanted = {name.lower() for name in plan.key}
    added = (clause.key.whole_columns for clause in alter.clauses if isinstance(clause, AddPrimaryKey))
    return any({name.lower() for name in columns} == wanted for columns in added)


def _names_of_drops(alter: AlterTable) -> frozenset[str]:
    return frozenset(effect.name.lower() for effect in alter.effects() if not effect.present)


def _refuse_words(statement: FileStatement, tree: exp.Expr, span: Span, findings: Findings) -> None:
    if isinstance(tree, exp.Alter) and tree.find(exp.AlterRename):
        return  # refused by name; its word TO is optional
    if SUFFIX in statement.text:
        findings.error("SW4208", f"{SUFFIX} means the suffix in compiled statements: it cannot be written here", span)
    tokens = without_conditions(statement.tokens)
    written = without_empty_names(each_added(tokens))
    printed = unconditional(tree).sql(dialect="mysql")
    if lost := find_lost_words([*written, *_commas_left_out(written, printed, tree)], printed):
        message = f"'{lost.written}' would become '{lost.printed}': write it in that form, if it is what you mean"
        findings.error("SW4207", message if lost.printed else f"'{lost.written}' is not understood here", span)


def _commas_left_out(written: list[Token], printed: str, tree: exp.Expr) -> list[Token]:
    """Between options of a table a comma may be left out: one for each that is printed more."""
    there = [token for token in written if token.token_type is TokenType.COMMA]
    now = [token for token in sqlglot.tokenize(printed, dialect="mysql") if token.token_type is TokenType.COMMA]
    options = tree.args.get("options") or () if isinstance(tree, exp.Alter) else ()
    return now[: min(len(now) - len(there), len(options) - 1)] if len(there) < len(now) and options else []


def _resolve_table(
    table: exp.Table, tables: Mapping[str, TablePlan], span: Span, findings: Findings, unclear: UnclearTables
) -> TablePlan | None:
    if table.args.get("db") or table.args.get("catalog"):
        findings.error(
            "SW4216", f"name the logical table '{table.name}' without a database: it is on every shard", span
        )
        return None
    if table.name not in tables:
        if unclear.any_name or table.name in unclear.names:
            return None
        known = {*tables, *unclear.names}
        hint = did_you_mean(table.name, known) or f"logical tables are: {', '.join(sorted(known))}"
        findings.error("SW4217", f"there is no logical table '{table.name}'", span, hint=hint)
        return None
    return tables[table.name]
