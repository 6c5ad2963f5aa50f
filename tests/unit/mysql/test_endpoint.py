"""One server as runs know it: what travels to tasks, and what no message may show."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from shardwright.runtime.failures import InputAtFault
from shardwright.runtime.mysql.dialect import warn_of_dialect
from shardwright.runtime.mysql.endpoint import Endpoint, endpoint_of
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.mysql.tls import Tls
from shardwright.runtime.sources.binlog.connection import answer_seconds
from shardwright.specs.environment.environment import ClientCertificate, Server
from shardwright.specs.environment.secret_references import SecretReference

SECRET = "canary-secret"
OURS = ClientCertificate("/ours.pem", "/ours.key")
ENDPOINT = Endpoint("db", 3306, "app", SECRET, Tls("verify_ca", "/ca.pem", OURS), migration="shop")


def test_i7_it_travels_whole_and_shows_no_password() -> None:
    arrived = pickle.loads(pickle.dumps(ENDPOINT))
    assert arrived == ENDPOINT and hash(arrived) == hash(ENDPOINT) and arrived.password == SECRET
    assert str(ENDPOINT) == "db:3306" and SECRET not in f"{ENDPOINT!r} {ENDPOINT}"


def test_c16_a_source_of_another_kind_than_the_spec_says_is_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    """In the driver: what travels to tasks expects nothing."""
    for _ in range(2):
        warn_of_dialect("db:3306", written="mysql", version="10.11.6-MariaDB")
    said = capsys.readouterr().err
    assert said.count("SW8310") == 1 and "dialect: mysql, and the source db:3306 is mariadb (10.11.6" in said
    warn_of_dialect("other:3306", written="mariadb", version="10.11.6-MariaDB")
    assert capsys.readouterr().err == ""
    expecting = replace(ENDPOINT, dialect="mysql")
    assert expecting.wait_for(3).dialect == "mysql"
    assert pickle.loads(pickle.dumps(expecting)).dialect == ""


def test_secrets_are_resolved_by_the_driver() -> None:
    server = Server("db", 3306, "app", SecretReference("env", "SW_PASSWORD"), "verify_ca", "/ca.pem", OURS)
    found = endpoint_of(server, {"SW_PASSWORD": SECRET})
    assert found.password == SECRET and found.tls == ENDPOINT.tls
    with pytest.raises(InputAtFault, match="SW7003"):
        endpoint_of(server, {})


def test_a_log_is_waited_for_a_minute_at_most() -> None:
    assert answer_seconds(ENDPOINT.patient()) == 60 and answer_seconds(ENDPOINT.wait_for(8.0)) == 8.0
    assert ENDPOINT.patient().patience.connect_seconds == ENDPOINT.patience.connect_seconds


def test_a_cutover_waits_for_no_answer_longer_than_writers_may() -> None:
    """A shorter timeout of the environment stays."""
    servers = Servers(
        {"source": ENDPOINT}, {"shop": "source"}, (ENDPOINT, ENDPOINT.wait_for(8.0)), ("shop_0", "shop_1")
    )
    within = servers.wait_at_most(30.0)
    assert within.sources["source"].patience.answer_seconds == 30.0
    assert [shard.patience.answer_seconds for shard in within.shards] == [30.0, 8.0]
