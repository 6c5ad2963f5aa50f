"""Servers that ask for the password itself (I7): nobody gets it whose certificate was not verified."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from shardwright.runtime.failures import Refused, RuntimeFailure
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.mysql.load_data import connect_for_loading
from shardwright.runtime.mysql.raw_connection import raw_connection
from shardwright.runtime.mysql.servers import connect
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.sources.binlog.connection import log_head
from tests.compiler.projects import write_texts
from tests.faults.conftest import GUARDED, GUARDED_SCHEMA
from tests.faults.rogue_login import RogueLogin
from tests.servers.certificates import Authority
from tests.support.commands import own_process
from tests.support.variants import usual

SECRET = "canary-secret"


def _raw(address: Endpoint) -> None:
    with raw_connection(address, "shop"):
        pass


WAYS: tuple[Callable[[Endpoint], object], ...] = (
    connect,
    log_head,
    _raw,
    lambda address: connect_for_loading(address, "shop"),
)


@pytest.mark.parametrize("tls", ["preferred", "off"])
@pytest.mark.parametrize(
    "plugin",
    [b"mysql_clear_password", b"dialog", b"mysql_old_password", b"caching_sha2_password", b"sha256_password"],
    ids=bytes.decode,
)
def test_i7_a_server_that_asks_for_the_password_gets_nothing(plugin: bytes, tls: str) -> None:
    for way in WAYS:
        rogue = RogueLogin(plugin)
        try:
            with pytest.raises(Refused) as refused:
                way(Endpoint("127.0.0.1", rogue.port, "app", SECRET, Tls(tls)))
            assert rogue.ended.wait(10)
        finally:
            rogue.close()
        assert refused.value.code == "SW8105" and "it was not sent" in refused.value.message, refused.value
        assert SECRET not in refused.value.message and rogue.received == b"", way


@pytest.mark.in_turn
def test_i7_over_tls_only_who_is_verified_gets_the_password(tmp_path: Path) -> None:
    authority = Authority(tmp_path / "authority")
    shown = authority.certificate("server")
    chain = tmp_path / "chain.pem"
    chain.write_bytes(Path(shown.file).read_bytes() + Path(shown.key).read_bytes())
    for tls, ca, gets in (("preferred", None, False), ("verify_ca", str(authority.file), True)):
        rogue = RogueLogin(b"mysql_clear_password", certificate=chain)
        try:
            with pytest.raises(RuntimeFailure) as failed:
                connect(Endpoint("127.0.0.1", rogue.port, "app", SECRET, Tls(tls, ca)))
            assert rogue.ended.wait(10)
        finally:
            rogue.close()
        assert (SECRET.encode() in rogue.received) == gets, tls
        assert (failed.value.code == "SW8105") != gets, failed.value


@pytest.mark.in_turn
@pytest.mark.parametrize("in_workflow", usual([False, True], only=[True]))
def test_what_a_server_says_acts_on_no_terminal_and_no_workflow(tmp_path: Path, in_workflow: bool) -> None:
    """Finding 15 of the security review: title, cleared screen, lines of their own, and commands to the runner."""
    words = b"\x1b]0;owned\x07\x1b[2J\x9b2Jverify: all equal\r\n::error file=a::injected ##[error]x"
    rogue = RogueLogin(b"", greeting=words)
    project = write_texts(
        _folder(tmp_path / "project" / "specs"), GUARDED.replace("schema.sql", "specs/schema.sql"), GUARDED_SCHEMA
    ).parent
    server = f"{{host: 127.0.0.1, port: {rogue.port}, user: app}}"
    environment = f"environment: rogue\nsource: {server}\nservers: {{a: {server}}}\nshards: {{'guarded_{{0..1}}': a}}\n"
    _folder(project / "environments").joinpath("rogue.yaml").write_text(environment)
    environ = {"GITHUB_ACTIONS": "true" if in_workflow else "false", "SHARDWRIGHT_DEBUG": ""}
    try:
        own_process(project, "compile").require(0)
        for verb in (("status",), ("preflight",), ("run", "--until", "caught-up"), ("verify",), ("--debug", "status")):
            reported = own_process(project, *verb, "--env", "rogue", environ=environ)
            text = reported.out + reported.err
            assert "verify: all equal" in text and reported.code != 0, reported
            assert not set(text) & {"\x1b", "\x07", "\x9b"}, reported
            if in_workflow:
                assert not any(line.lstrip().startswith("::error file=a") for line in text.splitlines()), reported
                assert "##[" not in text, reported
    finally:
        rogue.close()


def _folder(place: Path) -> Path:
    place.mkdir(parents=True)
    return place
