"""What is asked of every clause of an ALTER TABLE, with the answers of one that is not understood."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from sqlglot import exp

from shardwright.compiler.ddl.alter.cost import Cost
from shardwright.compiler.ddl.alter.routing import Routing
from shardwright.compiler.ddl.shape.table_edit import NotCalculable
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.ddl.source.source_side import SourceSide

Kind = Literal["column", "index", "check"]
Named = tuple[Kind, str]
"""A column, index or check by its name in lower case."""
KeyPart = tuple[str, int | None]
"""Column in lower case and the prefix's length; an expression has the column ''."""


@dataclass(frozen=True, slots=True)
class Effect:
    """After the change, `name` is there (with `parts`, for an index) or is gone. `replaces`: one of that name was there
    before, too. `if_absent`: one of that name may be there, however it is."""

    kind: Kind
    name: str
    present: bool
    parts: tuple[KeyPart, ...] = ()
    replaces: bool = False
    if_absent: bool = False

    @property
    def kind_and_name(self) -> Named:
        return self.kind, self.name.lower()


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause, or one table option, of an ALTER TABLE."""

    node: exp.Expr
    """As the parser gives it. Nobody changes it."""

    is_option: ClassVar[bool] = False
    destructive: ClassVar[bool] = False
    verb: ClassVar[str] = ""
    """What it does to something that has to be there; '' where it adds something."""
    cost: ClassVar[Cost] = Cost.OTHER
    leaves_rows: ClassVar[str] = ""
    """In words, what it means at the source, where it changes no row and the targets need nothing of it."""

    @property
    def sql(self) -> str:
        """As people would write it."""
        return self.node.sql("mysql")

    def print_sql(self) -> str:
        """With all names in quotes."""
        return self.node.sql("mysql", identify=True)

    @property
    def is_conditional(self) -> bool:
        """Whether it has IF [NOT] EXISTS."""
        return bool(self.node.args.get("exists"))

    def unconditional(self) -> Clause:
        plain = self.node.copy() if self.is_conditional else self.node
        plain.set("exists", None)
        return replace(self, node=plain)

    def effects(self) -> Iterator[Effect]:
        """The names that it makes or takes away."""
        yield from ()

    def subject(self) -> tuple[Kind, str] | None:
        """What IF [NOT] EXISTS is about, by its name as written."""
        first = next(self.effects(), None)
        return None if first is None else (first.kind, first.name)

    def names(self) -> frozenset[Named]:
        """All that it is about."""
        return frozenset(effect.kind_and_name for effect in self.effects())

    def prerequisites(self) -> Iterator[exp.Expr]:
        """The names of columns that its table has to have, with their places."""
        yield from (place.this for place in self.node.find_all(exp.ColumnPosition) if place.this is not None)

    def columns_used(self, before: Set[str]) -> Iterator[str]:
        """The columns, in lower case, that an index, a check or a generated column may name since; `before` are those
        before it."""
        yield from ()

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        """`used`: columns, in lower case, that an index, a check or a generated column may name."""
        yield self.cost

    def why_no_tool(self) -> str:
        """Why no tool that copies a table beside its writers gets it, in words; '' where one may. Both tools copy rows
        with INSERT IGNORE, so a new unique key would lose rows; both distinguish rows by a key; and both guess from the
        text which column was renamed."""
        if self.node.find(exp.UniqueColumnConstraint, exp.PrimaryKey, exp.PrimaryKeyColumnConstraint):
            return "it adds a unique key, and the tools silently leave out rows that collide in it"
        return "it adds a foreign key" if self.node.find(exp.Reference, exp.ForeignKey) else ""

    def usual_name(self, table: str) -> tuple[Kind, str] | None:
        """The name that a new key or check of `table` gets which has none; None where it has one or gets none."""
        return None

    def with_name(self, name: str) -> Clause:
        """With a name of `usual_name`."""
        raise NotImplementedError

    def check(self, routing: Routing) -> None:
        """Says why it cannot be routed."""

    def physical(self) -> Clause:
        """For a physical table: names that its database has only once get the suffix."""
        return self

    def apply(self, table: exp.Create) -> None:
        """Does it to a CREATE TABLE, in place. Raises NotReckoned."""
        raise NotCalculable

    def restate(self, table: exp.Create) -> None:
        """Does it, in place, to a table that should be as after it. Raises NotReckoned where that has nothing like
        it."""
        raise NotCalculable

    def follow(self, source: SourceSide) -> None:
        """Does it to a table of the source, whose log has it, and says what the targets get. Raises CannotFollow."""
        if not self.leaves_rows:
            raise CannotFollow("SW8543", f"the clause {self.sql} is not carried to the targets")
        source.words.append(self.leaves_rows)


class Unread(Clause):
    """One that is not understood: nothing is known of it."""

    def check(self, routing: Routing) -> None:
        routing.error("SW4208", f"the clause {self.sql} is not supported yet")


@dataclass(frozen=True, slots=True)
class Change(Clause):
    """Changes a column or index that is there, which may get another name by it."""

    old: exp.Expr
    new: exp.Expr

    kind: ClassVar[Kind] = "column"

    @property
    def renames(self) -> bool:
        return bool(self.old.name.lower() != self.new.name.lower())

    def effects(self) -> Iterator[Effect]:
        if self.renames:
            yield Effect(self.kind, self.old.name, False)
            yield Effect(self.kind, self.new.name, True)

    def subject(self) -> tuple[Kind, str]:
        return self.kind, self.old.name

    def names(self) -> frozenset[Named]:
        return frozenset({(self.kind, self.old.name.lower()), (self.kind, self.new.name.lower())})


@dataclass(frozen=True, slots=True)
class Drop(Clause):
    """Takes away a column, index or check by its name."""

    target: exp.Expr

    destructive = True
    verb = "drop"
    kind: ClassVar[Kind]

    def effects(self) -> Iterator[Effect]:
        yield Effect(self.kind, self.target.name, False)

    def restate(self, table: exp.Create) -> None:
        pass
