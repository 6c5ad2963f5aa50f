"""What the Kafka cluster holds, and which offsets are finished: asked through Kafka's own Java client in Spark's JVM.

Runs in the driver; reads the brokers, and writes the offsets of the consumer group.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shardwright.runtime.failures import Refused, Unreachable
from shardwright.runtime.sources.positions.queue_offsets import Offsets
from shardwright.runtime.sources.queue.broker_metadata import Topics
from shardwright.runtime.spark.failures import as_denied, java_error, reason
from shardwright.specs.environment.stream_place import KafkaStream
from shardwright.specs.findings.remedies import START_OVER

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SECONDS = 30


@dataclass
class KafkaBrokers:
    """The broker metadata of Kafka. `session` starts Spark when it is first needed."""

    stream: KafkaStream
    settings: Mapping[str, str]
    session: Callable[[], SparkSession]
    _admin: Any = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def name(self) -> str:
        with self._ask() as admin:
            return "kafka " + str(admin.describeCluster().clusterId().get(*self._within()))

    def topics(self) -> Topics:
        """The subscribed topics. Raises Refused when one does not exist, or none matches the pattern."""
        with self._ask() as admin:
            existing = {str(name) for name in admin.listTopics().names().get(*self._within())}
            wanted = self._choose_topics(existing)
            found = admin.describeTopics(list(wanted)).allTopicNames().get(*self._within())
            ids = {name: str(found[name].topicId()) for name in wanted}
            partitions = tuple(
                f"{name}/{number}" for name in wanted for number in range(found[name].partitions().size())
            )
        return Topics(ids, partitions)

    def _choose_topics(self, existing: set[str]) -> list[str]:
        if self.stream.topics_pattern is not None:
            pattern = re.compile(self.stream.topics_pattern)
            wanted = sorted(name for name in existing if pattern.fullmatch(name))
            if not wanted:
                raise Refused(
                    "SW8452",
                    f"no topic of {self.stream.bootstrap} matches topics_pattern '{self.stream.topics_pattern}'",
                )
            return wanted
        for name in self.stream.topics:
            if name not in existing:
                raise Refused("SW8452", f"topic {name} does not exist on {self.stream.bootstrap}")
        return sorted(self.stream.topics)

    def require_uncompacted(self, ids: Mapping[str, str]) -> None:
        """Compaction deletes changes: a delete leaves an empty message, of several moves of a row only the last is kept
        (F10). Raises Refused (SW8463) for a compacted topic. A cluster that does not show its topics' settings is
        assumed to have the defaults."""
        with self._ask() as admin:
            kinds = self._java.org.apache.kafka.common.config
            resources = {name: kinds.ConfigResource(kinds.ConfigResource.Type.TOPIC, name) for name in ids}
            try:
                found = admin.describeConfigs(list(resources.values())).all().get(*self._within())
            except Exception as error:
                if "AuthorizationException" in str(java_error(error)):
                    return
                raise
            for name, resource in resources.items():
                policy = str(found.get(resource).get("cleanup.policy").value())
                if "compact" in policy:
                    raise Refused(
                        "SW8463",
                        f"topic {name} has cleanup.policy={policy}: compaction deletes changes that were not read yet. "
                        f"Set cleanup.policy=delete, and {START_OVER}",
                    )

    def beginnings(self, partitions: tuple[str, ...]) -> Offsets:
        """The first offset that each partition still holds."""
        return self._offsets(partitions, "earliest")

    def ends(self, partitions: tuple[str, ...]) -> Offsets:
        """The offset behind the last message of each partition, open transactions' included."""
        return self._offsets(partitions, "latest")

    def readable(self, partitions: tuple[str, ...]) -> Offsets:
        return self._offsets(partitions, "latest", isolation="READ_COMMITTED")

    def _offsets(self, partitions: tuple[str, ...], which: str, *, isolation: str = "READ_UNCOMMITTED") -> Offsets:
        with self._ask() as admin:
            spec = getattr(self._java.org.apache.kafka.clients.admin.OffsetSpec, which)()
            keys = {name: self._partition(name) for name in partitions}
            asked = self._java.java.util.HashMap()
            for key in keys.values():
                asked.put(key, spec)
            level = getattr(self._java.org.apache.kafka.common.IsolationLevel, isolation)
            options = self._java.org.apache.kafka.clients.admin.ListOffsetsOptions(level)
            found = admin.listOffsets(asked, options).all().get(*self._within())
            return {name: int(found.get(key).offset()) for name, key in keys.items()}

    def commit(self, group: str, offsets: Offsets) -> None:
        """Show finished offsets as those of a consumer group."""
        with self._ask() as admin:
            committed = self._java.java.util.HashMap()
            for name, offset in offsets.items():
                finished = self._java.org.apache.kafka.clients.consumer.OffsetAndMetadata(offset)
                committed.put(self._partition(name), finished)
            admin.alterConsumerGroupOffsets(group, committed).all().get(*self._within())

    @property
    def _java(self) -> Any:
        spark: Any = self.session()
        return spark._jvm

    def _partition(self, name: str) -> Any:
        topic, _, number = name.rpartition("/")
        return self._java.org.apache.kafka.common.TopicPartition(topic, int(number))

    def _within(self) -> tuple[int, Any]:
        return _SECONDS, self._java.java.util.concurrent.TimeUnit.SECONDS

    @contextmanager
    def _ask(self) -> Iterator[Any]:
        with self._lock:
            try:
                if self._admin is None:
                    self._admin = self._connect()
                yield self._admin
            except Exception as error:
                said = java_error(error)
                if said is not None:
                    where = f"Kafka at {self.stream.bootstrap}"
                    if denied := as_denied(str(said), where):
                        raise denied from said
                    raise Unreachable("SW8451", f"{where} does not answer: {reason(said)}") from said
                if not isinstance(error, TypeError):  # Py4J treats a class that does not exist as a package
                    raise
                raise Refused(
                    "SW8454",
                    "Spark's JVM does not have the Kafka client: name the connector's jars in the environment's "
                    "spark.conf (spark.jars or spark.jars.packages)",
                ) from error

    def _connect(self) -> Any:
        made = self._java.java.util.HashMap()
        waits = {"request.timeout.ms": "10000", "default.api.timeout.ms": "25000"}
        for name, value in {**self.settings, **waits}.items():
            made.put(name, value)
        return self._java.org.apache.kafka.clients.admin.Admin.create(made)
