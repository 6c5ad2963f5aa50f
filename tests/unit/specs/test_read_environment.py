"""The typed model of an environment file, and what it must never give away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shardwright.specs.environment.cutover import (
    CutoverHooks,
    CutoverSettings,
    FenceSetting,
    FenceSettings,
    HookSetting,
)
from shardwright.specs.environment.environment import (
    BatchLimits,
    ClientCertificate,
    Environment,
    FailoverSettings,
    NetworkPatience,
    SecretReference,
    Server,
    SnapshotSettings,
    ThrottleSettings,
)
from shardwright.specs.environment.read import parse_environment
from shardwright.specs.environment.stream_place import BinlogStream, KafkaStream
from shardwright.specs.findings.diagnostics import SpecError
from shardwright.specs.findings.render import render

WHOLE = """
environment: staging
protected: true
source: {host: 127.0.0.1, port: 3307, user: app, password: {env: SRC_PW}, tls: verify_identity, ca: /etc/ca.pem,
  client_certificate: /etc/c.pem, client_key: /etc/c.key}
servers:
  a: {host: db-a.internal, user: {env: A_USER}, password: {file: /run/secrets/a}}
  b: {host: "::1", port: 3308, user: app, tls: off}
shards:
  "order_db_{00..01}": a
  order_db_02: b
spark: {master: "local[2]", conf: {spark.sql.shuffle.partitions: 4, spark.ui.enabled: false, spark.x: "010"}}
batch: {interval: 2s, max_rows: 10, max_bytes: 1GiB}
snapshot: {chunk_rows: 5, parallel: 2, read_from: {source: b}}
network: {connect_timeout: 3s, answer_timeout: 1m, retry_for: 0s}
failover: {margin: 5m, wait: 0s, reread_rows: 0}
throttle:
  {replicas: [b], max_lag: 2s, source_replicas: [a, b], threads_running: 40, source_threads_running: 30, commit_latency: 200ms,
  source_commit_latency: 300ms,
  rows_per_second: 1000, bytes_per_second: 2MiB, connections: 8}
cutover:
  fence: {source: {lock_accounts: [app@%, "o'neil@10.%"]}, shards: {hook: {command: [./fence.sh, shards], timeout: 3s}}}
  max_lag: 500ms
  verified_within: 2h
  drain_timeout: 0s
  max_pause: 1m
  hooks: {switched: {url: "https://flags.internal:8443/orders?to=shards"}}
