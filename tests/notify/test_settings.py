"""`on_event` of an environment file as typed model. What is refused in it: tests/cases/invalid/environment-on-event."""

from __future__ import annotations

from typing import Any

import pytest

from shardwright.specs.environment.notifications import (
    KINDS,
    ChannelSetting,
    EmailLogin,
    EmailSetting,
    EventSettings,
    HttpSetting,
    ProgramSetting,
)
from shardwright.specs.environment.read import parse_environment
from shardwright.specs.environment.secret_references import SecretReference
from shardwright.specs.shape import load_schema

TEXT = """
environment: staging
source: {host: 10.0.0.1, user: app}
servers: {a: {host: 10.0.0.2, user: app}}
shards: {order_db: a}
"""
EVENTS = """
on_event:
  lag: {above: 2m}
  purge_clock: {below: 6h}
  channels:
    chat:
      kinds: [failed, lag]
      http:
        url: {env: CHAT_URL}
        headers: {Authorization: {file: /run/secrets/chat}, X-Team: orders}
        template: notify/chat.j2
        signing_key: {env: CHAT_KEY}
        ca: /etc/ca.pem
      timeout: 3s
      retry_for: 0s
    ops: {email: {host: mail.internal, from: s@example.org, to: [a@example.org, b@example.org]}}
    sealed:
      email: {host: mail.internal, port: 2465, tls: tls, from: s@example.org, to: [a@example.org],
        login: {user: {env: MAIL_USER}, password: {env: MAIL_PASSWORD}}}
    pager: {command: [./page, --now], timeout: 1m}
"""


def _reference(name: str) -> SecretReference:
    return SecretReference("env", name)


def test_a_file_without_it_names_no_channel() -> None:
    assert parse_environment(TEXT, "staging.yaml").on_event == EventSettings((), 60.0, None)


def test_all_of_it() -> None:
    found = parse_environment(TEXT + EVENTS, "staging.yaml").on_event
    assert (found.lag_above_seconds, found.purge_below_seconds) == (120.0, 6 * 3600.0)
    assert found.within("/project").folder == "/project"
    chat, ops, sealed, pager = found.channels
    headers = {"Authorization": SecretReference("file", "/run/secrets/chat"), "X-Team": "orders"}
    http = HttpSetting(_reference("CHAT_URL"), headers, "notify/chat.j2", _reference("CHAT_KEY"), "/etc/ca.pem")
    assert chat == ChannelSetting("chat", http, ("lag", "failed"), 3.0, 0.0)
    recipients = ("a@example.org", "b@example.org")
    assert ops == ChannelSetting(
        "ops", EmailSetting("mail.internal", 587, "s@example.org", recipients), KINDS, 10.0, 300.0
    )
    login = EmailLogin(_reference("MAIL_USER"), _reference("MAIL_PASSWORD"))
    assert sealed.transport == EmailSetting("mail.internal", 2465, "s@example.org", recipients[:1], "tls", None, login)
    assert pager == ChannelSetting("pager", ProgramSetting(("./page", "--now")), timeout_seconds=60.0)


@pytest.mark.parametrize(("tls", "port"), [("starttls", 587), ("tls", 465), ("off", 25)])
def test_the_port_of_a_mail_server(tls: str, port: int) -> None:
    text = f"on_event: {{channels: {{ops: {{email: {{host: m, tls: '{tls}', from: s@e, to: [a@e]}}}}}}}}\n"
    (ops,) = parse_environment(TEXT + text, "staging.yaml").on_event.channels
    assert isinstance(ops.transport, EmailSetting) and ops.transport.port == port


def test_kinds_of_the_schema_are_those_of_the_model() -> None:
    schema: Any = load_schema("environment")
    assert tuple(schema["definitions"]["eventKinds"]["items"]["enum"]) == KINDS
