"""The numbered files of the `ddl:` folder, read and rewritten so that each statement fits every physical table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import sqlglot
from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from shardwright.compiler.ddl.actions import (
    ActionCheck,
    Outcome,
    adds_key,
    check_statement,
    table_of,
)
from shardwright.compiler.ddl.after_changes import NotReckoned, after_changes
from shardwright.compiler.ddl.catching_up import Named, added_by, catches_up, effects_in, named_in
from shardwright.compiler.ddl.character_set_checks import check_character_sets
from shardwright.compiler.ddl.classes import forms_of
from shardwright.compiler.ddl.clauses import columns_used
from shardwright.compiler.ddl.conditional import without_conditions_of
from shardwright.compiler.ddl.missing_columns import NamedColumns
from shardwright.compiler.ddl.rewrite import MAX_NAME, SUFFIX, table_node, too_long, without_comments
from shardwright.compiler.ddl.sql_file import FileStatement, first_words, read_statements
from shardwright.compiler.ddl.unnamed import name_checks, name_keys
from shardwright.compiler.ddl.unread import clause_not_routed
from shardwright.compiler.ddl.whole_tables import OwnTables, whole_table
from shardwright.compiler.plan.plan import DdlChange, TablePlan
from shardwright.compiler.schema.names import ALL_CLEAR, UnclearTables
from shardwright.compiler.sql.conditions import is_conditional, unconditional, without_conditions
from shardwright.compiler.sql.mysql_parser import each_added, without_empty_names
from shardwright.compiler.sql.sql_text import to_sql
from shardwright.compiler.sql.sql_tokens import lost_words
from shardwright.specs.findings.diagnostics import Findings, Note, Span
from shardwright.specs.findings.wording import did_you_mean

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
        if not statements and not findings.stopped_since(before):
            findings.error("SW4202", "this file holds no statement", Span(path, 1, 1))
        for ordinal, statement in enumerate(statements, start=1):
            if statement.tree is not None:
                changes += reader.change(_base_name(path), ordinal, statement)
    if not findings.stopped_since(at_first):  # a statement that is not understood may have added a column
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
        except NotReckoned:
            return None

    def keys(self) -> Iterator[str]:
        """The names of the table's keys, in lower case."""
        return self._named("index")

    def checks(self) -> Iterator[str]:
        return self._named("check")

    def _named(self, wanted: str) -> Iterator[str]:
        named = () if self.create is None else named_in(self.create)
        yield from (name for kind, name in (*named, *self.added) if kind == wanted)


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
        table = table_of(tree) if tree is not None else None
        if tree is None or table is None:
            words, why = first_words(statement.text), clause_not_routed(statement.text)
            said = f"{why}: {words}" if why else f"only statements about tables and indexes can be routed, not {words}"
            self.findings.error("SW4208", said, span)
            return
        plan = _known_table(
            table, {**self.tables, **self.own.standing}, statement.place_of(table.this), self.findings, self.unclear
        )
        if plan is None:
            return
        is_own = plan.logical not in self.tables
        before = len(self.findings.items)
        _refuse_words(statement, tree, span, self.findings)
        known = self.earlier.setdefault(plan.logical, _Earlier(None))
        known.columns.read(tree, statement)
        check = ActionCheck(plan, span, self.findings, statement.place_of, adds_key_again=adds_key(tree, plan))
        name_keys(tree, known.keys)
        name_checks(tree, plan.logical, known.checks)
        if not (self.knows_tables or is_own) and is_conditional(tree):
            return
        tree = without_conditions_of(tree, check, known.create, known.added, known.now)
        table = table_of(tree) if tree is not None else None
        if tree is None or table is None:
            return
        catching = catches_up(tree, known.create, known.added)
        check = replace(check, is_free=catching or is_own)
        outcome = Outcome()
        check_statement(tree, check, outcome)
        check_character_sets(tree, check, known.now)
        table.replace(table_node(plan.logical))
        without_comments(tree.walk())
        for name in sorted(
            {i.name for i in tree.find_all(exp.Identifier) if SUFFIX in i.name or len(i.name) > MAX_NAME}
        ):
            if full := too_long(name, plan.suffixes):
                check.error("SW4005", f"the name '{full}' has {len(full)} characters; servers allow {MAX_NAME}")
        if any(item.severity == "error" for item in self.findings.items[before:]):
            return
        # Tables that stand already may have indexes over what they are to lose.
        used = known.used | _dropped(tree) if catching or is_own else known.used
        template, forms = to_sql(tree, "mysql"), forms_of(tree, used=used)
        if isinstance(tree, exp.Alter):
            known.used = columns_used(tree, known.used)
        change = DdlChange(
            file, ordinal, plan.logical, template, outcome.destructive, *forms, catches_up=catching, own=is_own
        )
        if not catching:
            known.added |= added_by(change)
            known.templates += (template,)
        yield change


def _dropped(tree: exp.Expr) -> frozenset[str]:
    return frozenset(effect.name.lower() for effect in effects_in(tree) if not effect.present)


def _refuse_words(statement: FileStatement, tree: exp.Expr, span: Span, findings: Findings) -> None:
    if isinstance(tree, exp.Alter) and tree.find(exp.AlterRename):
        return  # refused by name; its word TO is optional
    if SUFFIX in statement.text:
        findings.error("SW4208", f"{SUFFIX} means the suffix in compiled statements: it cannot be written here", span)
    tokens = without_conditions(statement.tokens)
    written = without_empty_names(each_added(tokens))
    printed = unconditional(tree).sql(dialect="mysql")
    if lost := lost_words([*written, *_commas_left_out(written, printed, tree)], printed):
        message = f"'{lost.written}' would become '{lost.printed}': write it in that form, if it is what you mean"
        findings.error("SW4207", message if lost.printed else f"'{lost.written}' is not understood here", span)


def _commas_left_out(written: list[Token], printed: str, tree: exp.Expr) -> list[Token]:
    """Between options of a table a comma may be left out: one for each that is printed more."""
    there = [token for token in written if token.token_type is TokenType.COMMA]
    now = [token for token in sqlglot.tokenize(printed, dialect="mysql") if token.token_type is TokenType.COMMA]
    options = tree.args.get("options") or () if isinstance(tree, exp.Alter) else ()
    return now[: min(len(now) - len(there), len(options) - 1)] if len(there) < len(now) and options else []


def _known_table(
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
