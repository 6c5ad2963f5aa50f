"""The environment's `on_event` section: from the parsed document to the typed model. Total, like `build_stream`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from shardwright.specs.environment.addresses import check_address, host_in_clear_text, is_loopback
from shardwright.specs.environment.notifications import (
    KINDS,
    ChannelSetting,
    EmailLogin,
    EmailSetting,
    EventSettings,
    HttpSetting,
    ProgramSetting,
    TransportSetting,
)
from shardwright.specs.environment.secret_references import SecretReference, reference
from shardwright.specs.findings.diagnostics import Findings, Path
from shardwright.specs.yaml.document import duration, mapping, text, texts, whole
from shardwright.specs.yaml.scalars import seconds
from shardwright.specs.yaml.source import YamlSource

CLEAR_TEXT: Final = "SW7022"
_BY_REFERENCE: Final = "write {env: NAME} or {file: PATH}"
_SECRET_HEADER: Final = re.compile(r"(?i)auth|cookie|key|signature")
_PORTS: Final = {"starttls": 587, "tls": 465, "off": 25}


def build_events(source: YamlSource, findings: Findings) -> EventSettings:
    """Reports secrets that are written down (SW7002), or would go over the network in clear text (SW7022)."""
    node, defaults = mapping(source.data, "on_event"), EventSettings()
    channels = mapping(node, "channels")
    return EventSettings(
        channels=tuple(_channel(name, source, findings=findings) for name in channels),
        lag_above_seconds=duration(mapping(node, "lag"), "above", defaults.lag_above_seconds),
        purge_below_seconds=seconds(text(mapping(node, "purge_clock"), "below") or ""),
    )


def _channel(name: str, source: YamlSource, *, findings: Findings) -> ChannelSetting:
    path: Path = ("on_event", "channels", name)
    node, defaults = mapping(source.data, "on_event", "channels", name), ChannelSetting("", ProgramSetting(()))
    named = texts(node, "kinds") or KINDS
    return ChannelSetting(
        name,
        _transport(node, path, source=source, findings=findings),
        tuple(kind for kind in KINDS if kind in named),
        duration(node, "timeout", defaults.timeout_seconds),
        duration(node, "retry_for", defaults.retry_seconds),
    )


def _transport(node: Mapping[str, object], path: Path, *, source: YamlSource, findings: Findings) -> TransportSetting:
    if "http" in node:
        return _http(mapping(node, "http"), (*path, "http"), source=source, findings=findings)
    if "email" in node:
        return _email(mapping(node, "email"), (*path, "email"), source=source, findings=findings)
    return ProgramSetting(texts(node, "command") or ())


def _http(node: Mapping[str, object], path: Path, *, source: YamlSource, findings: Findings) -> HttpSetting:
    address = text(node, "url") or ""
    check_address(address, (*path, "url"), hint=_BY_REFERENCE, source=source, findings=findings)
    given = mapping(node, "headers")
    headers: dict[str, str | SecretReference] = {
        name: reference(given, name) or text(given, name) or "" for name in given
    }
    for name, value in headers.items():
        if isinstance(value, str) and value and _SECRET_HEADER.search(name):
            message = f"'{name}' holds a literal value; secrets are kept outside this file"
            findings.error("SW7002", message, source.span_of((*path, "headers", name)), hint=_BY_REFERENCE)
    host = host_in_clear_text(address)
    if host is not None and any(isinstance(value, SecretReference) for value in headers.values()):
        message = f"headers with secrets would go to {host} in clear text"
        findings.error(CLEAR_TEXT, message, source.span_of((*path, "url")), hint="write https://")
    return HttpSetting(
        text(node, "url") or reference(node, "url") or "",
        headers,
        text(node, "template"),
        reference(node, "signing_key"),
        text(node, "ca"),
    )


def _email(node: Mapping[str, object], path: Path, *, source: YamlSource, findings: Findings) -> EmailSetting:
    login = mapping(node, "login")
    host, tls = text(node, "host") or "", text(node, "tls") or "starttls"
    if login and tls == "off" and not is_loopback(host):
        message = f"the password would go to {host} in clear text"
        findings.error(CLEAR_TEXT, message, source.span_of((*path, "tls")), hint="write tls: starttls")
    return EmailSetting(
        host,
        whole(node, "port") or _PORTS.get(tls, 587),
        text(node, "from") or "",
        texts(node, "to") or (),
        tls,
        text(node, "ca"),
        EmailLogin(text(login, "user") or reference(login, "user") or "", reference(login, "password"))
        if login
        else None,
    )
