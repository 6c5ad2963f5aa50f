"""Passwords that would go to whoever answers are refused when the environment is read (I7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from shardwright.specs.environment.read import read_environment
from shardwright.specs.findings.diagnostics import SpecError

TEXT = """
environment: test
source: {host: db, user: app, password: {env: PW}TLS}
servers:
  a: {host: db, user: app, password: {env: PW}}
shards: {one: a}
"""
KAFKA = (
    "stream: {kafka: {bootstrap: 'k:9092', topics: [t]TLS, sasl: {mechanism: PLAIN, user: u, password: {env: PW}}}}\n"
)


@pytest.mark.parametrize(
    ("text", "tls", "codes"),
    [
        (TEXT, ", tls: verify_ca", ["SW7018"]),
        (TEXT, ", tls: verify_ca, ca: ca.pem", []),
        (TEXT, ", tls: verify_identity", []),
        (TEXT.replace("TLS", "") + KAFKA, "", ["SW7019"]),
        (TEXT.replace("TLS", "") + KAFKA, ", tls: 'off'", ["SW7019"]),
        (TEXT.replace("TLS", "") + KAFKA, ", tls: verify_ca", ["SW7018"]),
        (TEXT.replace("TLS", "") + KAFKA, ", tls: verify_identity", []),
        (TEXT.replace("TLS", "") + KAFKA.replace("PLAIN", "SCRAM-SHA-256"), "", []),
    ],
)
def test_i7_no_password_to_any_server_that_answers(text: str, tls: str, codes: list[str], tmp_path: Path) -> None:
    file = tmp_path / "test.yaml"
    file.write_text(text.replace("TLS", tls), encoding="utf-8")
    found: list[str] = []
    try:
        read_environment(str(file), databases=("one",))
    except SpecError as error:
        found = [item.code for item in error.diagnostics]
    assert found == codes
