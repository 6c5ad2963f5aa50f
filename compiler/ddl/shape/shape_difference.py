"""Where two definitions differ in meaning, and the ALTER TABLE that leads from one to the other."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.shape.table_shape import Piece, Shape
from shardwright.compiler.sql.sql_text import to_sql


@dataclass(frozen=True, slots=True)
class Difference:
    """`found` None: it is missing; `expected` None: it is too much."""

    expected: Piece | None
    found: Piece | None

    @property
    def piece(self) -> Piece:
        piece = self.expected or self.found
        assert piece is not None
        return piece

    def __str__(self) -> str:
        piece = self.piece
        # A check without a name of its own is known by what it says.
        name = piece.shown if piece.kind == "check" and piece.name == piece.means else f"'{piece.name}'"
        subject = f"the {piece.name}" if piece.kind == "option" else f"{piece.kind} {name}"
        if self.found is None:
            return f"{subject} is missing"
        if self.expected is None:
            return f"{subject} is too much"
        return f"{subject} is {self.found.shown}, should be {self.expected.shown}"


def differences(expected: Shape, found: Shape) -> tuple[Difference, ...]:
    """What about `found` is not as `expected`, as `expected` has its pieces in order; then what is too much."""
    said = [Difference(piece, found.get(key)) for key, piece in expected.items() if found.get(key) != piece]
    return (*said, *(Difference(None, piece) for key, piece in found.items() if key not in expected))


def alter_statement_for(found: tuple[Difference, ...], *, database: str, table: str, suffix: str) -> str:
    """One ALTER TABLE for all differences of the physical table `table`."""
    actions: list[exp.Expr] = []
    options: list[exp.Expr] = []
    # What is dropped goes first: a key may stand on what is dropped, and a new one on what is added.
    order = {"foreign key": 0, "check": 1, "index": 2, "column": 3, "option": 4}
    for difference in sorted(found, key=lambda item: order[item.piece.kind]):
        piece = difference.found
        if piece is not None and piece.kind not in ("column", "option"):
            is_named = piece.kind == "check" and isinstance(piece.node, exp.Constraint)
            actions.append(drop_clause(piece, piece.node.name if is_named else piece.name))
    for difference in sorted(found, key=lambda item: -order[item.piece.kind]):
        if difference.piece.kind == "option":
            options += _option(difference)
        elif difference.piece.kind == "column":
            actions.append(_column(difference))
        elif difference.expected is not None:
            actions.append(add_clause(difference.expected, suffix))
    name = exp.Table(this=exp.to_identifier(table, quoted=True), db=exp.to_identifier(database, quoted=True))
    return to_sql(exp.Alter(this=name, kind="TABLE", actions=actions, options=options), "mysql")


def _column(difference: Difference) -> exp.Expr:
    expected, found = difference.expected, difference.found
    if expected is None:
        name = exp.Column(this=exp.to_identifier(difference.piece.name, quoted=True))
        return exp.Drop(tables=[name], kind="COLUMN")
    return exp.ModifyColumn(this=expected.node.copy()) if found is not None else expected.node.copy()


def drop_clause(piece: Piece, name: str) -> exp.Expr:
    """The clause that drops a key or check of this name."""
    if piece.kind == "index" and name == "PRIMARY":
        return exp.DropPrimaryKey()
    kind = {"index": "INDEX", "check": "CONSTRAINT", "foreign key": "FOREIGN KEY"}[piece.kind]
    return exp.Drop(tables=[exp.Table(this=exp.to_identifier(name, quoted=True))], kind=kind)


def add_clause(piece: Piece, suffix: str = "") -> exp.Expr:
    """The clause that adds a key, or a check with `suffix` behind its name."""
    node = piece.node.copy()
    if piece.kind == "check" and isinstance(node, exp.Constraint):
        node.set("this", exp.to_identifier(piece.name + suffix, quoted=True))
    return exp.AddConstraint(expressions=[node])


def _option(difference: Difference) -> list[exp.Expr]:
    expected = difference.expected
    assert expected is not None
    if expected.name != "collation":
        return [expected.node.copy()]
    charset = exp.CharacterSetProperty(this=exp.Var(this=expected.means.split("_")[0]), default=True)
    return [charset, expected.node.copy()]
