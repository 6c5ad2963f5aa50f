"""The environment's `stream` and `streams` sections as typed model: where the changes of every source server are
read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from shardwright.specs.environment.environment import SOURCE
from shardwright.specs.environment.secret_references import reference
from shardwright.specs.environment.stream_place import (
    SETTLE_SECONDS,
    BinlogStream,
    FolderStream,
    KafkaLogin,
    KafkaStream,
    RocketMqStream,
    StreamPlace,
)
from shardwright.specs.findings.diagnostics import Findings, Path
from shardwright.specs.findings.wording import did_you_mean
from shardwright.specs.yaml.document import duration, mapping, text, texts
from shardwright.specs.yaml.source import YamlSource

PLACES = ("binlog", "kafka", "rocketmq", "folder")


def build_stream(source: YamlSource, malformed: frozenset[Path], findings: Findings) -> StreamPlace:
    """Of the server under `source`: the place; its own log where nothing is said. Reports several places, and keys that
    exclude each other."""
    node = mapping(source.data, "stream")
    given = [name for name in PLACES if name in node]
    if "stream" in mapping(source.data) and len(given) != 1:
        message = f"the stream is read from one place, not from {' and '.join(given) or 'none'}"
        hint = "write one of binlog, kafka, rocketmq and folder; leave 'stream' out for the source's binary log"
        findings.error("SW7011", message, source.key_span_of(("stream",)), hint=hint)
    if given[:1] == ["kafka"]:
        check_kafka(mapping(node, "kafka"), ("stream", "kafka"), malformed, source=source, findings=findings)
    return place(given[0], node) if given else BinlogStream()


ANYBODY: Final = "'verify_ca' without 'ca' accepts any certificate that a public authority has signed, under any name"
ANYBODY_HINT: Final = "add ca: FILE, or write tls: verify_identity"


def place(kind: str, node: Mapping[str, object]) -> StreamPlace:
    """`node` holds `kind`, one of PLACES, as a member."""
    match kind:
        case "kafka":
            return _kafka(mapping(node, "kafka"))
        case "rocketmq":
            return _rocketmq(mapping(node, "rocketmq"))
        case "folder":
            return FolderStream(text(node, "folder") or "")
        case _:
            return BinlogStream(mapping(node, "binlog").get("instead_of_queue") is True)


def _kafka(node: Mapping[str, object]) -> KafkaStream:
    return KafkaStream(
        bootstrap=text(node, "bootstrap") or "",
        topics=texts(node, "topics") or (),
        topics_pattern=text(node, "topics_pattern"),
        group=text(node, "group"),
        settle_seconds=duration(node, "max_delivery_delay", SETTLE_SECONDS),
        tls=text(node, "tls") or "off",
        ca=text(node, "ca"),
        sasl=_login(mapping(node, "sasl")) if "sasl" in node else None,
    )


def _login(node: Mapping[str, object]) -> KafkaLogin:
    user = text(node, "user") or reference(node, "user") or ""
    return KafkaLogin(text(node, "mechanism") or "", user, reference(node, "password"))


def _rocketmq(node: Mapping[str, object]) -> RocketMqStream:
    return RocketMqStream(
        name_servers=(text(node, "name_servers") or "").replace(",", ";"),
        topics=texts(node, "topics") or (),
        group=text(node, "group"),
        settle_seconds=duration(node, "max_delivery_delay", SETTLE_SECONDS),
        access_key=reference(node, "access_key"),
        secret_key=reference(node, "secret_key"),
    )


def check_kafka(
    node: Mapping[str, object], path: Path, malformed: frozenset[Path], *, source: YamlSource, findings: Findings
) -> None:
    """What stands at `path`, with what it takes over from elsewhere."""
    # A misspelt key may be the missing one.
    clear = not any(found[: len(path)] == path for found in malformed)
    if ("topics" in node) == ("topics_pattern" in node) and clear:
        message = "either 'topics' or 'topics_pattern' says which topics are read"
        findings.error("SW7012", message, source.key_span_of(path), hint="write topics: [NAME, ...]")
    pattern = text(node, "topics_pattern")
    try:
        re.compile(pattern or "")
    except re.error as error:
        where = source.span_of((*path, "topics_pattern"))
        findings.error("SW7013", f"'topics_pattern' is no regular expression: {error}", where)
    if "ca" in node and (text(node, "tls") or "off") == "off":
        where = source.key_span_of((*path, "ca"))
        findings.error("SW7006", "'ca' has no effect with tls 'off'", where, hint="write tls: verify_identity")
    if text(node, "tls") == "verify_ca" and "ca" not in node:
        findings.error("SW7018", ANYBODY, source.key_span_of((*path, "tls")), hint=ANYBODY_HINT)
    login = mapping(node, "sasl")
    if text(login, "mechanism") == "PLAIN" and (text(node, "tls") or "off") == "off":
        where = source.span_of((*path, "sasl", "mechanism"))
        message = "PLAIN sends the password in clear text, and without `tls` to any server that answers"
        findings.error("SW7019", message, where, hint="write tls: verify_identity")


_CODE = "SW7015"
_STREAM: Path = ("stream",)
_SERVERS: Path = ("stream", "servers")
_TOPICS = frozenset({"topics", "topics_pattern"})


def build_streams(
    source: YamlSource, others: frozenset[str], malformed: frozenset[Path], *, findings: Findings
) -> Mapping[str, StreamPlace]:
    """Of `source` and of the servers that hold other source databases (`others`), by name. Reports a server whose queue
    is not said, and queues that two servers would share."""
    places = {SOURCE: build_stream(source, malformed, findings)}
    stream = mapping(source.data, "stream")
    queue = _queue_of(stream)
    given = mapping(stream, "servers")
    if any(path[: len(_SERVERS)] == _SERVERS for path in malformed):
        return places
    for name in given:
        if name not in others:
            hint = did_you_mean(name, others) or "name a server that is listed under 'source_databases'"
            where = source.key_span_of((*_SERVERS, name))
            findings.error(_CODE, f"no source database is on server '{name}'", where, hint=hint)
    for name in sorted(others & given.keys()):
        found = _other(name, stream, queue, malformed, source=source, findings=findings)
        if found is not None:
            places[name] = found
    if queue is not None and not any(path[:1] == _STREAM for path in malformed):
        for name in sorted(others - given.keys()):
            message = f"nothing says where changes of server '{name}' are read"
            hint = f"write stream.servers.{name}: {{{queue}: ...}}, with what is its own"
            findings.error(_CODE, message, source.key_span_of(_STREAM), hint=hint)
    _require_separate(places, source=source, findings=findings)
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
        named = " and ".join(kinds) or "nowhere"
        message = f"changes of server '{name}' are read from {named}, those of others from {queue or 'binlog'}"
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
        message = f"nothing says which topics hold the changes of server '{name}'"
        findings.error(_CODE, message, source.key_span_of((*path, kind)), hint="write topics: [NAME, ...]")
    address = "bootstrap" if kind == "kafka" else "name_servers"
    if address not in merged:
        message = f"'{address}' is not said, for server '{name}' or for 'source'"
        findings.error(_CODE, message, source.key_span_of((*path, kind)), hint=f"write {address}: HOST:PORT")
    return place(kind, {kind: merged})


def _require_separate(places: Mapping[str, StreamPlace], *, source: YamlSource, findings: Findings) -> None:
    """A topic holds the changes of one server: places in two logs have no order."""
    holder: dict[tuple[str, str], str] = {}
    for name, found in places.items():
        for topic in _topics_or_folders(found):
            if holder.setdefault(topic, name) != name:
                message = f"'{topic[1]}' would hold the changes of servers '{holder[topic]}' and '{name}'"
                where = source.key_span_of((*_SERVERS, name))
                findings.error(_CODE, message, where, hint="have the producers write to a topic for each server")


def _topics_or_folders(place: StreamPlace) -> tuple[tuple[str, str], ...]:
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
