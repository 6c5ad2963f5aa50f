"""The target's CREATE TABLE, from the source's: same types, defaults and keys, under the target's names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from shardwright.compiler.columns.mapping import MappedColumn
from shardwright.compiler.ddl.shape.rewrite import (
    MAX_NAME,
    SUFFIX,
    own_nodes,
    table_node,
    too_long,
    version_comments,
    without_comments,
)
from shardwright.compiler.ddl.shape.table_edit import part_of
from shardwright.compiler.ddl.target.columns import Projection, projection, target_columns
from shardwright.compiler.ddl.target.keys import TableKeys, target_keys
from shardwright.compiler.ddl.target.origin_keys import OriginKey, with_origin
from shardwright.compiler.plan.catalogue import ColumnType, FunctionalKey, SourceTable
from shardwright.compiler.plan.plan import GeneratedColumn
from shardwright.compiler.schema.server_clauses import PARTITION_BY
from shardwright.compiler.sql.partitions import read_partitions, set_partitions
from shardwright.compiler.sql.word_reader import NotRead
from shardwright.specs.findings.diagnostics import Findings, Span

_KEPT_OPTIONS = (
    exp.EngineProperty,
    exp.CharacterSetProperty,
    exp.CollateProperty,
    exp.SchemaCommentProperty,
    exp.RowFormatProperty,
)
_KEPT_NAMED_OPTIONS = (
    *("KEY_BLOCK_SIZE", "STATS_PERSISTENT", "STATS_AUTO_RECALC", "STATS_SAMPLE_PAGES"),
    *("MAX_ROWS", "MIN_ROWS", "AVG_ROW_LENGTH", "PACK_KEYS", "PAGE_COMPRESSED", "PAGE_COMPRESSION_LEVEL"),
    *("ENCRYPTED", "ENCRYPTION_KEY_ID", "ENCRYPTION", "COMPRESSION"),
)
_TEXTS = (exp.Literal, exp.Identifier)
_PARTITIONS_HINT = "`partitions: keep` in the table's entry gives the target's tables the same partitions"


@dataclass(frozen=True, slots=True)
class WantedTable:
    """What the spec wants of a target table."""

    logical: str
    """Its logical name."""
    columns: tuple[MappedColumn, ...]
    """Its columns, as they are made of the source's."""
    key: tuple[str, ...]
    """The target columns that must be unique together; none for a table without a key."""
    suffixes: tuple[str, ...] = ("",)
    """Of its physical tables; they are only measured."""
    generated: tuple[GeneratedColumn, ...] = ()
    """The columns beside these that it computes."""
    counting: str | None = None
    """The target column that stays AUTO_INCREMENT."""
    keeps_partitions: bool = False
    """Whether it has the source's PARTITION BY."""
    origin: OriginKey | None = None
    """The target column that is the last one of every unique key, besides those of the source."""
    prefix_keys: frozenset[str] = frozenset()
    """The names of its unique keys over how values begin or over expressions."""


def target_table(source: SourceTable, wanted: WantedTable, *, findings: Findings) -> exp.Create:
    """CREATE TABLE IF NOT EXISTS `<logical>${suffix}` for every physical table. What stays as it is are the source
    statement's own nodes. What falls away is a warning, what cannot be carried over an error."""
    columns = wanted.columns
    _refuse_hidden_words(source, findings)
    chosen = projection(source, columns=columns, generated=wanted.generated, counting=wanted.counting)
    _warn_of_clauses(chosen, wanted, findings)
    schema = source.statement.this
    assert isinstance(schema, exp.Schema)
    others = tuple(element for element in schema.expressions if not isinstance(element, exp.ColumnDef))
    keys = target_keys(others, projection=chosen, prefix_keys=wanted.prefix_keys, findings=findings)
    definitions = target_columns(chosen, findings=findings)
    if wanted.origin is not None:
        definitions, keys = with_origin(definitions, keys, wanted.origin)
    new_key: list[exp.PrimaryKey] = []
    if wanted.key:
        new_key = _primary_key(keys, definitions, source=source, key=wanted.key, findings=findings)
    table = exp.Create(
        this=exp.Schema(this=table_node(wanted.logical), expressions=[*definitions, *new_key, *keys.nodes]),
        kind="TABLE",
        exists=True,
        properties=_options(source, findings, has_text=any(_is_text(item.column.type) for item in columns)),
    )
    if wanted.keeps_partitions and source.partitions:
        key = (frozenset(wanted.key),) if wanted.key else ()
        unique = (*keys.unique, *(frozenset([d.name]) for d in definitions if _is_unique(d)), *key)
        if clause := target_partitions(chosen, columns, unique=unique, findings=findings):
            set_partitions(table, clause)
    nodes = tuple(own_nodes(table))
    without_comments(nodes)
    _refuse_long_names(nodes, wanted.suffixes, source.span, findings)
    return table


