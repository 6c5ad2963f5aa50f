"""How a statement of MySQL finds the place of a parent that has a parent: by a join from lookup table to lookup table,
up to the topmost one, which has the places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sqlglot import exp

from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.sql import sql_text as sql


@dataclass(frozen=True, slots=True)
class Joins:
    """From a lookup table, which the statement calls `t`, up to the topmost one, which it calls `last`. `holes` are the
    fillings of `text`."""

    last: str
    holes: Mapping[str, exp.Expr]

    @classmethod
    def up(cls, lookup_tables: Sequence[TablePlan]) -> Joins:
        """`lookup_tables`: each with that of its parent's parent behind it."""
        names = ["t", *(f"p{level}" for level in range(1, len(lookup_tables)))]
        holes: dict[str, exp.Expr] = {}
        for level, (below, above) in enumerate(pairwise(lookup_tables), start=1):
            assert below.parent is not None
            pairs = zip(below.parent.via, above.key, strict=True)
            same = [sql.column(key, names[level]).eq(sql.column(via, names[level - 1])) for via, key in pairs]
            holes |= {f"above_{level}": sql.table(above.logical), f"same_{level}": sql.all_of(same)}
        return cls(names[-1], holes)

    def text(self, kind: Literal["JOIN", "LEFT JOIN"]) -> str:
        """With holes."""
        levels = range(1, len(self.holes) // 2 + 1)
        return "".join(f" {kind} hole_above_{level} AS p{level} ON hole_same_{level}" for level in levels)
