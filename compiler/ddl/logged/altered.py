"""The clauses of an ALTER TABLE of the source, one after the other: the source table's columns afterwards, and the
clauses for the targets. Also which types hold every value of another one in the same canonical text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from shardwright.compiler.ddl.logged.logged_change import CannotFollow
from shardwright.compiler.ddl.rewrite import rename_columns
from shardwright.compiler.plan.catalogue import ColumnType
from shardwright.compiler.plan.plan import CopiedColumn, SourceColumn, TablePlan
from shardwright.compiler.sql import sql_text as sql
from shardwright.compiler.sql.named_columns import columns_in

_LADDERS = (
    ("tinyint", "smallint", "mediumint", "int", "bigint"),
    ("tinytext", "text", "mediumtext", "longtext"),
    ("tinyblob", "blob", "mediumblob", "longblob"),
)


def widens(old: ColumnType, new: ColumnType) -> bool:
    """Whether each value of `old` is a value of `new` that prints alike and compares alike."""
    if old == new:
        return True
    for ladder in _LADDERS:
        if old.name in ladder and new.name in ladder:
            return replace(old, name=new.name) == new and ladder.index(old.name) <= ladder.index(new.name)
    if old.name != new.name:
        return False
    if old.name in ("varchar", "varbinary"):
        return replace(old, length=new.length) == new and (old.length or 0) <= (new.length or 0)
    if old.name == "decimal":
        return replace(old, precision=new.precision) == new and (old.precision or 0) <= (new.precision or 0)
    if old.name in ("enum", "set"):
        return replace(old, labels=new.labels) == new and new.labels[: len(old.labels)] == old.labels
    return False


ReadColumn = Callable[[exp.ColumnDef], SourceColumn]
_CONSTANTS = (exp.Literal, exp.Null, exp.Boolean, exp.HexString, exp.BitString)
_PLAIN_PARTS = (
    exp.NotNullColumnConstraint,
    exp.DefaultColumnConstraint,
    exp.CommentColumnConstraint,
    exp.CharacterSetColumnConstraint,
    exp.CollateColumnConstraint,
)
_FILLED_ALIKE = frozenset({"tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "varchar", "char"})
"""Types whose rows are given the same value on every server when a column is NOT NULL and has no DEFAULT: 0 or ''."""


@dataclass(slots=True)
class Altered:
    """The state between two clauses. `columns` are the source's; `names` maps those that the target has, in lower case,
    to their names there."""

    plan: TablePlan
    read: ReadColumn
    columns: list[SourceColumn] = field(init=False)
    names: dict[str, str] = field(init=False)
    routed: list[exp.Expr] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    by_hand: list[str] = field(default_factory=list)
    """What is known, and is brought to the targets by a person only."""
    renamed: dict[str, str] = field(default_factory=dict)
    """New names of columns, with the plan's."""

    def __post_init__(self) -> None:
        self.columns = list(self.plan.source_columns)
        self.names = {column.source.lower(): column.target for column in self.plan.columns if column.source}
        self.names |= {item.source.lower(): item.target for item in self.plan.generated}

    def add(self, definition: exp.ColumnDef) -> None:
        column = self.read(definition)
        _refuse_unlike(definition, column)
        if self._place(column.name) is not None or column.name.lower() in self._targets():
            raise CannotFollow("SW8543", f"column {column.name} is added, and the plan has one of that name already")
        place = self._wanted_place(definition)
        self.columns.insert(place, column)
        computed = _computed(definition)
        gone = [item.name for item in columns_in(computed) if item.name.lower() not in self.names] if computed else []
        if gone:
            self.words.append(
                f"generated column {column.name} is added, not on the targets: they have no column {gone[0]}"
            )
            return
        position = self._position_in_target(place)
        self.names[column.name.lower()] = column.name
        named = _named(definition, column.name, position=position)
        if (computed := _computed(named)) is not None:
            rename_columns(computed, lambda name: self.names[name.lower()])
        self.routed.append(named)
        self.words.append(f"column {column.name} is added")

    def drop(self, name: str) -> None:
        place = self._require(name)
        self._refuse_used(name, "dropped")
        del self.columns[place]
        target = self.names.pop(name.lower(), None)
        if target is not None:
            self.routed.append(exp.Drop(tables=[sql.column(target)], kind="COLUMN"))
        self.words.append(f"column {name} is dropped")

    def rename(self, old: str, new: str) -> None:
        """The target's column is renamed where it has the source's name. Where the spec gives it another one, it keeps
        that."""
        place = self._require(old)
        self._refuse_used(old, "renamed")
        if any(old.lower() in item.expression.lower() for item in self.plan.generated):
            raise CannotFollow("SW8543", f"column {old} is renamed, and a generated column reads it")
        if old.lower() != new.lower() and (self._place(new) is not None or new.lower() in self._targets()):
            raise CannotFollow("SW8543", f"column {old} gets the name {new}, and the plan has one of that name already")
        column = self.columns[place]
        self.columns[place] = SourceColumn(new, column.type, column.nullable)
        self.renamed[new] = column.name
        words = f"column {column.name} gets the name {new}"
        target, copied = self.names.pop(old.lower(), None), self._copied(old)
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
        if _computed(definition) or any(item.source.lower() == column.name.lower() for item in self.plan.generated):
            raise CannotFollow("SW8543", f"column {column.name} is not computed as before")
        place = self._require(column.name)
        old = self.columns[place]
        _refuse_unlike(definition, column)
        if moved:
            raise CannotFollow("SW8543", f"column {column.name} gets another place in its table", understood=True)
        if not widens(old.type, column.type) or (old.nullable and not column.nullable):
            raise CannotFollow(
                "SW8543", f"column {column.name} gets a type that does not hold every old value as it was"
            )
        if (old.type, old.nullable) == (column.type, column.nullable):
            self.words.append(f"column {column.name} keeps its type")
            return
        self._refuse_used(column.name, "changed")
        self.columns[place] = SourceColumn(old.name, column.type, column.nullable)
        copied = self._copied(self.renamed.get(column.name, column.name))
        if copied is not None:
            if copied.mapping != "copied":
                raise CannotFollow("SW8543", f"column {column.name} is changed, and the target's is {copied.mapping}")
            self.routed.append(exp.ModifyColumn(this=_named(definition, copied.target)))
        self.words.append(f"column {column.name} is made wider")

    def add_index(self, element: exp.Expr, name: str) -> None:
        """An index that allows duplicates; it changes no row."""
        gone = [item.name for item in columns_in(element) if item.name.lower() not in self.names]
        if not name or gone:
            why = "it has no name" if not name else f"the targets have no column {gone[0]}"
            self.words.append(f"an index is added, not on the targets: {why}")
            if not name:
                self.left.append(element.sql("mysql"))
            return
        element = element.copy()
        rename_columns(element, lambda column: self.names[column.lower()])
        self.routed.append(exp.AddConstraint(expressions=[element]))
        self.words.append(f"index {name} is added")

    def drop_index(self, name: str) -> None:
        if name.upper() == "PRIMARY" or any(key.name.lower() == name.lower() for key in self.plan.unique_keys):
            raise CannotFollow("SW8544", f"the unique key {name} is dropped, by which rows are distinguished")
        self.routed.append(exp.Drop(tables=[sql.column(name)], kind="INDEX"))
        self.words.append(f"index {name} is dropped")

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

    def _copied(self, name: str) -> CopiedColumn | None:
        return next((column for column in self.plan.columns if column.source.lower() == name.lower()), None)

    def _wanted_place(self, definition: exp.ColumnDef) -> int:
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

    def _refuse_used(self, name: str, verb: str) -> None:
        plan, low = self.plan, name.lower()
        target = self.names.get(low, "").lower()
        sources: Mapping[str, tuple[str, ...]] = {
            "the row's key": plan.key,
            "the shard key": plan.shard_key,
            "a unique key": tuple(column for key in plan.unique_keys for column in key.columns),
            "the version column": (plan.version_column or "",),
            "the key of the parent": plan.parent.via if plan.parent else (),
            "a field group": tuple(column for group in plan.event_groups for column in group.columns),
        }
        for what, names in sources.items():
            if {item.lower() for item in names} & {low, *([target] if target else [])}:
                raise CannotFollow("SW8543", f"column {name} is {verb}, and it belongs to {what}")
        texts = [plan.where or "", *(column.mapping for column in plan.columns if not column.source)]
        if any(low in text.lower() for text in texts):
            raise CannotFollow("SW8543", f"column {name} is {verb}, and the row filter or a derived column reads it")


