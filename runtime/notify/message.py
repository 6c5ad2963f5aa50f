"""What is sent to a channel: a document about one notice.

Pure but for the clock and the identifier; used in the process of the command. A message has what the command prints of
the event, and like the output it holds nothing that a terminal acts on.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from shardwright.runtime.notify.rules import Notice
from shardwright.specs.findings.safe_output import harmless

TEST: Final = "test"
"""The kind of the message that tries a channel."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the event was."""

    migration: str
    environment: str


@dataclass(frozen=True, slots=True)
class Message:
    """`document` is plain data, for JSON and templates: its keys are `KEYS`."""

    document: Mapping[str, Any]

    @property
    def kind(self) -> str:
        return str(self.document["kind"])

    @property
    def title(self) -> str:
        """One line, for a mail's subject."""
        found = self.document
        what = self.kind.replace("_", " ") + (" (ended)" if found["ended"] else "")
        return f"[shardwright] {found['migration']} in {found['environment']}: {what}"


KEYS: Final = ("id", "kind", "ended", "migration", "environment", "at", "sentence", "event")


def message_of(notice: Notice, kind: str, origin: Origin) -> Message:
    """The message of `kind`, which is one of the notice's."""
    event = {key: value for key, value in notice.event.as_json().items() if key != "sentence"}
    return _message(kind, origin, notice.sentence, event, ended=notice.ended)


def make_test_message(origin: Origin) -> Message:
    return _message(TEST, origin, "a test of this channel: nothing has happened", {"event": "Test"}, ended=False)


def _message(kind: str, origin: Origin, sentence: str, event: Mapping[str, Any], *, ended: bool) -> Message:
    values = (
        uuid.uuid4().hex,
        kind,
        ended,
        origin.migration,
        origin.environment,
        datetime.now(UTC).isoformat(timespec="milliseconds"),
        sentence,
        event,
    )
    return Message(_safe(dict(zip(KEYS, values, strict=True))))


def _safe(value: Any) -> Any:
    """The same data, with every text as the output prints it."""
    match value:
        case str():
            return harmless(value)
        case Mapping():
            return {harmless(str(key)): _safe(item) for key, item in value.items()}
        case list() | tuple():
            return [_safe(item) for item in value]
        case _:
            return value
