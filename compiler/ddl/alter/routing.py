"""What a clause is checked against before it is routed to all physical tables, and where its findings go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.plan.plan import TablePlan
from shardwright.specs.findings.diagnostics import Findings, Span

FOREIGN_KEY_HINT = "leave it out; where both rows are always on the same shard, add it on every shard after `finish`"


def why_no_foreign_key(node: exp.Expr) -> str:
    """For a clause that holds a foreign key. Our sessions on shards check foreign keys, so these also act there."""
    options = [str(option).upper() for found in node.find_all(exp.Reference) for option in found.args["options"] or ()]
    acting = [option for option in options if option.endswith((" CASCADE", " SET NULL", " SET DEFAULT"))]
    if acting:
        return f"the foreign key's {acting[0]} would change rows of the shards that the ledgers do not know of"
    return "with a foreign key the stream would stop where a row arrives before the one that it refers to"


@dataclass(frozen=True, slots=True)
class Routing:
    """Of one statement; problems go to `findings`, at the name they are about or at `span`."""

    plan: TablePlan
    span: Span
    findings: Findings
    place_of: Callable[[exp.Expr], Span]
    adds_key_again: bool = False
    """Whether the same statement gives the rows' key a primary key again."""
    is_free: bool = False
    """The clauses lead to what the plan's own table is, or the table is none of the migration's: no column is kept from
    them."""

    def error(self, code: str, message: str, hint: str | None = None, *, at: exp.Expr | None = None) -> None:
        span = self.span if at is None else self.place_of(at)
        self.findings.error(code, f"table '{self.plan.logical}': {message}", span, hint=hint)

    def refuse_copied(self, column: exp.Expr, verb: str) -> None:
        origin = self._origin_of(column.name)
        if origin is not None:
            hint = "change the spec first: exclude or rename the column there"
            message = f"cannot {verb} column '{column.name}', which {origin}"
            self.error("SW4210", message, hint, at=column)

    def refuse_taken(self, column: exp.Expr) -> None:
        origin = self._origin_of(column.name)
        if origin is not None:
            message = f"column '{column.name}' is in the target already: it {origin}"
            hint = "tables that lack it get it by a statement of its own that says just what the spec's table has"
            self.error("SW4211", message, hint, at=column)

    def _origin_of(self, column: str) -> str | None:
        """In words, why the plan's CREATE TABLE has the column; None when it has not, or when nothing is kept."""
        if self.is_free:
            return None
        if any(copied.target.lower() == column.lower() for copied in self.plan.columns):
            return "is copied from the source"
        if any(computed.target.lower() == column.lower() for computed in self.plan.generated):
            return "is generated as at the source"
        return None

    def refuse_foreign(self, definition: exp.Expr) -> None:
        if definition.find(exp.Reference):
            self.error("SW4209", why_no_foreign_key(definition), FOREIGN_KEY_HINT, at=definition)
        if definition.find(exp.AutoIncrementColumnConstraint):
            self.error("SW4208", "AUTO_INCREMENT would number the rows of each physical table apart", at=definition)

    def refuse_lost_key(self, index: exp.Expr) -> None:
        if not self.plan.key or self.adds_key_again:
            return  # nobody looks for its rows, or they are found as before
        key = {name.lower() for name in self.plan.key}
        for unique in self.plan.identity.unique_keys:
            if unique.name.lower() == index.name.lower() and {name.lower() for name in unique.columns} == key:
                message = f"rows are found by their key: the index '{index.name}' cannot be dropped"
                self.error("SW4212", message, at=index)
        if index.name.upper() == "PRIMARY":
            self.error("SW4212", "rows are found by their key: the primary key cannot be dropped", at=index)

    def warn_unique(self) -> None:
        if not self.is_free:
            message = (
                f"table '{self.plan.logical}': a unique key that the source lacks stops the stream when two copied "
                "rows collide in it"
            )
            self.findings.warning("SW4214", message, self.span)