def _refuse_hidden_words(source: SourceTable, findings: Findings) -> None:
    nodes = tuple(own_nodes(source.statement))
    for comment in version_comments(nodes):
        message = (
            f"table '{source.name}': the server executes the comment /*{comment} */; write it as plain SQL or drop it"
        )
        findings.error("SW4007", message, source.span)
    if any(SUFFIX in str(node.this) for node in nodes if isinstance(node, _TEXTS)):
        message = f"table '{source.name}': the text {SUFFIX} means the suffix in compiled statements"
        findings.error("SW4008", message, source.span)


def _warn_of_clauses(chosen: Projection, wanted: WantedTable, findings: Findings) -> None:
    """What was not read into the source's statement, and keys over how values begin or over expressions that the
    target's values do not keep: the target goes without it, or there can be none."""
    source = chosen.source
    left_out = [what for what in source.left_out if what != PARTITION_BY or not wanted.keeps_partitions]
    left_out += [
        f"UNIQUE KEY '{key.name}' over {'an expression' if isinstance(key, FunctionalKey) else 'a prefix'}"
        for key in source.prefix_keys
        if key.name not in wanted.prefix_keys and all(name.lower() in chosen.names for name in key.columns)
    ]
    if left_out:
        message = f"table '{source.name}': left out of the target: {', '.join(left_out)}"
        hint = _PARTITIONS_HINT if PARTITION_BY in left_out else None
        findings.warning("SW4108", message, source.span, hint=hint)
    if source.refused:
        message = f"table '{source.name}': not supported: {', '.join(source.refused)}"
        hint = (
            f"leave the table out (ignore_tables: [{source.name}]), or drop the clause at the source and import again"
        )
        findings.error("SW4109", message, source.span, hint=hint)


def _primary_key(
    keys: TableKeys,
    definitions: tuple[exp.ColumnDef, ...],
    *,
    source: SourceTable,
    key: tuple[str, ...],
    findings: Findings,
) -> list[exp.PrimaryKey]:
    """A primary key over the row's identity when the source's own did not come along."""
    own = [d for d in definitions if part_of(d, exp.PrimaryKeyColumnConstraint)]
    unique = [*keys.unique, *(frozenset([d.name]) for d in definitions if part_of(d, exp.UniqueColumnConstraint))]
    unique += [frozenset([d.name]) for d in own]
    wanted = frozenset(name.lower() for name in key)
    if wanted not in [frozenset(name.lower() for name in names) for names in unique]:
        message = (
            f"table '{source.name}': the key ({', '.join(key)}) is neither the primary key nor a unique key of "
            "the target"
        )
        findings.error("SW4009", message, source.span)
        return []
    if own or keys.primary is not None:
        return []
    return [exp.PrimaryKey(expressions=[exp.to_identifier(name, quoted=True) for name in key])]


def _is_unique(definition: exp.ColumnDef) -> bool:
    return bool(part_of(definition, exp.UniqueColumnConstraint) or part_of(definition, exp.PrimaryKeyColumnConstraint))


