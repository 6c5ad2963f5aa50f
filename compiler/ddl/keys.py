"""The keys, indexes and checks of the target's CREATE TABLE: those of the source's, carried over to the columns that
the target has; and the same table in two steps, where secondary indexes are built after the copy, beside the stream.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.columns import Projection
from shardwright.compiler.ddl.rewrite import suffixed, table_node
from shardwright.compiler.sql.named_columns import columns_in, key_parts
from shardwright.specs.findings.diagnostics import Findings

Parts = tuple[exp.Expr, ...]


@dataclass(frozen=True, slots=True)
class TableKeys:
    """`nodes` stand in the target's CREATE TABLE. `unique` are the sets of target columns that it makes unique over
    their whole values; `primary` is None when the source's primary key did not survive (or there was none)."""

    nodes: tuple[exp.Expr, ...]
    unique: tuple[frozenset[str], ...]
    primary: frozenset[str] | None


def target_keys(
    elements: Parts, *, projection: Projection, findings: Findings, prefix_keys: Set[str] = frozenset()
) -> TableKeys:
    """`elements` are the parts of the CREATE TABLE that are no columns. Foreign keys fall away: a row's parent may
    be on another shard (hazard G5). So do unique keys over prefixes and expressions, but for `prefix_keys`: the plan
    knows only those."""
    nodes: list[exp.Expr] = []
    unique: list[frozenset[str]] = []
    primary: frozenset[str] | None = None
    for element in elements:
        kept = _kept(element, projection, findings, prefix_keys)
        if kept is None:
            continue
        nodes.append(kept)
        inner = _inner(kept)
        whole = _whole_columns(inner)
        if isinstance(inner, exp.PrimaryKey):
            primary = whole
        if isinstance(inner, (exp.PrimaryKey, exp.UniqueColumnConstraint)) and whole:
            unique.append(whole)
    return TableKeys(tuple(nodes), tuple(unique), primary)


def _inner(element: exp.Expr) -> exp.Expr:
    """What `CONSTRAINT name …` says, without the name."""
    return element.expressions[0] if isinstance(element, exp.Constraint) else element


def _kept(element: exp.Expr, projection: Projection, findings: Findings, prefix_keys: Set[str]) -> exp.Expr | None:
    inner = _inner(element)
    if isinstance(inner, exp.ForeignKey):
        return None
    kind = _kind(inner)
    if kind is None:
        span = projection.source.span
        findings.error("SW4008", f"table '{projection.source.name}': {element.sql('mysql')} is not supported", span)
        return None
    gone = projection.missing(identifier for part in _parts(inner) for identifier in columns_in(part))
    if isinstance(inner, exp.UniqueColumnConstraint) and not _whole_columns(inner):
        parts = key_parts(_parts(inner))
        name = _unique_name(element, inner, first=parts[0][0] if parts else "") if _parts(inner) else ""
        is_read = any(key.name == name for key in projection.source.prefix_keys)
        if name not in prefix_keys and not (gone and is_read):
            return None  # not a key to the plan, so nobody would mind it: the warning of the source's clauses names it
    if gone:
        code = {"index": "SW4001", "unique key": "SW4002", "check": "SW4003", "primary key": "SW4010"}[kind]
        projection.warn_dropped(findings, code, what=f"{kind} {_name(element)}".rstrip(), gone=gone)
        return None
    has_named_check = isinstance(inner, exp.CheckColumnConstraint) and isinstance(element, exp.Constraint)
    if not has_named_check and all(projection.keeps_names(part) for part in _parts(inner)):
        return element
    renamed = element.copy()
    for part in _parts(_inner(renamed)):
        projection.rename(part)
    if has_named_check:
        renamed.set("this", suffixed(renamed.this))
    return renamed


def _kind(inner: exp.Expr) -> str | None:
    match inner:
        case exp.PrimaryKey():
            return "primary key"
        case exp.UniqueColumnConstraint():
            return "unique key"
        case exp.IndexColumnConstraint():
            return "index"
        case exp.CheckColumnConstraint():
            return "check"
        case _:
            return None


def _parts(inner: exp.Expr) -> Parts:
    """The key parts, or the condition of a check."""
    if isinstance(inner, exp.UniqueColumnConstraint):
        return tuple(inner.this.expressions) if isinstance(inner.this, exp.Schema) else ()
    if isinstance(inner, exp.CheckColumnConstraint):
        return (inner.this,)
    return tuple(inner.expressions)


def _name(element: exp.Expr) -> str:
    if isinstance(element, (exp.Constraint, exp.IndexColumnConstraint)) and element.this:
        return f"'{element.this.name}'"
    if isinstance(element, exp.UniqueColumnConstraint) and isinstance(element.this, exp.Schema) and element.this.this:
        return f"'{element.this.this.name}'"
    return ""


def _unique_name(element: exp.Expr, inner: exp.Expr, *, first: str) -> str:
    """As the schema file's reader names it; `first` is its first column."""
    own = inner.this.this.name if inner.this.this is not None else ""
    return own or (element.name if isinstance(element, exp.Constraint) else "") or first


