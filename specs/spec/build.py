"""From a parsed document to the typed model. Total: a value of the wrong shape gives the default of its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from shardwright.specs.findings.diagnostics import Faults, Findings, Path
from shardwright.specs.spec.model import (
    Backward,
    Broadcast,
    CastColumn,
    Ceiling,
    ColumnChoices,
    ColumnDefault,
    ConflictPolicy,
    Counter,
    DdlPolicy,
    DeletedRow,
    DeletePolicy,
    DeletePolicyName,
    DerivedColumn,
    Dialect,
    Distribution,
    ErrorPolicy,
    ErrorPolicyName,
    ExistingRows,
    FieldGroup,
    IdsSpec,
    InvariantSpec,
    MaskedColumn,
    ParentKey,
    PartitionsKind,
    Segment,
    Sharded,
    ShardingRule,
    Single,
    Source,
    Spec,
    TableConflicts,
    TableSpec,
    Target,
    TriggerPolicy,
    TwoWay,
    UnavailableSource,
    WriteKind,
)
from shardwright.specs.spec.settings import places_of_settings, stream_format, with_defaults
from shardwright.specs.yaml.document import mapping, text, texts, whole
from shardwright.specs.yaml.scalars import seconds
from shardwright.specs.yaml.source import YamlSource
from shardwright.specs.yaml.topology import TopologyFault, expand


def column_choices(node: Mapping[str, object], path: Path) -> ColumnChoices:
    defaults = mapping(node, "default")
    return ColumnChoices(
        include=texts(node, "include"),
        exclude=texts(node, "exclude") or (),
        rename={name: to for name, to in mapping(node, "rename").items() if isinstance(to, str)},
        derive=tuple(
            _read_derived_column(name, mapping(node, "derive", name), path) for name in mapping(node, "derive")
        ),
        cast=tuple(_cast(name, mapping(node, "cast", name), path) for name in mapping(node, "cast")),
        default=tuple(
            ColumnDefault(name, value, (*path, "default", name))
            for name, value in defaults.items()
            if isinstance(value, str)
        ),
        mask=tuple(_mask(name, value, (*path, "mask", name)) for name, value in mapping(node, "mask").items()),
    )


def _backward(node: Mapping[str, object], path: Path) -> Backward:
    values, one_way = mapping(node, "values"), mapping(node, "one_way")
    return Backward(
        path=path,
        rule=text(node, "sharding"),
        values=tuple(
            ColumnDefault(name, value, (*path, "values", name))
            for name, value in values.items()
            if isinstance(value, str)
        ),
        triggers=cast(TriggerPolicy, text(node, "triggers") or "refuse"),
        one_way=texts(one_way, "columns") or (),
        because=text(one_way, "because"),
        every_copy=text(node, "copies") == "every_database",
    )


def _read_derived_column(name: str, node: Mapping[str, object], path: Path) -> DerivedColumn:
    return DerivedColumn(name, text(node, "expr") or "", text(node, "type") or "", (*path, "derive", name))


def _cast(name: str, node: Mapping[str, object], path: Path) -> CastColumn:
    accepted = text(node, "loss") == "accept"
    return CastColumn(name, text(node, "type") or "", accepted, text(node, "reason"), (*path, "cast", name))


def _mask(name: str, value: object, path: Path) -> MaskedColumn:
    node = mapping(value)
    if "hash" in node:
        return MaskedColumn(name, "hash", None, "salt" in node, path)
    if "keep_last" in node:
        return MaskedColumn(name, "keep_last", whole(node, "keep_last") or 1, False, path)
    return MaskedColumn(name, "redact", None, False, path)


def build_spec(source: YamlSource, findings: Findings) -> Spec:
    """The model of a document. Reports what is wrong with topologies; relies on `check_shape` for the rest."""
    return _Builder(source, findings).spec()


class _Builder:
    def __init__(self, source: YamlSource, findings: Findings) -> None:
        self._yaml = source
        self._findings = findings
        self._faults: set[Path] = set()

    def spec(self) -> Spec:
        document = mapping(self._yaml.data)
        tables = document.get("tables")
        defaults = mapping(document, "defaults")
        entries = [mapping(entry) for entry in (tables if isinstance(tables, list) else ())]
        spans, key_spans = places_of_settings(self._yaml, defaults, entries)
        spec = Spec(
            file=self._yaml.file,
            version=whole(document, "version") or 1,
            migration=text(document, "migration") or "",
            owner=text(document, "owner"),
            source=self._source(mapping(document, "source")),
            target=self._target(mapping(document, "target")),
            sharding={
                name: self._rule(mapping(document, "sharding", name), ("sharding", name))
                for name in mapping(document, "sharding")
            },
            tables=tuple(
                self._table(with_defaults(defaults, entry), ("tables", index)) for index, entry in enumerate(entries)
            ),
            ignore_tables=texts(document, "ignore_tables") or (),
            ignore={code: text(mapping(document, "ignore"), code) or "" for code in mapping(document, "ignore")},
            ddl=text(document, "ddl"),
            invariants=_invariants(document.get("invariants")),
            ids=_ids(document.get("ids")),
            ledger=text(mapping(document, "ledger"), "database"),
            flight_recorder=whole(mapping(document, "flight_recorder"), "rows") or 0,
            two_way=_two_way(mapping(document, "two_way")) if "two_way" in document else None,
            spans=spans,
            key_spans=key_spans,
        )
        return replace(spec, faults=Faults(frozenset(self._faults)))

    def _source(self, node: Mapping[str, object]) -> Source:
        return Source(
            # Where it is missing, nothing is refused that one of the two can do.
            dialect=cast(Dialect, text(node, "dialect") or "mariadb"),
            databases=self._names(node, "databases", ("source",)),
            tables_suffix=self._suffixes(node, ("source",)),
            schema=text(node, "schema") or "",
            stream=stream_format(mapping(node, "stream")),
            path=("source",),
            ddl=cast(DdlPolicy, text(mapping(node, "stream"), "ddl") or "stop"),
            ignored_ddl=texts(mapping(node, "stream"), "ignore_ddl") or (),
            unavailable_source=cast(
                UnavailableSource, text(mapping(node, "stream"), "unavailable_source") or "isolate"
            ),
            sharding={
                name: self._rule(mapping(node, "sharding", name), ("source", "sharding", name))
                for name in mapping(node, "sharding")
            },
            ignore_marks=texts(mapping(node, "stream"), "ignore_marks") or (),
            ignore_marks_in=texts(mapping(node, "stream"), "ignore_marks_in") or (),
        )

    def _target(self, node: Mapping[str, object]) -> Target:
        return Target(self._names(node, "databases", ("target",)), self._suffixes(node, ("target",)), ("target",))

    def _suffixes(self, node: Mapping[str, object], path: Path) -> tuple[str, ...]:
        return self._names(node, "tables_suffix", path, may_be_empty=True) or ("",)

    def _names(
        self, node: Mapping[str, object], key: str, path: Path, *, may_be_empty: bool = False
    ) -> tuple[str, ...]:
        value = text(node, key)
        topology = texts(node, key) if value is None else value
        if topology is None:
            return ()
        try:
            return expand(topology, may_be_empty=may_be_empty)
        except TopologyFault as fault:
            place: Path = (*path, key) if fault.item is None else (*path, key, fault.item)
            self._findings.error(fault.code, fault.message, self._yaml.span_of(place))
            self._faults.add(place)
            return ()

    def _rule(self, node: Mapping[str, object], path: Path) -> ShardingRule:
        return ShardingRule(
            name=str(path[-1]),
            shard_key=texts(node, "shard_key") or (),
            database=text(node, "database"),
            table=text(node, "table"),
            algorithm=text(node, "algorithm"),
            options={key: value for key, value in mapping(node, "options").items() if not key.startswith("x-")},
            tables_suffix=self._suffixes(node, path) if "tables_suffix" in node else None,
            path=path,
            vectors=text(node, "vectors"),
            buckets=text(node, "buckets") or whole(node, "buckets"),
        )

    def _table(self, node: Mapping[str, object], path: Path) -> TableSpec:
        groups = mapping(node, "groups")
        return TableSpec(
            table=text(node, "table") or text(node, "each") or "",
            excepted=texts(node, "except") or (),
            expect=whole(node, "expect"),
            to=text(node, "to"),
            key=texts(node, "key"),
            distribution=_distribution(node.get("sharding")),
            weight=whole(node, "weight") or 0,
            version_column=text(node, "version_column"),
            write=cast(WriteKind, text(node, "write") or "rows"),
            columns=column_choices(mapping(node, "columns"), (*path, "columns")),
            where=text(node, "where"),
            groups=tuple(
                FieldGroup(
                    name,
                    texts(mapping(groups, name), "columns") or (),
                    (*path, "groups", name),
                    text(mapping(groups, name), "on_change"),
                )
                for name in groups
            ),
            deletes=_deletes(node.get("deletes")),
            on_key_collision=_on_key_collision(node),
            path=path,
            origin_column=text(mapping(node, "on_key_collision"), "add_column"),
            errors=_errors(node.get("errors")),
            existing_rows=cast(ExistingRows, text(node, "existing_rows") or "refuse"),
            defer_indexes=node.get("defer_indexes") is True,
            partitions=cast(PartitionsKind, text(node, "partitions") or "drop"),
            backward=_backward(mapping(node, "backward"), (*path, "backward")),
            by_all_columns=text(node, "key") == "all_columns",
            is_group="each" in node and "table" not in node,
            conflicts=_conflicts(node.get("conflicts"), (*path, "conflicts")),
        )


def _invariants(value: object) -> tuple[InvariantSpec, ...]:
    entries = enumerate(mapping(entry) for entry in (value if isinstance(value, list) else ()))
    return tuple(
        InvariantSpec(
            name=text(entry, "name") or "",
            query=text(entry, "none") or text(entry, "sql") or "",
            must_be_empty="none" in entry,
            path=("invariants", index),
        )
        for index, entry in entries
    )


_MARGIN: Final = 1000


def _ids(value: object) -> tuple[IdsSpec, ...]:
    entries = enumerate(mapping(entry) for entry in (value if isinstance(value, list) else ()))
    return tuple(_ids_of(entry, ("ids", index)) for index, entry in entries)


def _ids_of(entry: Mapping[str, object], path: Path) -> IdsSpec:
    table, _, column = (text(entry, "column") or "").partition(".")
    margin = whole(entry, "margin")
    return IdsSpec(
        table=table,
        column=column,
        shards=_counter(entry.get("shards"), (*path, "shards")),
        source=_counter(entry["source"], (*path, "source")) if "source" in entry else None,
        margin=_MARGIN if margin is None else margin,
        path=path,
    )


def _counter(value: object, path: Path) -> Counter:
    if not isinstance(value, Mapping):
        return "auto_increment"
    node = mapping(value)
    return Segment(
        table=text(node, "table") or "",
        database=text(node, "database") or "",
        name=text(node, "name") or "",
        name_column=text(node, "name_column") or "name",
        next_id_column=text(node, "next_id_column") or "next_id",
        path=path,
    )


def _distribution(value: object) -> Distribution:
    if isinstance(value, str):
        return Broadcast() if value == "broadcast" else Sharded(value)
    node = mapping(value)
    if "single" in node:
        return Single(text(node, "single") or "", text(node, "from"))
    if "broadcast" in node:
        return Broadcast(text(mapping(node, "broadcast"), "from"))
    parent = mapping(node, "shard_key")
    return Sharded(
        rule=text(node, "rule") or "",
        shard_key=texts(node, "shard_key"),
        parent=ParentKey(text(parent, "parent") or "", texts(parent, "via") or ()) if parent else None,
    )


def _two_way(node: Mapping[str, object]) -> TwoWay:
    return TwoWay(
        path=("two_way",),
        writers="both" if text(node, "writers") == "both" else "by_bucket",
        conflicts=cast("ConflictPolicy | None", text(node, "conflicts")),
    )


def _conflicts(value: object, path: Path) -> TableConflicts:
    node = mapping(value)
    policy = value if isinstance(value, str) else text(node, "policy")
    return TableConflicts(
        path,
        cast("ConflictPolicy | None", policy),
        cast(DeletedRow, text(node, "deletes") or "keep"),
        texts(node, "greatest") or (),
        texts(node, "counters") or (),
        text(node, "rule"),
    )


def _on_key_collision(node: Mapping[str, object]) -> str:
    if "add_column" in mapping(node, "on_key_collision"):
        return "add_column"
    return text(node, "on_key_collision") or "refuse"


def _errors(value: object) -> ErrorPolicy:
    policy = value if isinstance(value, str) else text(mapping(value), "policy")
    at_most = whole(mapping(value), "at_most")
    usual = ErrorPolicy()
    return ErrorPolicy(cast(ErrorPolicyName, policy or usual.policy), usual.at_most if at_most is None else at_most)


def _deletes(value: object) -> DeletePolicy:
    policy = value if isinstance(value, str) else text(mapping(value), "policy")
    delay = seconds(text(mapping(value), "delay") or "")
    return DeletePolicy(
        cast(DeletePolicyName, policy or "until_snapshot"),
        None if delay is None else round(delay),
        _ceiling(mapping(value).get("stop_above")),
    )


def _ceiling(value: object) -> Ceiling | None:
    if isinstance(value, str) and value.endswith("%") and value[:-1].isdecimal():
        return Ceiling(int(value[:-1]), "percent")
    return Ceiling(value, "rows") if isinstance(value, int) and not isinstance(value, bool) else None
