"""The routed statements that lead tables as they are to what the plan's CREATE TABLE says: a proposal for review."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.shape.shape_difference import Difference, add_clause, drop_clause
from shardwright.compiler.sql.sql_text import to_sql

_OWN_KEYS = (exp.PrimaryKeyColumnConstraint, exp.UniqueColumnConstraint)


@dataclass(frozen=True, slots=True)
class Proposal:
    """For one logical table. `statement` (may be empty) adds and changes; `drops` take away what the plan does not
    have, and are for a person to decide about; `by_hand` are differences, in words, that no routed statement can
    settle."""

    logical: str
    statement: str
    drops: tuple[str, ...]
    by_hand: tuple[str, ...]


def lead_to(create: exp.Create, found: Iterable[Difference], *, logical: str) -> Proposal:
    """`create` is the plan's CREATE TABLE, whose own words are used; `found` is how tables differ from it."""
    dropping: list[exp.Expr] = []
    adding: list[exp.Expr] = []
    options: list[exp.Expr] = []
    drops: dict[str, str] = {}
    by_hand: list[str] = []
    for difference in found:
        kind = difference.piece.kind
        if kind == "option" and difference.piece.name == "comment" and difference.expected is not None:
            options.append(difference.expected.node.copy())
        elif kind == "column" and difference.expected is not None:
            adding.append(_column(create, difference))
        elif kind in ("index", "check") and _is_named(difference):
            dropped = [drop_clause(piece, piece.name)] if (piece := difference.found) is not None else []
            if difference.expected is None:
                drops[_alter(logical, dropped)] = kind
                continue
            dropping += dropped
            adding.append(add_clause(difference.expected))
        elif kind == "column":
            name = exp.Column(this=exp.to_identifier(difference.piece.name, quoted=True))
            drops[_alter(logical, [exp.Drop(tables=[name], kind="COLUMN")])] = kind
        else:
            by_hand.append(str(difference))
    # A key that is added may stand on a column that is, too.
    adding.sort(key=lambda action: isinstance(action, exp.AddConstraint))
    statement = _alter(logical, [*dropping, *adding], options) if dropping or adding or options else ""
    # An index goes before its column, with which it would go by itself.
    return Proposal(logical, statement, tuple(sorted(drops, key=lambda drop: drops[drop] == "column")), tuple(by_hand))


def proposal_lines(proposal: Proposal) -> Iterator[str]:
    """As a numbered DDL file says it."""
    if proposal.statement:
        yield f"{proposal.statement};"
        yield ""
    for statement in proposal.drops:
        yield (
            "-- Not in the spec. To drop it, remove the comment marks; if it was renamed, write RENAME COLUMN instead:"
        )
        yield from (f"-- {line}" for line in f"{statement};".splitlines())
        yield ""
    for said in proposal.by_hand:
        yield f"-- {proposal.logical}: {' '.join(said.split())}: no routed statement fixes this"


def _column(create: exp.Create, difference: Difference) -> exp.Expr:
    name = difference.piece.name.lower()
    parts = create.this.expressions
    definition = next(part.copy() for part in parts if isinstance(part, exp.ColumnDef) and part.name.lower() == name)
    if difference.found is None:
        return definition
    kept = [part for part in definition.args.get("constraints") or () if not isinstance(part.kind, _OWN_KEYS)]
    definition.set("constraints", kept)
    return exp.ModifyColumn(this=definition)


def _is_named(difference: Difference) -> bool:
    return all(
        piece.kind == "index" or (isinstance(piece.node, exp.Constraint) and piece.name != piece.means)
        for piece in (difference.expected, difference.found)
        if piece is not None
    )


def _alter(logical: str, actions: list[exp.Expr], options: list[exp.Expr] | None = None) -> str:
    name = exp.Table(this=exp.to_identifier(logical, quoted=True))
    return to_sql(exp.Alter(this=name, kind="TABLE", actions=actions, options=options or None), "mysql")