def _whole_columns(inner: exp.Expr) -> frozenset[str]:
    """The columns of a key none of whose parts is a prefix or an expression; empty otherwise."""
    names = []
    for part in _parts(inner):
        plain = part.this if isinstance(part, exp.Ordered) else part
        if not isinstance(plain, (exp.Identifier, exp.Column)):
            return frozenset()
        names.append(plain.name)
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class DeferredIndexes:
    """`names` of the indexes that are left out of `bare` and that `add` adds, all at once and while rows are
    written."""

    names: tuple[str, ...]
    bare: exp.Create
    add: exp.Alter


def deferred_indexes(create: exp.Create, *, logical: str, via: Collection[str] = ()) -> DeferredIndexes | None:
    """None where nothing can be deferred. Both servers build what is deferred beside the stream (INPLACE, LOCK=NONE);
    what they build
    only while nobody writes stays in the table from the beginning: FULLTEXT and SPATIAL, indexes over generated columns
    and over
    expressions, and all of engines other than InnoDB. So do unique keys, those that begin with a
    column of `via`, by which the stream looks for a family's children, and those whose name the server might have given
    to another."""
    schema = create.this
    assert isinstance(schema, exp.Schema)
    if not _is_innodb(create):
        return None
    definitions = [part for part in schema.expressions if isinstance(part, exp.ColumnDef)]
    wanted = {
        definition.name.lower() for definition in definitions if not _says(definition, exp.ComputedColumnConstraint)
    }
    taken = tuple(_names_to_be_given(schema.expressions))
    first_stays = {name.lower() for name in via}
    deferred = [
        part
        for part in schema.expressions
        if isinstance(part, exp.IndexColumnConstraint)
        and not part.args.get("kind")
        and part.name
        and not any(_may_be_given(part.name, column) for column in taken)
        and _plain_columns(part) <= wanted
        and _first_column(part) not in first_stays
    ]
    if not deferred:
        return None
    left_out = {id(part) for part in deferred}
    bare = create.copy()
    kept = [
        copy for copy, part in zip(bare.this.expressions, schema.expressions, strict=True) if id(part) not in left_out
    ]
    bare.this.set("expressions", kept)
    return DeferredIndexes(tuple(part.name for part in deferred), bare, _add(logical, deferred))


def _add(logical: str, indexes: list[exp.IndexColumnConstraint]) -> exp.Alter:
    return exp.Alter(
        this=table_node(logical),
        kind="TABLE",
        actions=[exp.AddConstraint(expressions=[index.copy()]) for index in indexes],
        options=[exp.AlgorithmProperty(this=exp.var("INPLACE")), exp.LockProperty(this=exp.var("NONE"))],
    )


def _is_innodb(create: exp.Create) -> bool:
    """A table that names no engine has the server's default."""
    found = create.find(exp.EngineProperty)
    return found is None or found.name.lower() == "innodb"


def _says(definition: exp.ColumnDef, constraint: type[exp.Expr]) -> bool:
    return any(isinstance(part.kind, constraint) for part in definition.args.get("constraints") or ())


def _parts_of(element: exp.Expr) -> list[exp.Expr]:
    """Of a key or an index; none of a check."""
    inner = element.expressions[0] if isinstance(element, exp.Constraint) else element
    if isinstance(inner, exp.UniqueColumnConstraint):
        return list(inner.this.expressions) if isinstance(inner.this, exp.Schema) else []
    return list(inner.expressions) if isinstance(inner, (exp.PrimaryKey, exp.IndexColumnConstraint)) else []


def _column(part: exp.Expr) -> str:
    """In lower case; '' for an expression."""
    plain = part.this if isinstance(part, exp.Ordered) else part
    if not isinstance(plain, (exp.Identifier, exp.Column, exp.ColumnPrefix)):
        return ""
    return next((name.name.lower() for name in columns_in(plain)), "")


def _plain_columns(index: exp.IndexColumnConstraint) -> set[str]:
    return {_column(part) for part in _parts_of(index)}


def _first_column(element: exp.Expr) -> str:
    parts = _parts_of(element)
    return _column(parts[0]) if parts else ""


def _names_to_be_given(elements: list[exp.Expr]) -> Iterator[str]:
    """The columns after which the server names keys that have no name."""
    for element in elements:
        if isinstance(element, exp.ColumnDef):
            if _says(element, exp.UniqueColumnConstraint):
                yield element.name.lower()
            continue
        unnamed_unique = isinstance(element, exp.UniqueColumnConstraint) and not (
            isinstance(element.this, exp.Schema) and element.this.this
        )
        if unnamed_unique or (isinstance(element, exp.IndexColumnConstraint) and not element.name):
            yield _first_column(element)


def _may_be_given(name: str, column: str) -> bool:
    """`a`, or `a_2` where that is taken."""
    ending = name.lower().removeprefix(column) if name.lower().startswith(column) else None
    return ending == "" or (ending is not None and ending.startswith("_") and ending[1:].isdigit())
