"""The clauses about the table as a whole, and its options."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from shardwright.compiler.ddl.alter.clause import Clause
from shardwright.compiler.ddl.alter.cost import Cost
from shardwright.compiler.ddl.alter.routing import Routing
from shardwright.compiler.ddl.shape.character_sets import convert, set_default
from shardwright.compiler.ddl.shape.table_edit import NotCalculable
from shardwright.compiler.ddl.source.conversion import follow_conversion
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.ddl.source.source_side import SourceSide
from shardwright.compiler.sql.character_sets import CharacterSet

PARTITIONS: Final = (
    "statements about partitions are not routed: `partitions: keep` in the table's entry gives the shards those of the "
    "source, and `ddl: apply` brings new ones"
)


@dataclass(frozen=True, slots=True)
class Convert(Clause):
    """CONVERT TO CHARACTER SET. `character_set_checks` looks at what it makes of the columns."""

    to: CharacterSet

    cost = Cost.CONVERT

    def why_no_tool(self) -> str:
        return "it converts texts, and the tools silently leave out rows that collide in a unique key then"

    def apply(self, table: exp.Create) -> None:
        convert(table, self.to)

    def follow(self, source: SourceSide) -> None:
        follow_conversion(source, self.to)


class Rebuild(Clause):
    """FORCE."""

    cost = Cost.BUILD_AGAIN
    leaves_rows = "its rows stay as they are"

    def apply(self, table: exp.Create) -> None:
        pass


class Partitions(Clause):
    """Other partitions, of which no definition here tells."""

    def check(self, routing: Routing) -> None:
        routing.error("SW4208", PARTITIONS, f"leave {self.sql.split(' (')[0]} out of the file")

    def apply(self, table: exp.Create) -> None:
        pass


class Option(Clause):
    """An option of the table. This very class: one that is not routed."""

    is_option = True

    def check(self, routing: Routing) -> None:
        hint = next((hint for kind, hint in _WHY_NOT if isinstance(self.node, kind)), _NOT_NOW)
        routing.error("SW4208", f"the option {self.sql} is not routed", f"leave it out{hint}")

    def follow(self, source: SourceSide) -> None:
        is_harmless = type(self.node) is exp.Property and self.node.name.upper() in _HARMLESS
        if not is_harmless and not isinstance(self.node, exp.AutoIncrementProperty):
            raise CannotFollow("SW8543", f"the option {self.sql} is not carried to the targets")


_WHY_NOT: Final = (
    (exp.Order, ": InnoDB keeps rows in the order of the primary key"),
    (exp.AutoIncrementProperty, ": copied rows bring their numbers; `ids` in the spec names what a cutover sets"),
    (exp.EngineProperty, ": the migration needs InnoDB"),
)
_NOT_NOW: Final = ", or set it on every shard after `finish`"
_HARMLESS: Final = frozenset({"MAX_ROWS", "MIN_ROWS", "AVG_ROW_LENGTH", "PACK_KEYS", "DELAY_KEY_WRITE", "CHECKSUM"})
"""Those of the source of which the targets need nothing."""


class _AcceptedOption(Option):
    """One that is routed, and that changes no row."""

    def check(self, routing: Routing) -> None:
        pass

    def follow(self, source: SourceSide) -> None:
        pass


@dataclass(frozen=True, slots=True)
class RoutedOption(_AcceptedOption):
    """One that the definition of a table has. `its_cost` is of the rules."""

    its_cost: Cost

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield self.its_cost

    def apply(self, table: exp.Create) -> None:
        properties = table.args.get("properties") or exp.Properties(expressions=[])
        kept = [other for other in properties.expressions if not self._is_same(other)]
        table.set("properties", exp.Properties(expressions=[*kept, self.node.copy()]))

    def _is_same(self, other: exp.Expr) -> bool:
        named = type(other) is not exp.Property or other.name.upper() == self.node.name.upper()
        return type(other) is type(self.node) and named

    def restate(self, table: exp.Create) -> None:
        if self.its_cost is not Cost.TABLE_COMMENT:
            raise NotCalculable
        self.apply(table)


@dataclass(frozen=True, slots=True)
class DefaultSet(Option):
    """CHARACTER SET or COLLATE of the table; `to` is what the statement's options name together."""

    to: CharacterSet

    cost = Cost.DEFAULT_SET

    def check(self, routing: Routing) -> None:
        pass

    def apply(self, table: exp.Create) -> None:
        set_default(table, self.to)


class Manner(_AcceptedOption):
    """ALGORITHM, LOCK: how a server is to do it."""

    def costs(self, used: Set[str]) -> Iterator[Cost]:
        yield from ()

    def apply(self, table: exp.Create) -> None:
        pass

    def restate(self, table: exp.Create) -> None:
        pass