work_dir: /var/tmp/shardwright
"""
SMALL = """
environment: ci
source: {host: db, user: app}
servers: {a: {host: db, user: app}}
shards: {order_db: a}
"""


def parse(text: str, *databases: str) -> Environment:
    return parse_environment(text, "environment.yaml", databases=databases or None)


def test_every_part() -> None:
    environment = parse(WHOLE, "order_db_00", "order_db_01", "order_db_02")
    a = Server("db-a.internal", 3306, SecretReference("env", "A_USER"), SecretReference("file", "/run/secrets/a"))
    b = Server("::1", 3308, "app", None, "off")
    assert (environment.name, environment.protected, environment.work_dir) == ("staging", True, "/var/tmp/shardwright")
    shown = ClientCertificate("/etc/c.pem", "/etc/c.key")
    password = SecretReference("env", "SRC_PW")
    assert environment.source == Server("127.0.0.1", 3307, "app", password, "verify_identity", "/etc/ca.pem", shown)
    assert dict(environment.shards) == {"order_db_00": a, "order_db_01": a, "order_db_02": b}
    assert environment.spark.master == "local[2]"
    assert dict(environment.spark.conf) == {
        "spark.sql.shuffle.partitions": "4",
        "spark.ui.enabled": "false",
        "spark.x": "010",
    }
    assert environment.batch == BatchLimits(2.0, 10, 1024**3)
    assert environment.snapshot == SnapshotSettings(5, 2, {"source": "b"})
    assert environment.network == NetworkPatience(3.0, 60.0, 0.0)
    assert environment.failover == FailoverSettings(300.0, 0.0, 0)
    assert environment.throttle == ThrottleSettings(("b",), 2.0, ("a", "b"), 40, 30, 0.2, 1000, 2 * 1024**2, 8, 0.3)
    assert environment.cutover == CutoverSettings(
        FenceSettings(
            FenceSetting("lock_accounts", ("app@%", "o'neil@10.%")),
            FenceSetting("hook", hook=HookSetting(("./fence.sh", "shards"), None, 3.0)),
        ),
        max_lag_seconds=0.5,
        verified_within_seconds=7200.0,
        drain_timeout_seconds=0.0,
        max_pause_seconds=60.0,
        hooks=CutoverHooks(HookSetting((), "https://flags.internal:8443/orders?to=shards", 10.0)),
    )


def test_defaults() -> None:
    environment = parse(SMALL)
    assert environment.source == Server("db", 3306, "app", None, "preferred", None)
    assert (environment.protected, environment.work_dir) == (False, None)
    assert (environment.batch, environment.snapshot) == (BatchLimits(), SnapshotSettings())
    assert environment.network == NetworkPatience()
    assert environment.failover == FailoverSettings(60.0, 60.0, 200_000)
    assert environment.throttle == ThrottleSettings((), 10.0)
    assert environment.cutover == CutoverSettings(
        FenceSettings(None, None), 5.0, 86400.0, 10.0, 30.0, CutoverHooks(None)
    )
    assert (environment.spark.master, dict(environment.spark.conf)) == ("local[*]", {})


def test_fences_of_one_word() -> None:
    environment = parse(SMALL + "cutover: {fence: {source: triggers, shards: read_only}}\n")
    assert environment.cutover.fence == FenceSettings(FenceSetting("triggers"), FenceSetting("read_only"))


def test_more_databases_than_the_spec_needs_are_fine() -> None:
    assert len(parse(WHOLE, "order_db_01").shards) == 3


def test_a_replica_that_is_no_server() -> None:
    with pytest.raises(SpecError) as caught:
        parse(WHOLE.replace("replicas: [b]", "replicas: [b, bb]"))
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("SW7004", "there is no server 'bb'") and found.hint == "known: a, b"
    with pytest.raises(SpecError) as caught:
        parse(WHOLE.replace("[a, b]", "[aa]"))
    assert [found.message for found in caught.value.diagnostics] == ["there is no server 'aa'"]


def test_a_replica_to_read_from_that_is_no_server_or_of_no_source() -> None:
    with pytest.raises(SpecError) as caught:
        parse(WHOLE.replace("{source: b}", "{source: bb, a: b}"))
    assert sorted(found.message for found in caught.value.diagnostics) == [
        "there is no server 'bb'",
        "there is no source server 'a'",
    ]


def test_databases_without_a_server() -> None:
    with pytest.raises(SpecError) as caught:
        parse(WHOLE, *(f"order_db_{number:02}" for number in range(9)))
    (found,) = caught.value.diagnostics
    assert found.code == "SW7005"
    assert found.message == "no server is given for order_db_03, order_db_04, order_db_05, order_db_06 and 2 more"


def test_a_database_of_the_target_is_never_guessed_for_another_one() -> None:
    with pytest.raises(SpecError) as caught:
        parse(WHOLE, *(f"order_db_0{number}" for number in range(4)))
    (found,) = caught.value.diagnostics
    assert found.hint == "add a line: order_db_03: SERVER"


def test_a_database_on_an_unknown_server_is_one_finding() -> None:
    text = "environment: e\nsource: {host: db, user: app}\nservers:\n  a: {host: x, user: app}\nshards: {part_0: a, part_1: aa}\n"
    with pytest.raises(SpecError) as caught:
        parse(text, "part_0", "part_1")
    assert [item.code for item in caught.value.diagnostics] == ["SW7004"]
    with pytest.raises(SpecError) as caught:
        parse(text.replace("part_1: aa", "part_l: a"), "part_0", "part_1")
    assert [(item.code, item.hint) for item in caught.value.diagnostics] == [("SW7005", "did you mean 'part_l'?")]


@pytest.mark.parametrize(
    "written",
    [
        "password: hunter2",
        "password: 'hunter2'",
        "password: [hunter2]",
        "password: {value: hunter2}",
        "password: {env: PW, value: hunter2}",
        "password: {env: '*hunter2*'}",
        "password:\n    hunter2",
        "password:\n    value: hunter2",
        "password:\n    env: PW\n    value: hunter2",
        "password:\n    - hunter2",
        "password: |\n    hunter2",
        "password: >-\n    hunter2",
        "password: &pw hunter2",
        "password: !!str hunter2",
        "password: !hunter2",
        "password: !<hunter2> x",
        "password: &hunter2 x",
        "password: *hunter2",
        "password: {env: *hunter2}",
        "password: @hunter2",
        "password: %hunter2",
        "password: `hunter2",
        "password: [hunter2",
        "password: {hunter2",
        "password: ? hunter2",
        "? password\n  : hunter2",
        "password: # hunter2\n    hunter2",
        "password: hunter2\n  password: hunter2",
        "password: hunter2 # hunter2",
        "password: hunter2: x",
        "password: 'hunter2",
        "pasword: hunter2",
        "pwd: hunter2",
        "user_token: hunter2",
    ],
)
def test_no_finding_shows_a_secret(written: str) -> None:
    text = f"environment: ci\nsource:\n  host: db\n  user: app\n  {written}\n" + SMALL[SMALL.index("servers") :]
    lines = text.split("\n")
    with pytest.raises(SpecError) as caught:
        parse(text)
    shown = render(caught.value.diagnostics, read_line=lambda file, line: lines[line - 1])
    assert "hunter2" not in shown
    assert "hunter2" not in str(caught.value)


def test_servers_with_queues_of_their_own_take_over_what_they_do_not_say() -> None:
    found = parse_environment(
        """
environment: staging
source: {host: 10.0.0.1, user: app, password: {env: SRC_PW}}
servers:
  b: {host: 10.0.0.3, user: app, password: {file: /run/secrets/b}}
  c: {host: 10.0.0.4, user: app, password: {file: /run/secrets/c}}
shards: {order_db: b}
source_databases: {shop_1: b, shop_2: c}
stream:
  kafka: {bootstrap: "10.0.0.5:9092", topics: [shop_a], max_delivery_delay: 5s, tls: verify_identity, ca: /etc/ca.pem, group: ours}
  servers:
    b: {kafka: {topics_pattern: "shop_b_.*", bootstrap: "10.0.0.6:9092"}}
    c: {binlog: {instead_of_queue: true}}
""",
        file="staging.yaml",
    )
    kafka = KafkaStream("10.0.0.5:9092", ("shop_a",), None, "ours", 5.0, "verify_identity", "/etc/ca.pem")
    assert found.stream_of("source") == kafka
    assert found.stream_of("b") == replace(kafka, bootstrap="10.0.0.6:9092", topics=(), topics_pattern="shop_b_.*")
    assert found.stream_of("c") == BinlogStream(instead_of_queue=True)
    assert len(found.stream_places) == 3
