"""How a statement of MySQL finds the place of a parent that has a parent: by a join from lookup table to lookup table,
up to the topmost one, which has the places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sqlglot import exp

from shardwright.compiler.plan.plan import FROM, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.template import fill
from shardwright.compiler.steps.keys import same_columns

_FIRST = "NOT EXISTS(SELECT 1 FROM hole_lookup_table AS o WHERE hole_same AND hole_earlier)"


@dataclass(frozen=True, slots=True)
class Joins:
    """From a lookup table, which the statement calls `t`, up to the topmost one, which it calls `last`. `holes` are the
    fillings of `text`. Of several source tables that have a parent above `t`, the first one by name counts."""

    last: str
    holes: Mapping[str, exp.Expr]
    levels: int
    order: str
    """What puts the rows of the first source table first, where `t` may have several of one parent."""

    @classmethod
    def up(cls, lookup_tables: Sequence[TablePlan]) -> Joins:
        """`lookup_tables`: each with that of its parent's parent behind it."""
        names = ["t", *(f"p{level}" for level in range(1, len(lookup_tables)))]
        holes: dict[str, exp.Expr] = {}
        for level, (below, above) in enumerate(pairwise(lookup_tables), start=1):
            assert below.placement.parent is not None
            pairs = zip(below.placement.parent.via, (column.target for column in above.lookup_columns), strict=True)
            same: list[exp.Expr] = [
                sql.column(key, names[level]).eq(sql.column(via, names[level - 1])) for via, key in pairs
            ]
            if above.source_record is not None:
                same.append(_is_first(above, names[level]))
            holes |= {f"above_{level}": sql.table(above.logical), f"same_{level}": sql.all_of(same)}
        order = "" if lookup_tables[0].source_record is None else f" ORDER BY t.{FROM}"
        return cls(names[-1], holes, len(lookup_tables) - 1, order)

    def text(self, kind: Literal["JOIN", "LEFT JOIN"]) -> str:
        """With holes."""
        levels = range(1, self.levels + 1)
        return "".join(f" {kind} hole_above_{level} AS p{level} ON hole_same_{level}" for level in levels)


def _is_first(lookup_table: TablePlan, alias: str) -> exp.Expr:
    """No source table whose name is smaller has the parent, too."""
    names = tuple(column.target for column in lookup_table.lookup_columns)
    return fill(
        _FIRST,
        "mysql",
        lookup_table=sql.table(lookup_table.logical),
        same=same_columns(names, "o", alias),
        earlier=sql.column(FROM, "o") < sql.column(FROM, alias),
    )
