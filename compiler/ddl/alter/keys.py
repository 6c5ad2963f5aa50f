"""The clauses about keys, indexes and checks."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import ClassVar

from sqlglot import exp

from shardwright.compiler.ddl.alter.clause import Clause, Drop, Effect, KeyPart, Kind, Named, NotReckoned
from shardwright.compiler.ddl.alter.cost import Cost
from shardwright.compiler.ddl.alter.routing import FOREIGN_KEY_HINT, Routing, why_no_foreign_key
from shardwright.compiler.ddl.rewrite import SUFFIX, suffixed
from shardwright.compiler.ddl.shape.table_edit import drop_key, keys_named, plain_part
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.ddl.source.source_side import SourceSide
from shardwright.compiler.sql.named_columns import columns_in

_NAMES = (exp.Column, exp.ColumnPrefix, exp.Identifier)
_TOOLS_KEY = "it changes the primary key, by which the tools distinguish rows"


class AddKey(Clause):
    """ADD of one key or check, which CONSTRAINT may name. Its node has that as its only expression."""

    node: exp.AddConstraint
    kind: ClassVar[Kind] = "index"

    @property
    def element(self) -> exp.Expr:
        element = self.node.expressions[0]
        assert isinstance(element, exp.Expr)
        return element

    @property
    def inner(self) -> exp.Expr:
        """The key itself, without the CONSTRAINT around it."""
        inner = self.element.expressions[0] if isinstance(self.element, exp.Constraint) else self.element
        assert isinstance(inner, exp.Expr)
        return inner

    @property
    def holder(self) -> exp.Expr:
        """What has its name and its parts."""
        return self.inner

    @property
    def name(self) -> str:
        """'' where it has none."""
        return str(self.holder.name)

    @property
    def parts(self) -> list[exp.Expr]:
        return [plain_part(part) for part in self.holder.expressions]

    def effects(self) -> Iterator[Effect]:
        parts = tuple(map(_key_part, self.parts))
        yield Effect(self.kind, self.name, True, parts, if_absent=self.is_conditional)

    def required(self) -> Iterator[exp.Expr]:
        """None of those in expressions."""
        yield from (name for part in self.parts if isinstance(part, _NAMES) for name in columns_in(part))

    def columns_used(self, before: Set[str]) -> Iterator[str]:
        yield from (name.name.lower() for name in columns_in(self.node))

    def usual_name(self, table: str) -> tuple[Kind, str] | None:
        """As servers name it where that is free: by its first column."""
        first = next(iter(self.parts), None)
        return None if self.name or not isinstance(first, _NAMES) else ("index", first.name)

    def named(self, name: str) -> Clause:
        made = type(self)(self.node.copy())
        made.holder.set("this", exp.to_identifier(name, quoted=True))
        return made

    def check(self, routing: Routing) -> None:
        if not self.name:
            what, hint = "check" if self.kind == "check" else "key", "a name is how a resumed run finds it"
            routing.error("SW4219", f"give the {what} a name: {self.element.sql('mysql')}", hint)

    def apply(self, table: exp.Create) -> None:
        table.this.append("expressions", self.element.copy())

    def restate(self, table: exp.Create) -> bool:
        """The key or check of the same name becomes this one."""
        for part in table.this.expressions:
            other = key_of(exp.AddConstraint(expressions=[part.copy()]))
            if other is not None and other.names_without_suffix() & self.names_without_suffix():
                part.replace(self.element.copy())
                return True
        return False

    def names_without_suffix(self) -> frozenset[Named]:
        return frozenset((effect.kind, effect.name.lower().removesuffix(SUFFIX)) for effect in self.effects())


def _key_part(part: exp.Expr) -> KeyPart:
    if isinstance(part, exp.ColumnPrefix):
        return part.this.name.lower(), int(part.expression.name)
    return (part.name.lower(), None) if isinstance(part, _NAMES) else ("", None)


def key_of(node: exp.AddConstraint) -> AddKey | None:
    """`node` adds one element. None where that is no key or check that is understood."""
    element = node.expressions[0]
    inner = element.expressions[0] if isinstance(element, exp.Constraint) else element
    match inner:
        case exp.PrimaryKey():
            return AddPrimaryKey(node)
        case exp.UniqueColumnConstraint() if isinstance(inner.this, exp.Schema):
            return AddUnique(node)
        case exp.IndexColumnConstraint():
            return AddIndex(node)
        case exp.CheckColumnConstraint():
            return AddCheck(node)
        case exp.ForeignKey():
            return AddForeignKey(node)
        case _:
            return None


class AddPrimaryKey(AddKey):
    @property
    def name(self) -> str:
        return "PRIMARY"

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.PRIMARY_KEY

    def follow(self, source: SourceSide) -> None:
        if not source.goes_by(part.name for part in self.parts):
            raise _belongs_in_a_plan(self)
        source.words.append("a primary key is added, by which the plan goes already")


def _belongs_in_a_plan(key: AddKey) -> CannotFollow:
    message = f"ADD {key.element.sql('mysql')}: keys that distinguish rows belong in a compiled plan"
    return CannotFollow("SW8544", message)


class AddIndex(AddKey):
    """One that allows duplicates."""

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        by_word = {"FULLTEXT": Cost.ADD_FULLTEXT, "SPATIAL": Cost.ADD_SPATIAL}
        plain = all(isinstance(part, _NAMES) for part in self.parts)
        word = str(self.inner.args.get("kind") or "").upper()
        yield by_word.get(word) or (Cost.ADD_INDEX if plain else Cost.ADD_FUNCTIONAL_INDEX)

    def follow(self, source: SourceSide) -> None:
        source.add_index(self.element, self.name, is_conditional=self.is_conditional)


class AddUnique(AddKey):
    @property
    def holder(self) -> exp.Expr:
        schema = self.inner.this
        assert isinstance(schema, exp.Schema)
        return schema

    @property
    def name(self) -> str:
        return self.holder.this.name if self.holder.this else str(self.element.name)

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        plain = all(isinstance(part, _NAMES) for part in self.parts)
        yield Cost.ADD_INDEX if plain else Cost.ADD_FUNCTIONAL_UNIQUE

    def check(self, routing: Routing) -> None:
        AddKey.check(self, routing)
        routing.warn_unique()

    def follow(self, source: SourceSide) -> None:
        # The plan's statements do not know it, so the targets must not have it; they need none: no two rows of the
        # source collide. That holds as well where IF NOT EXISTS did nothing.
        source.words.append("a unique key is added, not on the targets: the source keeps its rows apart")
        source.left.append(f"ADD {self.element.sql('mysql')}")


class AddCheck(AddKey):
    kind = "check"

    @property
    def name(self) -> str:
        return self.element.name if isinstance(self.element, exp.Constraint) else ""

    @property
    def parts(self) -> list[exp.Expr]:
        return []

    def effects(self) -> Iterator[Effect]:
        if self.name:
            yield from AddKey.effects(self)

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.ADD_CHECK

    def usual_name(self, table: str) -> tuple[Kind, str] | None:
        """Of the table and the check's first column. MySQL has the names of checks once in a database, and servers
        number those without a name, each in its own way."""
        column = next(columns_in(self.inner), None)
        return None if self.name or column is None else ("check", f"{table}_{column.name}_check")

    def named(self, name: str) -> Clause:
        named = exp.Constraint(this=exp.to_identifier(name, quoted=True), expressions=[self.element.copy()])
        return AddCheck(exp.AddConstraint(expressions=[named], exists=self.node.args.get("exists")))

    def physical(self) -> Clause:
        if not self.name:
            return self
        made = self.node.copy()
        made.expressions[0].set("this", suffixed(self.element.this))
        return AddCheck(made)

    def follow(self, source: SourceSide) -> None:
        source.words.append("a CHECK is added, not on the targets: the source has checked each row")


class AddForeignKey(AddKey):
    @property
    def parts(self) -> list[exp.Expr]:
        return []

    def effects(self) -> Iterator[Effect]:
        yield from ()

    def check(self, routing: Routing) -> None:
        routing.error("SW4209", why_no_foreign_key(self.element), FOREIGN_KEY_HINT, at=self.element)

    def follow(self, source: SourceSide) -> None:
        raise CannotFollow(
            "SW8544",
            f"ADD {self.element.sql('mysql')}: the targets must have no foreign key (SW8142), and rows that this one "
            "changes by CASCADE are in no log",
        )


class DropPrimaryKey(Clause):
    destructive = True
    verb = "drop"

    def effects(self) -> Iterator[Effect]:
        yield Effect("index", "PRIMARY", False)

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.PRIMARY_KEY

    def why_no_tool(self) -> str:
        return _TOOLS_KEY

    def check(self, routing: Routing) -> None:
        if routing.plan.key and not routing.adds_key_again:
            message = "rows are found by their key: DROP PRIMARY KEY needs ADD PRIMARY KEY over it beside it"
            routing.error("SW4212", message)

    def apply(self, table: exp.Create) -> None:
        keys = [part for part in table.this.expressions if isinstance(part, exp.PrimaryKey)]
        if not keys:
            raise NotReckoned(self.sql)
        keys[0].pop()

    def restate(self, table: exp.Create) -> bool:
        return True


class DropIndex(Drop):
    kind = "index"

    @property
    def is_primary(self) -> bool:
        return bool(self.target.name.upper() == "PRIMARY")

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.PRIMARY_KEY if self.is_primary else Cost.DROP_INDEX

    def why_no_tool(self) -> str:
        return _TOOLS_KEY if self.is_primary else Clause.why_no_tool(self)

    def check_target(self, routing: Routing) -> None:
        routing.refuse_lost_key(self.target)

    def apply(self, table: exp.Create) -> None:
        if self.is_primary:
            DropPrimaryKey(self.node).apply(table)
            return
        keys = keys_named(table, self.target.name)
        if not keys:
            raise NotReckoned(self.sql)
        for key in keys:
            drop_key(key)

    def follow(self, source: SourceSide) -> None:
        source.drop_index(self.target.name)


class DropCheck(Drop):
    """DROP CHECK, DROP CONSTRAINT."""

    kind = "check"

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.DROP_CHECK

    def physical(self) -> Clause:
        made = self.node.copy()
        made.args["tables"][0].set("this", suffixed(self.target.this))
        return DropCheck(made)

    def apply(self, table: exp.Create) -> None:
        parts = [p for p in table.this.expressions if isinstance(p, exp.Constraint) and p.name == self.target.name]
        if not parts:
            raise NotReckoned(self.sql)
        for part in parts:
            part.pop()

    def follow(self, source: SourceSide) -> None:
        if self.node.args["kind"] == "CONSTRAINT":  # which may be a unique key
            Clause.follow(self, source)
        source.words.append(f"the constraint {self.target.name} goes, which no target has")


class DropForeignKey(Drop):
    def effects(self) -> Iterator[Effect]:
        yield from ()

    def check_target(self, routing: Routing) -> None:
        hint = "leave the clause out; a key that was added by hand is dropped by hand"
        routing.error("SW4209", f"the shards have no foreign key '{self.target.name}' of ours", hint)

    def apply(self, table: exp.Create) -> None:
        raise NotReckoned(self.sql)

    def restate(self, table: exp.Create) -> bool:
        return False

    def follow(self, source: SourceSide) -> None:
        source.words.append(f"the constraint {self.target.name} goes, which no target has")


class RenameIndex(Clause):
    node: exp.RenameIndex
    verb = "rename"

    def effects(self) -> Iterator[Effect]:
        yield Effect("index", self.node.this.name, False)

    def names(self) -> frozenset[Named]:
        return frozenset({("index", self.node.this.name.lower()), ("index", self.node.args["to"].name.lower())})

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.RENAME_INDEX

    def check(self, routing: Routing) -> None:
        pass

    def apply(self, table: exp.Create) -> None:
        for key in keys_named(table, self.node.this.name):
            key.set("this", self.node.args["to"].copy())

    def follow(self, source: SourceSide) -> None:
        source.rename_index(self.node.this.name, self.node.args["to"].name)


class AlterIndex(Clause):
    """VISIBLE, INVISIBLE."""

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield Cost.INDEX_VISIBILITY

    def check(self, routing: Routing) -> None:
        pass

    def follow(self, source: SourceSide) -> None:
        source.words.append("its rows stay as they are")
