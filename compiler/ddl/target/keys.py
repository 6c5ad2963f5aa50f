"""The keys, indexes and checks of the target's CREATE TABLE: those of the source's, carried over to the columns that
the target has; and the same table in two steps, where secondary indexes are built after the copy, beside the stream.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.shape.rewrite import add_suffix, table_node
from shardwright.compiler.ddl.shape.table_edit import part_of
from shardwright.compiler.ddl.target.columns import Projection
from shardwright.compiler.sql.named_columns import columns_in, key_parts
from shardwright.compiler.sql.table_keys import read_key
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
        kept = _project_element(element, projection, findings, prefix_keys)
        key = read_key(kept) if kept is not None else None
        if kept is None or key is None:
            continue
        nodes.append(kept)
        whole = frozenset(key.whole_columns)
        if key.kind == "primary key":
            primary = whole
        if key.is_unique and whole:
            unique.append(whole)
    return TableKeys(tuple(nodes), tuple(unique), primary)


def _project_element(
    element: exp.Expr, projection: Projection, findings: Findings, prefix_keys: Set[str]
) -> exp.Expr | None:
    key = read_key(element)
    if key is None:
        span = projection.source.span
        findings.error("SW4008", f"table '{projection.source.name}': {element.sql('mysql')} is not supported", span)
        return None
    if key.kind == "foreign key":
        return None
    gone = projection.missing(identifier for part in key.parts for identifier in columns_in(part))
    if key.kind == "unique key" and not key.whole_columns:
        parts = key_parts(key.parts)
        name = (key.name or (parts[0][0] if parts else "")) if key.parts else ""
        is_read = any(other.name == name for other in projection.source.prefix_keys)
        if name not in prefix_keys and not (gone and is_read):
            return None  # not a key to the plan, so nobody would mind it: the warning of the source's clauses names it
    if gone:
        code = {"index": "SW4001", "unique key": "SW4002", "check": "SW4003", "primary key": "SW4010"}[key.kind]
        projection.warn_dropped(findings, code, what=f"{key.kind} '{key.name}'".removesuffix(" ''"), gone=gone)
        return None
    has_named_check = key.kind == "check" and bool(key.name)
    if not has_named_check and all(projection.keeps_names(part) for part in key.parts):
        return element
    renamed = read_key(element.copy())
    assert renamed is not None
    for part in renamed.parts:
        projection.rename(part)
    if has_named_check:
        renamed.element.set("this", add_suffix(element.this))
    return renamed.element


@dataclass(frozen=True, slots=True)
class DeferredIndexes:
    """`names` of the indexes that are left out of `bare` and that `add` adds, all at once and while rows are
    written."""

    names: tuple[str, ...]
    bare: exp.Create
    add: exp.Alter


def defer_indexes(create: exp.Create, *, logical: str, via: Collection[str] = ()) -> DeferredIndexes | None:
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
        definition.name.lower() for definition in definitions if not part_of(definition, exp.ComputedColumnConstraint)
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
        and (key := read_key(part)) is not None
        and {*_lower(key.columns)} <= wanted
        and _lower(key.columns)[0] not in first_stays
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


def _names_to_be_given(elements: list[exp.Expr]) -> Iterator[str]:
    """The columns after which the server names keys that have no name."""
    for element in elements:
        if isinstance(element, exp.ColumnDef):
            if part_of(element, exp.UniqueColumnConstraint):
                yield element.name.lower()
        elif isinstance(element, (exp.UniqueColumnConstraint, exp.IndexColumnConstraint)):
            key = read_key(element)
            if key is not None and not key.name:
                yield _lower(key.columns)[0] if key.columns else ""


def _lower(names: Iterable[str]) -> list[str]:
    return [name.lower() for name in names]


def _may_be_given(name: str, column: str) -> bool:
    """`a`, or `a_2` where that is taken."""
    ending = name.lower().removeprefix(column) if name.lower().startswith(column) else None
    return ending == "" or (ending is not None and ending.startswith("_") and ending[1:].isdigit())
