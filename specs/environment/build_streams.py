"""Where the changes of every source server are read: each from a log or a queue of its own."""

from __future__ import annotations

from collections.abc import Mapping

from shardwright.specs.environment.build_stream import PLACES, build_stream, check_kafka, place
from shardwright.specs.environment.environment import SOURCE
from shardwright.specs.environment.stream_place import (
    BinlogStream,
    FolderStream,
    KafkaStream,
    RocketMqStream,
    StreamPlace,
)
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Path
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.yaml.fields import mapping
from shardwright.specs.yaml.source import YamlSource

_CODE = "SW7015"
_STREAM: Path = ("stream",)
_SERVERS: Path = ("stream", "servers")
_TOPICS = frozenset({"topics", "topics_pattern"})


def build_streams(
    source: YamlSource, others: frozenset[str], malformed: frozenset[Path], *, findings: Findings
) -> Mapping[str, StreamPlace]:
    """Of `source` and of the servers that hold other source databases (`others`), by name. Reports a server whose queue is not
    said, and queues that two servers would share."""
    places = {SOURCE: build_stream(source, malformed, findings)}
    stream = mapping(source.data, "stream")
    queue = _queue_of(stream)
    given = mapping(stream, "servers")
    if any(path[: len(_SERVERS)] == _SERVERS for path in malformed):
        return places
    for name in given:
        if name not in others:
            hint = did_you_mean(name, others) or "name a server that stands under 'source_databases'"
            where = source.key_span_of((*_SERVERS, name))
            findings.error(_CODE, f"no source database stands on server '{name}'", where, hint=hint)
    for name in sorted(others & given.keys()):
        found = _other(name, stream, queue, malformed, source=source, findings=findings)
        if found is not None:
            places[name] = found
    if queue is not None and not any(path[:1] == _STREAM for path in malformed):
        for name in sorted(others - given.keys()):
            message = f"it is not said where changes of server '{name}' are read"
            hint = f"write stream.servers.{name}: {{{queue}: ...}}, with what is its own"
            findings.error(_CODE, message, source.key_span_of(_STREAM), hint=hint)
    _require_apart(places, source=source, findings=findings)
    return places


def _queue_of(stream: Mapping[str, object]) -> str | None:
    """The kind of queue that any server's changes are read from."""
    entries = (stream, *(mapping(entry) for entry in mapping(stream, "servers").values()))
    return next((kind for kind in PLACES if kind != "binlog" for entry in entries if kind in entry), None)


def _other(
    name: str,
    stream: Mapping[str, object],
    queue: str | None,
    malformed: frozenset[Path],
    *,
    source: YamlSource,
    findings: Findings,
) -> StreamPlace | None:
    node, path = mapping(stream, "servers", name), (*_SERVERS, name)
    kinds = [kind for kind in PLACES if kind in node]
    if len(kinds) != 1 or kinds[0] not in (queue, "binlog"):
        told = " and ".join(kinds) or "nowhere"
        message = f"changes of server '{name}' are read from {told}, those of others from {queue or 'binlog'}"
        hint = f"write one of {queue or 'binlog'} and binlog"
        findings.error(_CODE, message, source.key_span_of(path), hint=hint)
        return None
    (kind,) = kinds
    if kind in ("binlog", "folder"):
        return place(kind, node)
    own = mapping(node, kind)
    taken = mapping(stream, kind)
    merged = {key: value for key, value in taken.items() if key not in _TOPICS} | dict(own)
    if kind == "kafka":
        check_kafka(merged, (*path, kind), malformed, source=source, findings=findings)
    elif "topics" not in own:
        message = f"it is not said which topics hold the changes of server '{name}'"
        findings.error(_CODE, message, source.key_span_of((*path, kind)), hint="write topics: [NAME, ...]")
    address = "bootstrap" if kind == "kafka" else "name_servers"
    if address not in merged:
        message = f"'{address}' is not said, for server '{name}' or for 'source'"
        findings.error(_CODE, message, source.key_span_of((*path, kind)), hint=f"write {address}: HOST:PORT")
    return place(kind, {kind: merged})


def _require_apart(places: Mapping[str, StreamPlace], *, source: YamlSource, findings: Findings) -> None:
    """A topic holds the changes of one server: places in two logs have no order."""
    holder: dict[tuple[str, str], str] = {}
    for name, found in places.items():
        for topic in _held(found):
            if holder.setdefault(topic, name) != name:
                message = f"'{topic[1]}' would hold the changes of servers '{holder[topic]}' and '{name}'"
                where = source.key_span_of((*_SERVERS, name))
                findings.error(_CODE, message, where, hint="have the producers write to a topic for each server")


def _held(place: StreamPlace) -> tuple[tuple[str, str], ...]:
    """Cluster and name of each topic or folder."""
    match place:
        case KafkaStream():
            named = place.topics or ((place.topics_pattern,) if place.topics_pattern else ())
            return tuple((place.bootstrap, topic) for topic in named)
        case RocketMqStream():
            return tuple((place.name_servers, topic) for topic in place.topics)
        case FolderStream():
            return (("", place.path),)
        case BinlogStream():
            return ()
