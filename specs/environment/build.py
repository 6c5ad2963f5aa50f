"""From a parsed environment file to the typed model. Total, like `spec.build`."""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.specs.environment.build_cutover import build_cutover
from shardwright.specs.environment.build_notifications import build_events
from shardwright.specs.environment.build_stream import ANYBODY, ANYBODY_HINT, build_streams
from shardwright.specs.environment.environment import (
    SOURCE,
    BatchLimits,
    ClientCertificate,
    Environment,
    FailoverSettings,
    NetworkPatience,
    Server,
    SnapshotSettings,
    SparkSettings,
    ThrottleSettings,
)
from shardwright.specs.environment.secret_references import reference
from shardwright.specs.findings.diagnostics import Findings, Note, Path
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.shape.shape import lies_within
from shardwright.specs.yaml.document import duration, mapping, text, texts, whole
from shardwright.specs.yaml.scalars import seconds, size_in_bytes
from shardwright.specs.yaml.source import YamlSource
from shardwright.specs.yaml.topology import TopologyFault, expand

_DEFAULT_PORT = 3306
_SHOWN = ("client_certificate", "client_key")


def build_environment(source: YamlSource, malformed: frozenset[Path], findings: Findings) -> Environment:
    """The model of a document. Reports what its parts say about each other; `check_shape` does the rest."""
    document = mapping(source.data)
    servers = {name: _server(mapping(document, "servers", name)) for name in mapping(document, "servers")}
    for path in (("source",), *(("servers", name) for name in servers)):
        _check_certificates(mapping(document, *path), path, source=source, findings=findings)
    snapshot = mapping(document, "snapshot")
    placed = _servers_by_database("source_databases", source, servers, malformed=malformed, findings=findings)
    streams = build_streams(source, frozenset(placed.values()), malformed, findings=findings)
    return Environment(
        file=source.file,
        name=text(document, "environment") or "",
        source=_server(mapping(document, "source")),
        shards={
            database: servers[name]
            for database, name in _servers_by_database(
                "shards", source, servers, malformed=malformed, findings=findings
            ).items()
        },
        spark=_spark(mapping(document, "spark")),
        batch=_batch(mapping(document, "batch")),
        snapshot=SnapshotSettings(
            chunk_rows=whole(snapshot, "chunk_rows"),
            parallel=whole(snapshot, "parallel"),
            read_from=_read_from(source, servers, {SOURCE, *placed.values()}, findings=findings),
        ),
        network=_network(mapping(document, "network")),
        protected=document.get("protected") is True,
        work_dir=text(document, "work_dir"),
        servers=servers,
        source_databases=placed,
        stream=streams[SOURCE],
        other_streams={name: place for name, place in streams.items() if name != SOURCE},
        failover=_failover(mapping(document, "failover")),
        throttle=_throttle(source, servers, findings=findings),
        cutover=build_cutover(source, findings),
        on_event=build_events(source, findings),
    )


def _server(node: Mapping[str, object]) -> Server:
    return Server(
        host=text(node, "host") or "",
        port=whole(node, "port") or _DEFAULT_PORT,
        user=text(node, "user") or reference(node, "user") or "",
        password=reference(node, "password"),
        tls=text(node, "tls") or "preferred",
        ca=text(node, "ca"),
        shown=_client_certificate(text(node, "client_certificate"), text(node, "client_key")),
    )


def _client_certificate(certificate: str | None, key: str | None) -> ClientCertificate | None:
    return ClientCertificate(certificate, key) if certificate and key else None


def _check_certificates(node: Mapping[str, object], path: Path, *, source: YamlSource, findings: Findings) -> None:
    """What is never looked at would only pretend that somebody is verified."""
    tls = text(node, "tls") or "preferred"
    for name in ("ca", *_SHOWN):
        if name in node and tls not in ("verify_ca", "verify_identity"):
            message = f"'{name}' has no effect with tls '{tls}'"
            hint = "write tls: verify_identity"
            findings.error("SW7006", message, source.key_span_of((*path, name)), hint=hint)
    if tls == "verify_ca" and "ca" not in node:
        findings.error("SW7018", ANYBODY, source.key_span_of((*path, "tls")), hint=ANYBODY_HINT)
    given = [name for name in _SHOWN if name in node]
    if len(given) == 1:
        (missing,) = set(_SHOWN) - set(given)
        message = f"'{given[0]}' without '{missing}': a certificate is shown with its key"
        findings.error("SW7016", message, source.key_span_of((*path, given[0])), hint=f"add {missing}: FILE")