def _refuse_unlike(definition: exp.ColumnDef, column: SourceColumn) -> None:
    """What would not give the same column, and the same value in existing rows, on the source and on every
    shard."""
    parts = [part.kind for part in definition.args.get("constraints") or ()]
    computed = _computed(definition)
    for part in parts:
        if part is not computed and not isinstance(part, _PLAIN_PARTS):
            raise CannotFollow("SW8543", f"column {column.name}: {part.sql('mysql')} is not carried to the targets")
    default = next((part.this for part in parts if isinstance(part, exp.DefaultColumnConstraint)), None)
    constant = default.this if isinstance(default, exp.Neg) else default
    if constant is not None and not isinstance(constant, _CONSTANTS):
        raise CannotFollow("SW8543", f"column {column.name}: its DEFAULT {constant.sql('mysql')} is no constant")
    if default is None and computed is None and not column.nullable and column.type.name not in _FILLED_ALIKE:
        raise CannotFollow("SW8543", f"column {column.name} is NOT NULL and has no DEFAULT to fill the rows with")


def _computed(definition: exp.ColumnDef) -> exp.ComputedColumnConstraint | None:
    parts = (part.kind for part in definition.args.get("constraints") or ())
    return next((part for part in parts if isinstance(part, exp.ComputedColumnConstraint)), None)


def _named(definition: exp.ColumnDef, name: str, *, position: exp.ColumnPosition | None = None) -> exp.ColumnDef:
    """A new node: what a schema file's own nodes know of their text holds for that text only."""
    return exp.ColumnDef(
        this=exp.to_identifier(name, quoted=True),
        kind=definition.kind.copy() if definition.kind else None,
        constraints=[part.copy() for part in definition.args.get("constraints") or ()],
        position=position,
    )
