"""A table of the source while clauses of its log are followed, one after the other: its columns afterwards, and the
clauses for the targets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from shardwright.compiler.ddl.shape.rewrite import rename_columns
from shardwright.compiler.ddl.shape.table_edit import part_of, parts_of
from shardwright.compiler.ddl.source.logged_change import CannotFollow
from shardwright.compiler.ddl.source.type_changes import type_change
from shardwright.compiler.plan.catalogue import SourceTable
from shardwright.compiler.plan.plan import CopiedColumn, TablePlan
from shardwright.compiler.plan.table_parts import SourceColumn
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.conditions import name_if_absent
from shardwright.compiler.sql.named_columns import columns_in

ReadColumn = Callable[[exp.ColumnDef], SourceColumn]
Behind = Callable[[], SourceTable]
"""Raises CannotFollow where the table is not known."""
_CONSTANTS = (exp.Literal, exp.Null, exp.Boolean, exp.HexString, exp.BitString)
_PLAIN_PARTS = (
    exp.NotNullColumnConstraint,
    exp.DefaultColumnConstraint,
    exp.CommentColumnConstraint,
    exp.CharacterSetColumnConstraint,
    exp.CollateColumnConstraint,
)
_FILLING = (exp.DefaultColumnConstraint, exp.ComputedColumnConstraint)
_FILLED_ALIKE = frozenset({"tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "varchar", "char"})
"""Types whose rows are given the same value on every server when a column is NOT NULL and has no DEFAULT: 0 or ''."""


@dataclass(slots=True)
class SourceSide:
    """The state between two clauses. `columns` are the source's; `names` maps those that the target has, in lower case,
    to their names there."""

    plan: TablePlan
    read: ReadColumn
    columns: list[SourceColumn] = field(init=False)
    names: dict[str, str] = field(init=False)
    behind: Behind | None = None
    """Gives its table right behind the statement; None where nobody can be asked."""
    is_alone: bool = True
    """Whether the statement has one clause."""
    routed: list[exp.Expr] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    by_hand: list[str] = field(default_factory=list)
    """What is known, and is brought to the targets by a person only."""
    renamed: dict[str, str] = field(default_factory=dict)
    """New names of columns, with the plan's."""

    def __post_init__(self) -> None:
        self.columns = list(self.plan.source.columns)
        self.names = {column.source.lower(): column.target for column in self.plan.columns if column.source}
        self.names |= {item.source.lower(): item.target for item in self.plan.generated}

    def add(self, definition: exp.ColumnDef) -> None:
        column = self.read(definition)
        _refuse_unlike(definition, column)
        _refuse_unfilled(definition, column)
        if self._place(column.name) is not None or column.name.lower() in self._targets():
            raise CannotFollow("SW8543", f"column {column.name} is added, and the plan has one of that name already")
        place = self._position_of(definition)
        self.columns.insert(place, column)
        computed = part_of(definition, exp.ComputedColumnConstraint)
        gone = [item.name for item in columns_in(computed) if item.name.lower() not in self.names] if computed else []
        if gone:
            self.words.append(
                f"generated column {column.name} is added, not on the targets: they have no column {gone[0]}"
            )
            return
        position = self._position_in_target(place)
        self.names[column.name.lower()] = column.name
        named = _rename_definition(definition, column.name, position=position)
        if (computed := part_of(named, exp.ComputedColumnConstraint)) is not None:
            rename_columns(computed, lambda name: self.names[name.lower()])
        self.routed.append(named)
        self.words.append(f"column {column.name} is added")

    def drop(self, name: str) -> None:
        place = self._require(name)
        self.refuse_used(name, "dropped")
        del self.columns[place]
        target = self.names.pop(name.lower(), None)
        if target is not None:
            self.routed.append(exp.Drop(tables=[sql.column(target)], kind="COLUMN"))
        self.words.append(f"column {name} is dropped")

    def rename(self, old: str, new: str) -> None:
        """The target's column is renamed where it has the source's name. Where the spec gives it another one, it keeps
        that."""
        place = self._require(old)
        self.refuse_used(old, "renamed")
        if any(old.lower() in item.expression.lower() for item in self.plan.generated):
            raise CannotFollow("SW8543", f"column {old} is renamed, and a generated column reads it")
        if old.lower() != new.lower() and (self._place(new) is not None or new.lower() in self._targets()):
            raise CannotFollow("SW8543", f"column {old} gets the name {new}, and the plan has one of that name already")
        column = self.columns[place]
        self.columns[place] = SourceColumn(new, column.type, column.nullable)
        self.renamed[new] = column.name
        words = f"column {column.name} gets the name {new}"
        target, copied = self.names.pop(old.lower(), None), self._column_of(old)
        if target is not None:
            self.names[new.lower()] = target
        if copied is not None and copied.mapping != "copied":
            self.by_hand.append(f"{words}, and the target's is {copied.mapping}")
        elif target == column.name:
            self.names[new.lower()] = new
            self.routed.append(exp.RenameColumn(this=sql.column(target), to=sql.column(new)))
        else:
            kept = "the targets do not have it" if target is None else f"it stays {target} on the targets"
            words = f"{words}; {kept}: where the spec names {column.name}, it names {new} from now on"
        self.words.append(words)

    def modify(self, definition: exp.ColumnDef, *, moved: bool) -> None:
        column = self.read(definition)
        if part_of(definition, exp.ComputedColumnConstraint) or any(
            item.source.lower() == column.name.lower() for item in self.plan.generated
        ):
            raise CannotFollow("SW8543", f"column {column.name} is not computed as before")
        place = self._require(column.name)
        old = self.columns[place]
        _refuse_unlike(definition, column)
        if moved:
            raise CannotFollow("SW8543", f"column {column.name} gets another place in its table", understood=True)
        changed = type_change(old, column)
        if changed is None:
            raise CannotFollow("SW8543", f"column {column.name} gets a type that may print its values otherwise")
        copied = self._column_of(self.renamed.get(column.name, column.name))
        routed = None if copied is None else exp.ModifyColumn(this=_rename_definition(definition, copied.target))
        if (old.type, old.nullable) == (column.type, column.nullable):
            if column.name not in self.renamed:
                self._bring(old.name, routed, what="the definition")
            self.words.append(f"column {column.name} keeps its type")
            return
        self.refuse_used(column.name, "changed")
        self.columns[place] = SourceColumn(old.name, column.type, column.nullable)
        if copied is not None and copied.mapping != "copied":
            raise CannotFollow("SW8543", f"column {column.name} is changed, and the target's is {copied.mapping}")
        if routed is not None:
            self.routed.append(routed)
        self.words.append(f"column {column.name} {changed}")

    def set_default(self, action: exp.AlterColumn) -> None:
        """SET DEFAULT, DROP DEFAULT, and MySQL's SET VISIBLE, which the targets do not get."""
        name = self.columns[self._require(action.this.name)].name
        copied, default = self._column_of(self.renamed.get(name, name)), action.args.get("default")
        if "visible" in action.args:
            self.words.append(f"column {name} is shown or hidden, which no row shows")
            return
        routed = None
        if copied is not None and (default is None or _is_constant(default)):
            kept = default.copy() if default is not None else None
            routed = exp.AlterColumn(this=sql.column(copied.target), default=kept, drop=default is None)
        self._bring(name, routed, what="the DEFAULT")
        self.words.append(f"the DEFAULT of column {name} is another one, which no row shows")

    def _bring(self, name: str, routed: exp.Expr | None, *, what: str) -> None:
        """What no row shows, where the target's column is as the source's."""
        copied = self._column_of(self.renamed.get(name, name))
        if routed is not None and copied is not None and copied.mapping == "copied" and len(self.plan.sources) == 1:
            self.routed.append(routed)
        elif copied is not None:
            self.left.append(f"{what} of {name}")

    def add_index(self, element: exp.Expr, name: str, *, is_conditional: bool = False) -> None:
        """An index that allows duplicates; it changes no row. `is_conditional`: where there is none of its name."""
        gone = [item.name for item in columns_in(element) if item.name.lower() not in self.names]
        if not name or gone:
            why = "it has no name" if not name else f"the targets have no column {gone[0]}"
            self.words.append(f"an index is added, not on the targets: {why}")
            if not name:
                self.left.append(element.sql("mysql"))
            return
        element = element.copy()
        rename_columns(element, lambda column: self.names[column.lower()])
        if is_conditional:
            name_if_absent(element)
        self.routed.append(exp.AddConstraint(expressions=[element]))
        self.words.append(f"index {name} is added{' where there is none' if is_conditional else ''}")

    def rename_index(self, old: str, new: str) -> None:
        """The targets have the index by the source's name, if they have it."""
        for name in (old, new):
            if self._is_unique_key(name):
                raise CannotFollow("SW8544", f"the unique key {name} gets or leaves a name, by which the plan knows it")
        self.routed.append(
            exp.RenameIndex(this=exp.to_identifier(old, quoted=True), to=exp.to_identifier(new, quoted=True))
        )
        self.words.append(f"index {old} gets the name {new}")

    def drop_index(self, name: str) -> None:
        if name.upper() == "PRIMARY" or self._is_unique_key(name):
            raise CannotFollow("SW8544", f"the unique key {name} is dropped, by which rows are distinguished")
        self.routed.append(exp.Drop(tables=[sql.column(name)], kind="INDEX"))
        self.words.append(f"index {name} is dropped")

    def goes_by(self, names: Iterable[str]) -> bool:
        """Whether these columns of the source are the rows' key on the targets, without regard to order."""
        return {self.names.get(name.lower()) for name in names} == set(self.plan.key)

    def _is_unique_key(self, name: str) -> bool:
        return any(key.name.lower() == name.lower() for key in self.plan.identity.every_unique_key)

    def has(self, name: str) -> bool:
        """Whether the source's table has a column of this name."""
        return self._place(name) is not None

    def _place(self, name: str) -> int | None:
        return next((at for at, column in enumerate(self.columns) if column.name.lower() == name.lower()), None)

    def _require(self, name: str) -> int:
        place = self._place(name)
        if place is None:
            raise CannotFollow("SW8543", f"column {name} is changed, and the plan knows none of that name")
        return place

    def _targets(self) -> frozenset[str]:
        copied, computed = self.plan.columns, self.plan.generated
        return frozenset({*(item.target.lower() for item in copied), *(item.target.lower() for item in computed)})

    def _column_of(self, name: str) -> CopiedColumn | None:
        return next((column for column in self.plan.columns if column.source.lower() == name.lower()), None)

    def _position_of(self, definition: exp.ColumnDef) -> int:
        position = definition.args.get("position")
        if position is None:
            return len(self.columns)
        if str(position.args.get("position")).upper() == "FIRST":
            return 0
        return self._require(position.this.name) + 1

    def _position_in_target(self, place: int) -> exp.ColumnPosition:
        """After the nearest column before it that the target has: where a newly compiled CREATE TABLE puts it, too."""
        before = (self.names.get(column.name.lower()) for column in reversed(self.columns[:place]))
        name = next((name for name in before if name is not None), None)
        if name is None:
            return exp.ColumnPosition(position="FIRST")
        return exp.ColumnPosition(this=exp.to_identifier(name, quoted=True), position="AFTER")

    def refuse_used(self, name: str, verb: str) -> None:
        """Raises CannotFollow for a column by which rows are found, placed, chosen or computed."""
        plan, low = self.plan, name.lower()
        target = self.names.get(low, "").lower()
        sources: Mapping[str, tuple[str, ...]] = {
            "the row's key": plan.key,
            "the shard key": plan.placement.shard_key,
            "a unique key": tuple(column for key in plan.identity.every_unique_key for column in key.columns),
            "the version column": (plan.writes.version_column or "",),
            "the key of the parent": plan.placement.parent.via if plan.placement.parent else (),
            "a field group": tuple(column for group in plan.writes.event_groups for column in group.columns),
        }
        for what, names in sources.items():
            if {item.lower() for item in names} & {low, *([target] if target else [])}:
                raise CannotFollow("SW8543", f"column {name} is {verb}, and it belongs to {what}")
        texts = [plan.source.where or "", *(column.mapping for column in plan.columns if not column.source)]
        if any(low in text.lower() for text in texts):
            raise CannotFollow("SW8543", f"column {name} is {verb}, and the row filter or a derived column reads it")


