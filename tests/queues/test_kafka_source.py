"""Kafka as a source, batch by batch, against a real broker: what is in order, what is refused, what stops the
stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from shardwright.compiler.build import build_plan
from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import Refused, RuntimeFailure, Unreachable
from shardwright.runtime.ledger.dead_letters import DeadLetter, DeadLetterState, QuarantinedKey
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.runtime.run.retry import PASSING_CODES
from shardwright.runtime.sources.positions.message_ref import Where
from shardwright.runtime.sources.positions.part import KeptPlace
from shardwright.runtime.sources.positions.queue_offsets import QueueOffsets
from shardwright.runtime.sources.queue.kafka.brokers import KafkaBrokers
from shardwright.runtime.sources.queue.kafka.connector import client_settings
from shardwright.runtime.sources.queue.kafka.source import KafkaSource
from shardwright.runtime.sources.queue.message_events import Decoding
from shardwright.runtime.spark.failures import as_failure
from shardwright.runtime.stream.batch.query import routing_sql
from shardwright.runtime.stream.quarantine.quarantined_events import admit_from, collect_quarantined_events, offer_keys
from shardwright.specs.environment.environment import BatchLimits, SparkSettings
from shardwright.specs.environment.secret_references import SecretReference
from shardwright.specs.environment.stream_place import KafkaLogin, KafkaStream
from shardwright.specs.spec.read import read_spec
from shardwright.specs.spec.stream_format import FormatName, StreamFormat
from tests.queues.connector import Change, canal, debezium
from tests.servers.certificates import Authority
from tests.servers.jars import SPARK_KAFKA, jars
from tests.servers.kafka import KafkaBroker
from tests.servers.spark_jvm import own_jvm

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.server, pytest.mark.spark]
COLUMNS = (
    Column("id", ColumnType("int"), False),
    Column("note", ColumnType("varchar", length=20, charset="utf8mb4"), True),
)
HELD_SCHEMA = "CREATE TABLE orders (id int NOT NULL PRIMARY KEY, note varchar(20)) DEFAULT CHARSET=utf8mb4;"
HELD_SPEC = """
version: 1
migration: orders
source: {dialect: mariadb, databases: [shop], schema: schema.sql, stream: {format: debezium-json, nulls: kept}}
target: {databases: "order_db_{0..1}"}
sharding:
  by_id: {shard_key: [id], database: crc32(id) % 2}
tables:
  - {table: orders, sharding: by_id, errors: quarantine}