def _is_text(kind: ColumnType) -> bool:
    return kind.is_text or kind.name in ("enum", "set")


def _options(source: SourceTable, findings: Findings, *, has_text: bool) -> exp.Properties:
    """The table options. Character set and collation must be said where there is text: the target database's default
    may be another."""
    options: list[exp.Expr] = []
    found = source.statement.args.get("properties")
    for option in found.expressions if found else ():
        if isinstance(option, exp.AutoIncrementProperty):
            continue
        kept = type(option) is exp.Property and option.name.upper() in _KEPT_NAMED_OPTIONS
        if kept or isinstance(option, _KEPT_OPTIONS):
            options.append(option)
        else:
            message = f"table '{source.name}': the option {_words(option)} is not supported on the target"
            findings.error("SW4008", message, source.span)
    named = any(isinstance(option, (exp.CharacterSetProperty, exp.CollateProperty)) for option in options)
    if has_text and not named:
        message = f"table '{source.name}' names no character set: the target's default may be another than the source's"
        hint = "add DEFAULT CHARSET=… COLLATE=… as SHOW CREATE TABLE prints it"
        findings.error("SW4006", message, source.span, hint=hint)
    return exp.Properties(expressions=options)


def _words(option: exp.Expr) -> str:
    if isinstance(option, (exp.PartitionByRangeProperty, exp.PartitionByListProperty)):
        return "PARTITION BY"
    return option.name.upper() if type(option) is exp.Property else option.sql("mysql")


def _refuse_long_names(nodes: Iterable[exp.Expr], suffixes: tuple[str, ...], span: Span, findings: Findings) -> None:
    names = {node.name for node in nodes if isinstance(node, exp.Identifier)}
    for name in sorted(name for name in names if name.endswith(SUFFIX) or len(name) > MAX_NAME):
        if full := too_long(name, suffixes):
            findings.error("SW4005", f"the name '{full}' has {len(full)} characters; servers allow {MAX_NAME}", span)


_HINT = "say `partitions: drop`"


def target_partitions(
    projection: Projection,
    columns: Iterable[MappedColumn],
    *,
    unique: Iterable[frozenset[str]],
    findings: Findings,
) -> str | None:
    """`unique` are the keys of the target. None, and a finding, where the target cannot have the clause."""
    source = projection.source
    try:
        read = read_partitions(source.partitions, lambda name: projection.names.get(name.lower(), name))
    except NotRead as word:
        message = f"table '{source.name}': its PARTITION BY is not understood: '{word}'"
        findings.error("SW4115", message, source.span, hint=_HINT)
        return None
    names = source.primary_key if read.by_key else ()
    used = dict.fromkeys(name.lower() for name in (*read.columns, *names))
    changed = {item.column.source.lower() for item in columns if item.column.mapping != "copied"}
    before = len(findings.items)
    for name in used:
        if name not in projection.names or name in changed:
            why = "has in another form (cast or masked)" if name in changed else "does not have"
            message = (
                f"table '{source.name}': its rows are partitioned by column '{_spelt(source, name)}', "
                f"which the target {why}"
            )
            findings.error("SW4113", message, source.span, hint=_HINT)
    if findings.has_stop_since(before):
        return None
    wanted = {projection.names[name].lower() for name in used}
    for key in unique:
        if missing := wanted - {name.lower() for name in key}:
            message = (
                f"table '{source.name}': its rows are partitioned by {', '.join(sorted(missing))}, and the target's "
                f"key ({', '.join(sorted(key))}) is without"
            )
            findings.error("SW4114", message, source.span, hint=_HINT)
            return None
    if read.left_out:
        message = f"table '{source.name}': left out of the target: {', '.join(read.left_out)}"
        findings.warning("SW4108", message, source.span)
    return read.text


def _spelt(source: SourceTable, name: str) -> str:
    column = source.column(name)
    return column.name if column is not None else name