def _refuse_unlike(definition: exp.ColumnDef, column: SourceColumn) -> None:
    """What would not give the same column on the source and on every shard."""
    for part in parts_of(definition):
        if not isinstance(part, (exp.ComputedColumnConstraint, *_PLAIN_PARTS)):
            raise CannotFollow("SW8543", f"column {column.name}: {part.sql('mysql')} is not carried to the targets")
    default = part_of(definition, exp.DefaultColumnConstraint)
    if default is not None and not _is_constant(default.this):
        raise CannotFollow("SW8543", f"column {column.name}: its DEFAULT {default.this.sql('mysql')} is no constant")


def _refuse_unfilled(definition: exp.ColumnDef, column: SourceColumn) -> None:
    """Servers fill the rows of a new column without a DEFAULT each in its own way, but for some types."""
    may_stay_empty = column.nullable or column.type.name in _FILLED_ALIKE
    if not may_stay_empty and not any(part_of(definition, kind) for kind in _FILLING):
        raise CannotFollow("SW8543", f"column {column.name} is NOT NULL and has no DEFAULT to fill the rows with")


def _is_constant(default: exp.Expr) -> bool:
    return isinstance(default.this if isinstance(default, exp.Neg) else default, _CONSTANTS)


def _rename_definition(
    definition: exp.ColumnDef, name: str, *, position: exp.ColumnPosition | None = None
) -> exp.ColumnDef:
    """A new node: what a schema file's own nodes know of their text holds for that text only."""
    return exp.ColumnDef(
        this=exp.to_identifier(name, quoted=True),
        kind=definition.kind.copy() if definition.kind else None,
        constraints=[part.copy() for part in definition.args.get("constraints") or ()],
        position=position,
    )
