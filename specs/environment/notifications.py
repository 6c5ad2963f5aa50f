"""The environment's `on_event` section as typed model: which events are sent, and where to. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

from shardwright.specs.environment.secret_references import SecretReference

Kind = Literal[
    "started",
    "snapshot_complete",
    "caught_up",
    "lag",
    "purge_clock",
    "paused",
    "dead_letter",
    "conflict",
    "ddl_stop",
    "verify_differs",
    "fence_set",
    "switched",
    "rolled_back",
    "finished",
    "failed",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class ProgramSetting:
    """A program and its arguments; no shell reads them."""

    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HttpSetting:
    """An address that gets POST requests. `template` is a file of the project, in Jinja, that makes the body;
    `signing_key` signs it. `ca` is a PEM file, instead of the system's authorities."""

    url: str | SecretReference
    headers: Mapping[str, str | SecretReference] = field(default_factory=dict)
    template: str | None = None
    signing_key: SecretReference | None = None
    ca: str | None = None


@dataclass(frozen=True, slots=True)
class EmailLogin:
    user: str | SecretReference
    password: SecretReference | None


@dataclass(frozen=True, slots=True)
class EmailSetting:
    """A mail server that takes our mails. `tls` is one of `starttls`, `tls`, `off`; certificates are always verified,
    with `ca` by that authority."""

    host: str
    port: int
    sender: str
    recipients: tuple[str, ...]
    tls: str = "starttls"
    ca: str | None = None
    login: EmailLogin | None = None


TransportSetting = ProgramSetting | HttpSetting | EmailSetting


@dataclass(frozen=True, slots=True)
class ChannelSetting:
    """Where events of some kinds are sent. One attempt takes `timeout_seconds` at most. Further ones are made for
    `retry_seconds`; those of a program are within its timeout."""

    name: str
    transport: TransportSetting
    kinds: tuple[Kind, ...] = KINDS
    timeout_seconds: float = 10.0
    retry_seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class EventSettings:
    """`lag_above_seconds`: so far behind the stream is an event. `purge_below_seconds`: so little time before unread
    log may be purged is one (None: half of the log's time). `folder` is the project's, which paths of programs and
    templates are relative to."""

    channels: tuple[ChannelSetting, ...] = ()
    lag_above_seconds: float = 60.0
    purge_below_seconds: float | None = None
    folder: str = "."

    def within(self, folder: str) -> EventSettings:
        """The same of the project in that folder."""
        return replace(self, folder=folder)
