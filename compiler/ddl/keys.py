"""The keys, indexes and checks of the source's CREATE TABLE, carried over to the columns that the target has."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.ddl.columns import Projection
from shardwright.compiler.ddl.rewrite import columns_in, suffixed
from shardwright.specs.findings.diagnostics import Findings

Parts = tuple[exp.Expr, ...]


@dataclass(frozen=True, slots=True)
class TableKeys:
    """`nodes` stand in the target's CREATE TABLE. `unique` are the sets of target columns that it makes unique over
    their whole values; `primary` is None when the source's primary key did not survive (or there was none)."""

    nodes: tuple[exp.Expr, ...]
    unique: tuple[frozenset[str], ...]
    primary: frozenset[str] | None


def target_keys(elements: Parts, *, projection: Projection, findings: Findings) -> TableKeys:
    """`elements` are the parts of the CREATE TABLE that are no columns. Foreign keys fall away: a row's parent may stand
    on another shard (hazard G5)."""
    nodes: list[exp.Expr] = []
    unique: list[frozenset[str]] = []
    primary: frozenset[str] | None = None
    for element in elements:
        kept = _kept(element, projection, findings)
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


def _kept(element: exp.Expr, projection: Projection, findings: Findings) -> exp.Expr | None:
    inner = _inner(element)
    if isinstance(inner, exp.ForeignKey):
        return None
    kind = _kind(inner)
    if kind is None:
        span = projection.source.span
        findings.error("SW4008", f"table '{projection.source.name}': {element.sql('mysql')} is not supported", span)
        return None
    if isinstance(inner, exp.UniqueColumnConstraint) and not _whole_columns(inner):
        return None  # not a key to the plan, so nobody would mind it: the warning of the source's clauses names it
    gone = projection.missing(identifier for part in _parts(inner) for identifier in columns_in(part))
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


def _whole_columns(inner: exp.Expr) -> frozenset[str]:
    """The columns of a key none of whose parts is a prefix or an expression; empty otherwise."""
    names = []
    for part in _parts(inner):
        plain = part.this if isinstance(part, exp.Ordered) else part
        if not isinstance(plain, (exp.Identifier, exp.Column)):
            return frozenset()
        names.append(plain.name)
    return frozenset(names)
