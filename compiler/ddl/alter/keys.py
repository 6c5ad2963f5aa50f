"""The clauses about keys, indexes and checks."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.alter.clause import Change, Clause, Drop, Effect, Kind, Named
from shardwright.compiler.ddl.alter.cost import Cost
from shardwright.compiler.ddl.alter.routing import FOREIGN_KEY_HINT, Routing, why_no_foreign_key
from shardwright.compiler.ddl.shape.rewrite import SUFFIX, add_suffix
from shardwright.compiler.ddl.shape.table_edit import NotCalculable, drop_elements, keys_named
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.ddl.source.source_side import SourceSide
from shardwright.compiler.sql.named_columns import columns_in
from shardwright.compiler.sql.table_keys import TableKey, column_of_part, length_of_part, read_key

_TOOLS_KEY = "it changes the primary key, by which the tools distinguish rows"


@dataclass(frozen=True, slots=True)
class AddKey(Clause):
    """ADD of one key or check, which CONSTRAINT may name. Its node has that as its only expression."""

    key: TableKey

    @property
    def name(self) -> str:
        """'' where it has none."""
        return self.key.name

    @property
    def sql(self) -> str:
        return f"ADD {self.key.element.sql('mysql')}"

    def effects(self) -> Iterator[Effect]:
        lengths = map(length_of_part, self.key.parts)
        parts = tuple((column.lower(), length) for column, length in zip(self.key.columns, lengths, strict=True))
        yield Effect("index", self.name, True, parts, if_absent=self.is_conditional)

    def prerequisites(self) -> Iterator[exp.Expr]:
        """None of those in expressions."""
        yield from filter(None, map(column_of_part, self.key.parts))

    def columns_used(self, before: Set[str]) -> Iterator[str]:
        yield from (name.name.lower() for name in columns_in(self.node))

    def usual_name(self, table: str) -> tuple[Kind, str] | None:
        """As servers name it where that is free: by its first column."""
        first = next(iter(self.key.columns), "")
        return ("index", first) if first and not self.name else None

    def with_name(self, name: str) -> Clause:
        key = read_key(self.key.element.copy())
        assert key is not None
        key.holder.set("this", exp.to_identifier(name, quoted=True))
        return self.with_element(key.element)

    def with_element(self, element: exp.Expr) -> AddKey:
        """The same with another element."""
        key = read_key(element)
        assert key is not None
        return type(self)(exp.AddConstraint(expressions=[element], exists=self.is_conditional or None), key)

    def check(self, routing: Routing) -> None:
        if not self.name:
            what, hint = "check" if self.key.kind == "check" else "key", "a name is how a resumed run finds it"
            routing.error("SW4219", f"give the {what} a name: {self.key.element.sql('mysql')}", hint)

    def apply(self, table: exp.Create) -> None:
        table.this.append("expressions", self.key.element.copy())

    def restate(self, table: exp.Create) -> None:
        """The key or check of the same name becomes this one."""
        for part in table.this.expressions:
            there = read_key(part)
            if there is not None and self.names_without_suffix() & _of(there, self.node).names_without_suffix():
                part.replace(self.key.element.copy())
                return
        raise NotCalculable

    def names_without_suffix(self) -> frozenset[Named]:
        return frozenset((kind, name.removesuffix(SUFFIX)) for kind, name in self.names())

    def is_over_columns(self) -> bool:
        """Whether no part of it is an expression."""
        return all(self.key.columns)


def add_key(node: exp.AddConstraint) -> AddKey | None:
    """`node` adds one element. None where that is no key or check that is understood."""
    key = read_key(node.expressions[0])
    return None if key is None or (key.kind == "unique key" and not key.parts) else _of(key, node)


def _of(key: TableKey, node: exp.Expr) -> AddKey:
    return _KINDS[key.kind](node, key)


class AddPrimaryKey(AddKey):
    cost = Cost.PRIMARY_KEY

    @property
    def name(self) -> str:
        return "PRIMARY"

    def follow(self, source: SourceSide) -> None:
        if not (self.key.whole_columns and source.goes_by(self.key.whole_columns)):
            raise CannotFollow("SW8544", f"{self.sql}: keys that distinguish rows belong in a compiled plan")
        source.words.append("a primary key is added, by which the plan goes already")


class AddIndex(AddKey):
    """One that allows duplicates."""

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        by_word = {"FULLTEXT": Cost.ADD_FULLTEXT, "SPATIAL": Cost.ADD_SPATIAL}
        usual = Cost.ADD_INDEX if self.is_over_columns() else Cost.ADD_FUNCTIONAL_INDEX
        yield by_word.get(str(self.key.inner.args.get("kind")).upper(), usual)

    def follow(self, source: SourceSide) -> None:
        source.add_index(self.key.element, self.name, is_conditional=self.is_conditional)


class AddUnique(AddKey):
    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.ADD_INDEX if self.is_over_columns() else Cost.ADD_FUNCTIONAL_UNIQUE

    def check(self, routing: Routing) -> None:
        AddKey.check(self, routing)
        routing.warn_unique()

    def follow(self, source: SourceSide) -> None:
        # The plan's statements do not know it, so the targets must not have it; they need none: no two rows of the
        # source collide. That holds as well where IF NOT EXISTS did nothing.
        source.words.append("a unique key is added, not on the targets: the source keeps its rows apart")
        source.left.append(self.sql)


class AddCheck(AddKey):
    cost = Cost.ADD_CHECK
    leaves_rows = "a CHECK is added, not on the targets: the source has checked each row"

    def effects(self) -> Iterator[Effect]:
        if self.name:
            yield Effect("check", self.name, True, if_absent=self.is_conditional)

    def prerequisites(self) -> Iterator[exp.Expr]:
        yield from ()

    def usual_name(self, table: str) -> tuple[Kind, str] | None:
        """Of the table and the check's first column. MySQL has the names of checks once in a database, and servers
        number those without a name, each in its own way."""
        column = next(columns_in(self.key.inner), None)
        return None if self.name or column is None else ("check", f"{table}_{column.name}_check")

    def with_name(self, name: str) -> AddKey:
        check = exp.Constraint(this=exp.to_identifier(name, quoted=True), expressions=[self.key.inner.copy()])
        return self.with_element(check)

    def physical(self) -> Clause:
        return self.with_name(self.name + SUFFIX) if self.name else self


class AddForeignKey(AddKey):
    def effects(self) -> Iterator[Effect]:
        yield from ()

    def check(self, routing: Routing) -> None:
        routing.error("SW4209", why_no_foreign_key(self.node), FOREIGN_KEY_HINT, at=self.node)

    def follow(self, source: SourceSide) -> None:
        why = "the targets must have no foreign key (SW8142), and rows that this one changes by CASCADE are in no log"
        raise CannotFollow("SW8544", f"{self.sql}: {why}")


_KINDS: dict[str, type[AddKey]] = {
    "primary key": AddPrimaryKey,
    "unique key": AddUnique,
    "index": AddIndex,
    "check": AddCheck,
    "foreign key": AddForeignKey,
}


class DropIndex(Drop):
    kind = "index"

    @property
    def is_primary(self) -> bool:
        return bool(self.target.name.upper() == "PRIMARY")

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.PRIMARY_KEY if self.is_primary else Cost.DROP_INDEX

    def why_no_tool(self) -> str:
        return _TOOLS_KEY if self.is_primary else ""

    def check(self, routing: Routing) -> None:
        routing.refuse_lost_key(self.target)

    def apply(self, table: exp.Create) -> None:
        drop_elements([key.element for key in keys_named(table, self.target.name)])

    def follow(self, source: SourceSide) -> None:
        source.drop_index(self.target.name)


class DropPrimaryKey(DropIndex):
    """`target` is PRIMARY."""

    def check(self, routing: Routing) -> None:
        if routing.plan.key and not routing.adds_key_again:
            message = "rows are found by their key: DROP PRIMARY KEY needs ADD PRIMARY KEY over it beside it"
            routing.error("SW4212", message)

    def follow(self, source: SourceSide) -> None:
        Clause.follow(self, source)


class DropCheck(Drop):
    """DROP CHECK, DROP CONSTRAINT."""

    kind = "check"
    cost = Cost.DROP_CHECK

    def physical(self) -> Clause:
        made = self.node.copy()
        made.args["tables"][0].set("this", add_suffix(self.target.this))
        return DropCheck(made, made.args["tables"][0])

    def apply(self, table: exp.Create) -> None:
        named = (part for part in table.this.expressions if isinstance(part, exp.Constraint))
        drop_elements([part for part in named if part.name == self.target.name])

    def follow(self, source: SourceSide) -> None:
        if self.node.args["kind"] == "CONSTRAINT":  # which may be a unique key
            Clause.follow(self, source)
        source.words.append(f"the constraint {self.target.name} goes, which no target has")


class DropForeignKey(Drop):
    def effects(self) -> Iterator[Effect]:
        yield from ()

    def check(self, routing: Routing) -> None:
        hint = "leave the clause out; a key that was added by hand is dropped by hand"
        routing.error("SW4209", f"the shards have no foreign key '{self.target.name}' of ours", hint)

    def restate(self, table: exp.Create) -> None:
        raise NotCalculable

    def follow(self, source: SourceSide) -> None:
        source.words.append(f"the constraint {self.target.name} goes, which no target has")


class RenameIndex(Change):
    kind = "index"
    verb = "rename"
    cost = Cost.RENAME_INDEX

    def effects(self) -> Iterator[Effect]:
        yield Effect("index", self.old.name, False)

    def apply(self, table: exp.Create) -> None:
        for key in keys_named(table, self.old.name):
            if key.kind != "primary key":
                key.holder.set("this", self.new.copy())

    def follow(self, source: SourceSide) -> None:
        source.rename_index(self.old.name, self.new.name)


class AlterIndex(Clause):
    """VISIBLE, INVISIBLE."""

    cost = Cost.INDEX_VISIBILITY
    leaves_rows = "its rows stay as they are"
