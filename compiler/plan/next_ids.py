"""Where the numbers of new rows come from on the side that a plan writes to, as the plan has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CounterKind = Literal["segment", "auto_increment"]

NEXT = "`${next}`"
"""What stands for the number in the statement that sets a counter."""


@dataclass(frozen=True, slots=True)
class NextIds:
    """One column of the plan's target, and its counter: a row of a segment table, or the table's own AUTO_INCREMENT.

    The counter is in the database of index `database` (None: in each that holds the table, at every physical table).
    `counter` is the name of its table, with `${suffix}`; `row` is the name of its row there, in column `row_column`.

    `largest` reads the largest number of a physical table. `read` reads the number that the counter gives next, and no
    row or NULL where it has none: a segment's in the row, AUTO_INCREMENT of table `@sw_table` in `@sw_database`. `seed`
    sets the counter to `NEXT`. A segment that is behind it already stays as it is.
    """

    table: str
    column: str
    margin: int
    kind: CounterKind
    database: int | None
    counter: str
    row: str
    row_column: str
    largest: str
    read: str
    seed: str

    @property
    def words(self) -> str:
        """The counter, for people."""
        name = self.counter.removesuffix("${suffix}")
        return f"row '{self.row}' of {name}" if self.kind == "segment" else f"AUTO_INCREMENT of {name}"

    @property
    def title(self) -> str:
        return f"{self.table}.{self.column}"