def _servers_by_database(
    member: str, source: YamlSource, servers: Mapping[str, Server], *, malformed: frozenset[Path], findings: Findings
) -> Mapping[str, str]:
    """Database -> name of its server, of a mapping whose keys are databases or ranges of them."""
    placed: dict[str, str] = {}
    places: dict[str, Path] = {}
    for topology, server in mapping(source.data, member).items():
        path: Path = (member, topology)
        if lies_within(path, malformed) or not isinstance(server, str):
            continue
        if not _is_server(server, servers, path, source=source, findings=findings):
            continue
        for database in _databases(path, topology, source=source, findings=findings):
            if places.setdefault(database, path) != path:
                note = Note("first placed at", source.key_span_of(places[database]))
                message = f"database '{database}' is placed twice"
                findings.error("SW7007", message, source.key_span_of(path), notes=(note,))
                break
            placed[database] = server
    return placed


def _databases(path: Path, topology: str, *, source: YamlSource, findings: Findings) -> tuple[str, ...]:
    try:
        return expand(topology)
    except TopologyFault as fault:
        findings.error(fault.code, fault.message, source.key_span_of(path))
        return ()


def _spark(node: Mapping[str, object]) -> SparkSettings:
    given = mapping(node, "conf")
    conf = {name: reference(given, name) or _spark_value(value) for name, value in given.items()}
    return SparkSettings(master=text(node, "master") or SparkSettings().master, conf=conf)


def _spark_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _batch(node: Mapping[str, object]) -> BatchLimits:
    defaults = BatchLimits()
    return BatchLimits(
        interval_seconds=duration(node, "interval", defaults.interval_seconds),
        max_rows=whole(node, "max_rows") or defaults.max_rows,
        max_bytes=size_in_bytes(text(node, "max_bytes") or "") or defaults.max_bytes,
    )


def _network(node: Mapping[str, object]) -> NetworkPatience:
    defaults = NetworkPatience()
    return NetworkPatience(
        connect_seconds=duration(node, "connect_timeout", defaults.connect_seconds),
        answer_seconds=duration(node, "answer_timeout", defaults.answer_seconds),
        retry_seconds=duration(node, "retry_for", defaults.retry_seconds),
    )


def _failover(node: Mapping[str, object]) -> FailoverSettings:
    defaults = FailoverSettings()
    rows = whole(node, "reread_rows")
    return FailoverSettings(
        margin_seconds=duration(node, "margin", defaults.margin_seconds),
        wait_seconds=duration(node, "wait", defaults.wait_seconds),
        reread_rows=defaults.reread_rows if rows is None else rows,
    )


def _throttle(source: YamlSource, servers: Mapping[str, Server], *, findings: Findings) -> ThrottleSettings:
    node = mapping(source.data, "throttle")
    return ThrottleSettings(
        replicas=_server_names("replicas", source, servers, findings=findings),
        max_lag_seconds=duration(node, "max_lag", ThrottleSettings().max_lag_seconds),
        source_replicas=_server_names("source_replicas", source, servers, findings=findings),
        threads_running=whole(node, "threads_running"),
        source_threads_running=whole(node, "source_threads_running"),
        commit_latency_seconds=seconds(text(node, "commit_latency") or ""),
        rows_per_second=whole(node, "rows_per_second"),
        bytes_per_second=size_in_bytes(text(node, "bytes_per_second") or "") or None,
        connections=whole(node, "connections"),
        source_commit_latency_seconds=seconds(text(node, "source_commit_latency") or ""),
    )


def _read_from(
    source: YamlSource, servers: Mapping[str, Server], sources: set[str], *, findings: Findings
) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name, replica in mapping(source.data, "snapshot", "read_from").items():
        path = ("snapshot", "read_from", name)
        if name not in sources:
            hint = f"known: {', '.join(sorted(sources))}"
            findings.error("SW7004", f"there is no source server '{name}'", source.key_span_of(path), hint=hint)
        elif isinstance(replica, str) and _is_server(replica, servers, path, source=source, findings=findings):
            found[name] = replica
    return found


def _server_names(
    member: str, source: YamlSource, servers: Mapping[str, Server], *, findings: Findings
) -> tuple[str, ...]:
    """Names in `servers` that a list under `throttle` holds."""
    named = texts(mapping(source.data, "throttle"), member) or ()
    return tuple(
        name
        for place, name in enumerate(named)
        if _is_server(name, servers, ("throttle", member, place), source=source, findings=findings)
    )


def _is_server(name: str, servers: Mapping[str, Server], path: Path, *, source: YamlSource, findings: Findings) -> bool:
    """Reports a name, which stands at `path`, that is none under `servers`."""
    if name not in servers:
        hint = did_you_mean(name, servers) or f"known: {', '.join(servers)}"
        findings.error("SW7004", f"there is no server '{name}'", source.span_of(path), hint=hint)
    return name in servers
