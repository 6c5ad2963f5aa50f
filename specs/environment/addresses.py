"""Addresses that an environment file names: secrets within them are found, whose words no finding repeats. Pure."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import parse_qsl, urlsplit

from shardwright.specs.findings.diagnostics import Findings, Path
from shardwright.specs.yaml.scalars import speaks_of_a_secret
from shardwright.specs.yaml.source import YamlSource


def check_address(address: str, path: Path, *, hint: str, source: YamlSource, findings: Findings) -> None:
    """The schema refuses a password before the host; this finds one behind a question mark (SW7002)."""
    try:
        named = [name for name, _ in parse_qsl(urlsplit(address).query, keep_blank_values=True)]
    except ValueError:
        return
    if any(map(speaks_of_a_secret, named)):
        message = "'url' holds a literal value; secrets are kept outside this file"
        findings.error("SW7002", message, source.span_of(path), hint=hint)


def host_in_clear_text(address: str) -> str | None:
    """The host of an address whose requests anyone on the way can read; None for https, and for this machine."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return None
    return host if parts.scheme == "http" and not is_loopback(host) else None


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