"""


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    conf = {"spark.jars": ",".join(map(str, jars(SPARK_KAFKA))), "spark.sql.shuffle.partitions": "2"}
    with own_jvm(SparkSettings("local[2]", conf), name="kafka source") as session:
        yield session


def change(id_: int, before: str | None, after: str | None, *, at: int = 0, file: str = "binlog.000001") -> Change:
    """Of row `id_`, whose note goes from `before` to `after`; None where there is no row. `at` is its place in the
    log."""

    def row(note: str | None) -> dict[str, Any] | None:
        return None if note is None else {"id": id_, "note": note}

    return Change("shop", "orders", row(before), row(after), 1_700_000_000 + at // 100, file, at, 0)


@dataclass
class Reading:
    """A topic of its own, read by one source object after the other."""

    spark: SparkSession
    broker: KafkaBroker
    topic: str
    partitions: int
    form: FormatName
    at: QueueOffsets | None = None
    passed: frozenset[Where] = frozenset()
    made: bool = False
    place: KafkaStream | None = None
    """How the broker is reached, where not in plain text."""

    def __post_init__(self) -> None:
        if not self.made:
            self.broker.create_topic(self.topic, partitions=self.partitions)
        self.rows: dict[str, str] = {}
        self.begin()

    def begin(self) -> None:
        """As a new run does, from what the ledger kept."""
        place = self.place or KafkaStream(self.broker.bootstrap)
        stream = replace(place, topics=(self.topic,), settle_seconds=600)
        form = StreamFormat(self.form, nulls="kept")
        decoding = Decoding("source", form, {"shop.orders": COLUMNS}, {"shop.orders": (0,)}, self.passed)
        brokers = KafkaBrokers(stream, client_settings(stream), lambda: self.spark)
        nowhere = Endpoint("127.0.0.1", 1, "nobody", "")
        self.source = KafkaSource(
            "source", nowhere, "shop", decoding, brokers, BatchLimits(), "group", 600, lambda: self.spark
        )
        self.at = self.source.prove() if self.at is None else QueueOffsets.from_json(self.at.to_json())
        self.reading = self.source.reading(self.spark, self.at)

    def send(self, *changes: Change, partition: int = 0) -> None:
        form = {"canal-json": canal, "debezium-json": debezium}[self.form]
        self.broker.send(self.topic, [(None, form(item)) for item in changes], partition=partition)

    def send_text(self, *values: str | None, partition: int = 0) -> None:
        self.broker.send(self.topic, [(None, value) for value in values], partition=partition)

    def events(self) -> DataFrame:
        """What there is to read, as one batch in an order that holds."""
        assert self.at is not None
        ahead = self.reading.fetch(self.at)
        assert ahead is not None and ahead.events is not None and isinstance(ahead.end, QueueOffsets)
        read = ahead.events().persist()
        try:
            events, self.at = self.source.order_events(read, self.at, ahead.end)
        except Exception as error:
            raise as_failure(error) from error
        return events

    def batch(self) -> int:
        """Read all there is as one batch and apply it. Returns how many changes it had."""
        found = self.events().orderBy("epoch", "file", "offset", "row").collect()
        for event in found:
            if event["before"] is not None:
                self.rows.pop(event["before"][0], None)
            if event["after"] is not None:
                self.rows[event["after"][0]] = event["after"][1]
        return len(found)


@pytest.mark.long
def test_f3_changes_of_a_row_in_two_partitions_without_a_place_in_the_log_are_refused(
    spark: SparkSession, broker: KafkaBroker
) -> None:
    reading = Reading(spark, broker, "f3-refused", 2, "canal-json")
    reading.send(change(1, None, "a"), change(2, None, "b"), partition=0)
    reading.send(change(3, None, "c"), partition=1)
    assert reading.batch() == 3
    reading.begin()  # what was read lately is known again after a restart
    reading.send(change(2, "b", "later"), partition=1)
    with pytest.raises(Refused, match=r"SW8453.*shop\.orders.*f3-refused/0 offset 1 and f3-refused/1 offset 1"):
        reading.batch()


@pytest.mark.in_turn
def test_f3_a_changed_primary_key_may_not_cross_partitions(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f3-key", 2, "canal-json")
    reading.send(change(1, None, "a"), partition=0)
    moved = Change("shop", "orders", {"id": 1, "note": "a"}, {"id": 9, "note": "a"}, 1_700_000_000, "", 0, 0)
    reading.send(moved, partition=1)
    with pytest.raises(Refused, match="SW8453"):
        reading.batch()


@pytest.mark.in_turn
def test_f3_partitions_that_share_no_row_need_no_order(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f3-keyed", 2, "canal-json")
    for number in range(6):
        reading.send(change(number, None, "a"), change(number, "a", f"b{number}"), partition=number % 2)
        assert reading.batch() == 2
    assert reading.rows == {str(number): f"b{number}" for number in range(6)}


@pytest.mark.in_turn
def test_f3_changes_of_a_row_in_any_partition_are_ordered_by_the_log(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f3-ordered", 3, "debezium-json")
    reading.send(change(1, None, "first", at=100), change(2, None, "x", at=110), partition=0)
    reading.send(change(1, "second", "third", at=300), partition=1)
    assert reading.batch() == 3
    assert reading.rows["1"] == "third"
    reading.send(change(1, "first", "second", at=200), partition=2)  # read last, happened before
    assert reading.batch() == 4, "a rewound window is one batch"
    assert reading.rows == {"1": "third", "2": "x"}
    reading.begin()
    reading.send(change(2, "y", "z", at=500), partition=1)
    reading.batch()
    reading.send(change(2, "x", "y", at=400), partition=2)
    reading.batch()
    assert reading.rows == {"1": "third", "2": "z"}


@pytest.mark.long
def test_f3_of_a_held_row_that_was_read_again_a_batch_takes_what_is_behind_that_place(
    spark: SparkSession, broker: KafkaBroker, tmp_path: Path
) -> None:
    (tmp_path / "schema.sql").write_text(HELD_SCHEMA, encoding="utf-8")
    (tmp_path / "spec.yaml").write_text(HELD_SPEC, encoding="utf-8")
    plan = build_plan(read_spec(str(tmp_path / "spec.yaml")), schema=HELD_SCHEMA, ddl={}).plan
    assert plan.quarantine == {"orders": 100}
    reading = Reading(spark, broker, "f3-held", 2, "debezium-json")
    reading.send(change(1, None, "a", at=100), change(2, None, "a", at=110), change(4, "a", "young", at=500))
    reading.send(change(1, "a", "b", at=300), change(3, None, "a", at=310), change(5, None, "a", at=320))
    reading.send(change(4, "older", "old", at=400), partition=1)  # read last, happened before
    place = {"f3-held/0": 3, "f3-held/1": 0}
    letters = [letter(key, state="answered", until=place) for key in (1, 2, 3, 4)] + [letter(5, state="held")]
    changes = reading.events().persist()
    taken = admit_from(changes, plan, [reading.source], letters, ["orders"])
    assert {held.key for held, first in taken.items() if first is None} == {("4",)}
    offer_keys(changes, plan, letters, taken)
    changes.createOrReplaceTempView("changes")
    routed = spark.sql(routing_sql(plan, ("orders",), {"orders"})).collect()
    assert {row["key"][0]: (row["op"], row["row"][1]) for row in routed} == {
        "1": ("U", "b"),
        "3": ("I", "a"),
        "4": ("U", "young"),
    }
    kept = {row["key"][0]: row["events"] for row in collect_quarantined_events(changes, plan, ["orders"])}
    assert kept == {"1": 1, "2": 1, "5": 1}


def letter(key: int, *, state: DeadLetterState, until: KeptPlace | None = None) -> DeadLetter:
    held = QuarantinedKey("orders", "shop.orders", (str(key),))
    return DeadLetter(held, state, "SW8511", "", 1, 0, None, None, None, frozenset(), until, None, None)


def test_f3_more_partitions_in_mid_stream(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f3-more", 2, "canal-json")
    reading.send(change(1, None, "a"), partition=0)
    reading.batch()
    broker.raise_partitions("f3-more", 3)
    reading.partitions = 3
    reading.send(change(1, "a", "b"), partition=2)
    with pytest.raises(Refused, match="SW8453"):
        reading.batch()


def test_f5_messages_without_changes_only_move_the_stream_on(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f5", 1, "canal-json")
    reading.send(change(1, None, "a"))
    other = {**json.loads(canal(change(1, None, "a"))), "table": "unknown"}
    reading.send_text(None, json.dumps(other))
    ddl = {**other, "isDdl": True, "type": "CREATE", "sql": "create table unknown (id int)", "data": None}
    reading.send_text(json.dumps(ddl))
    assert reading.batch() == 1
    assert reading.at is not None and reading.at.offsets == {"f5/0": 4}
    reading.send_text(json.dumps({**ddl, "type": "ALTER", "table": "orders", "sql": "alter table orders add x int"}))
    with pytest.raises(RuntimeFailure, match=r"SW8457.*topic f5, partition 0, offset 4.*alter table orders"):
        reading.batch()


def test_f6_what_the_queue_does_not_hold_any_more_is_named(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f6", 2, "canal-json")
    reading.send(*(change(number, None, "a") for number in range(5)), partition=1)
    broker.delete_before("f6", 1, 3)
    with pytest.raises(Refused, match=r"SW8455: topic f6, partition 1: offsets 0 to 2 were not read and are deleted"):
        reading.begin()


def test_f6_a_topic_made_again_is_another(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f6-anew", 1, "canal-json")
    reading.send(change(1, None, "a"))
    reading.batch()
    broker.delete_topic("f6-anew")
    with pytest.raises(Refused, match="SW8452: topic f6-anew does not exist"):
        reading.begin()
    broker.create_topic("f6-anew")
    reading.send(change(1, None, "a"), change(2, None, "b"))
    with pytest.raises(Refused, match="SW8455: topic f6-anew was deleted and created again"):
        reading.begin()


def test_f7_a_message_that_cannot_be_read_is_named(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f7", 2, "canal-json")
    reading.send(change(1, None, "a"), partition=1)
    reading.send_text('{"data": [', partition=1)
    with pytest.raises(RuntimeFailure, match="SW8431: topic f7, partition 1, offset 1"):
        reading.batch()


def test_f8_a9_messages_sent_again_do_no_harm(spark: SparkSession, broker: KafkaBroker) -> None:
    changes = [change(1, None, "a", at=100), change(1, "a", "b", at=200), change(1, "b", "c", at=300)]
    for form in ("canal-json", "debezium-json"):
        reading = Reading(spark, broker, f"f8-{form}", 1, form)  # type: ignore[arg-type]
        reading.send(*changes, *changes[1:])
        reading.batch()
        assert reading.rows == {"1": "c"}
        reading.send(*changes)
        reading.batch()
        assert reading.rows == {"1": "c"}


def test_f8_messages_of_another_log_are_refused(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f8-log", 1, "debezium-json")
    reading.send(change(1, None, "a", at=5000))
    reading.batch()
    reading.send(change(1, "a", "b", at=9000), change(1, "b", "c", at=9900, file="other.000001"))
    with pytest.raises((Refused, ValueError), match=r"SW8456|another log|different logs"):
        reading.batch()


def test_f10_aborted_messages_and_gaps_in_offsets(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f10", 1, "canal-json")
    for commit, item in ((True, change(1, None, "a")), (False, change(1, "a", "never")), (True, change(2, None, "b"))):
        with broker.transaction(commit=commit) as producer:
            broker.send_in(producer, "f10", [(None, canal(item))])
    assert reading.batch() == 2
    assert reading.rows == {"1": "a", "2": "b"}


def test_f10_a_compacted_topic_is_refused(spark: SparkSession, broker: KafkaBroker) -> None:
    broker.create_topic("f10-compacted", settings={"cleanup.policy": "compact"})
    with pytest.raises(Refused, match=r"SW8463: topic f10-compacted has cleanup\.policy=compact"):
        Reading(spark, broker, "f10-compacted", 1, "canal-json", made=True)


def test_f7_one_message_is_skipped_by_its_exact_place(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "f7-over", 2, "canal-json")
    reading.send(change(1, None, "a"), partition=1)
    unknown = canal(change(1, "a", "b")).replace('"UPDATE"', '"UPSERT"')
    reading.send_text('{"data": [', unknown, partition=1)
    reading.send(change(1, "a", "c"), partition=1)
    reading.passed = frozenset({Where("f7-over", 1, 1)})
    reading.begin()
    with pytest.raises(
        RuntimeFailure, match=r"SW8432: topic f7-over, partition 1, offset 2.*--allow SW8432@f7-over/1:2,"
    ):
        reading.batch()
    with pytest.raises(RuntimeFailure, match="SW8432"):
        reading.source.decode_at("f7-over/1", 2)
    reading.passed |= {Where("f7-over", 1, 2)}
    reading.begin()
    assert reading.batch() == 2
    assert reading.rows == {"1": "c"}


def test_probe_meets_what_a_read_would_meet_next(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "probed", 2, "canal-json")
    assert reading.at is not None
    reading.source.probe(reading.at)
    reading.send(change(1, None, "a"), partition=1)
    reading.source.probe(reading.at)
    reading.send(change(1, "a", "b"), partition=0)
    with pytest.raises(Refused, match="SW8453"):
        reading.source.probe(reading.at)
    broker.delete_before("probed", 1, 1)
    with pytest.raises(Refused, match="SW8455"):
        reading.source.probe(reading.at)


def test_finished_offsets_are_shown_to_operators_tools(spark: SparkSession, broker: KafkaBroker) -> None:
    reading = Reading(spark, broker, "shown", 2, "canal-json")
    reading.send(change(1, None, "a"), partition=1)
    reading.batch()
    assert reading.source.finish(reading.at) is None  # type: ignore[arg-type]
    assert broker.read_committed("group") | {} == {**broker.read_committed("group"), ("shown", 0): 0, ("shown", 1): 1}
    gone: Mapping[str, int] = {"no-such-topic/0": 3}
    assert "consumer group" in (reading.source.finish(QueueOffsets(gone)) or "")


def _secure_stream(broker: KafkaBroker, **changed: Any) -> KafkaStream:
    login = KafkaLogin("PLAIN", "reader", SecretReference("env", "KAFKA_TEST_PASSWORD"))
    ca = str(broker.authority.file)
    stream = KafkaStream(f"127.0.0.1:{broker.secured}", ("secured",), tls="verify_identity", ca=ca, sasl=login)
    return replace(stream, **changed)


def test_i7_messages_come_over_tls_from_a_broker_that_asks_for_an_account(
    spark: SparkSession, broker: KafkaBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAFKA_TEST_PASSWORD", broker.password)
    encrypted = _secure_stream(broker, bootstrap=f"localhost:{broker.encrypted}", tls="verify_ca", sasl=None)
    for number, place in enumerate((_secure_stream(broker), encrypted)):
        reading = Reading(spark, broker, f"secured-{number}", 1, "canal-json", place=place)
        reading.send(change(1, None, "a"), change(1, "a", "b"))
        assert reading.batch() == 2 and reading.rows == {"1": "b"}


def _scram(mechanism: str) -> KafkaLogin:
    return KafkaLogin(mechanism, "reader", SecretReference("env", "KAFKA_TEST_PASSWORD"))


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_i7_messages_come_where_the_account_is_shown_by_scram(
    spark: SparkSession, broker: KafkaBroker, monkeypatch: pytest.MonkeyPatch, mechanism: str
) -> None:
    monkeypatch.setenv("KAFKA_TEST_PASSWORD", broker.scram_password)
    place = _secure_stream(broker, sasl=_scram(mechanism))
    reading = Reading(spark, broker, mechanism.lower(), 1, "canal-json", place=place)
    reading.send(change(1, None, "a"), change(1, "a", "b"))
    assert reading.batch() == 2 and reading.rows == {"1": "b"}


@pytest.mark.parametrize(
    ("changed", "password", "code", "said"),
    [({}, "wrong", "SW8102", "denies access: Authentication failed"),
     ({"sasl": _scram("SCRAM-SHA-512")}, "wrong", "SW8102", "denies access: Authentication failed"),
     ({"ca": "other"}, "", "SW8105", "unable to find valid certification path|Path does not chain"),
     ({"ca": None}, "", "SW8105", "unable to find valid certification path"),
     ({"ca": "/nothing.pem"}, "", "SW8105", "/nothing.pem, cannot be read"),
     ({"bootstrap": "localhost"}, "", "SW8105", "localhost")],
)  # fmt: skip
def test_i7_a_broker_that_is_not_verified_gets_nothing_and_is_not_tried_again(
    spark: SparkSession,
    broker: KafkaBroker,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    changed: dict[str, Any],
    password: str,
    code: str,
    said: str,
) -> None:
    monkeypatch.setenv("KAFKA_TEST_PASSWORD", password or broker.password)
    if changed.get("ca") == "other":
        changed = {"ca": str(Authority(tmp_path).file)}
    if "bootstrap" in changed:
        changed = {"bootstrap": f"localhost:{broker.secured}"}
    stream = _secure_stream(broker, **changed)
    with pytest.raises(Refused if code == "SW8102" else Unreachable, match=said) as caught:
        KafkaBrokers(stream, client_settings(stream), lambda: spark).topics()
    assert caught.value.code == code and code not in PASSING_CODES
    assert broker.password not in str(caught.value)
