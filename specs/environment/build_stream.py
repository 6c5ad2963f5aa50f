"""The environment's `stream` section as typed model, with what its keys say about each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from shardwright.specs.environment.build_secrets import reference
from shardwright.specs.environment.stream_place import (
    SETTLE_SECONDS,
    BinlogStream,
    FolderStream,
    KafkaLogin,
    KafkaStream,
    RocketMqStream,
    StreamPlace,
)
from shardwright.specs.findings.diagnostics import Findings
from shardwright.specs.findings.span import Path
from shardwright.specs.yaml.fields import mapping, text, texts
from shardwright.specs.yaml.quantities import seconds
from shardwright.specs.yaml.source import YamlSource

PLACES = ("binlog", "kafka", "rocketmq", "folder")


def build_stream(source: YamlSource, malformed: frozenset[Path], findings: Findings) -> StreamPlace:
    """Of the server under `source`: the place; its own log where nothing is said. Reports several places, and keys that exclude
    each other."""
    node = mapping(source.data, "stream")
    given = [name for name in PLACES if name in node]
    if "stream" in mapping(source.data) and len(given) != 1:
        message = f"the stream is read from one place, not from {' and '.join(given) or 'none'}"
        hint = "write one of binlog, kafka, rocketmq and folder; leave 'stream' out for the source's binary log"
        findings.error("SW7011", message, source.key_span_of(("stream",)), hint=hint)
    if given[:1] == ["kafka"]:
        check_kafka(mapping(node, "kafka"), ("stream", "kafka"), malformed, source=source, findings=findings)
    return place(given[0], node) if given else BinlogStream()


ANYBODY: Final = (
    "'verify_ca' without 'ca' takes the certificate of anybody for whom a public authority vouches, under any name"
)
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
        settle_seconds=_settle(node),
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
        settle_seconds=_settle(node),
        access_key=reference(node, "access_key"),
        secret_key=reference(node, "secret_key"),
    )


def _settle(node: Mapping[str, object]) -> float:
    given = seconds(text(node, "settle") or "")
    return SETTLE_SECONDS if given is None else given


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
        message = "PLAIN sends the password in clear text, and without `tls` to whoever answers"
        findings.error("SW7019", message, where, hint="write tls: verify_identity")
