"""How the stream reads Kafka: through Spark's own Kafka source.

Runs in the driver; Spark's tasks read the brokers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shardwright.runtime.sources.positions.queue_offsets import Offsets, QueueOffsets
from shardwright.runtime.sources.queue.kafka.brokers import KafkaBrokers
from shardwright.runtime.sources.queue.queue_reading import QueueReading
from shardwright.runtime.sources.queue.queue_source import QueueSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_ALWAYS = {
    # Nothing that an environment says can change these: a gap stops the stream (F6), aborted messages are none (F10).
    "failOnDataLoss": "true",
    "kafka.isolation.level": "read_committed",
}
_WAITS = {"kafka.request.timeout.ms": "10000", "kafka.default.api.timeout.ms": "25000"}
"""As long as the admin client waits: a broker that is gone is noticed, and the run tries again."""


class KafkaSource(QueueSource[KafkaBrokers]):
    """A partition is named "topic/number"."""

    def reading(self, spark: SparkSession, start: QueueOffsets) -> QueueReading:
        self.brokers.require_uncompacted(self.brokers.topics().ids)
        return super().reading(spark, start)

    def messages(self, spark: SparkSession, start: Offsets, end: Offsets) -> DataFrame:
        starts = {name: start.get(name, 0) for name in end}
        chosen = {
            "assign": json.dumps({topic: [int(number) for number in ends] for topic, ends in _by_topic(end).items()})
        }
        options = {**self._client(), **chosen, "startingOffsets": json.dumps(_by_topic(starts))}
        return spark.read.format("kafka").options(**options, endingOffsets=json.dumps(_by_topic(end))).load()

    def _client(self) -> dict[str, str]:
        client = {f"kafka.{name}": value for name, value in self.brokers.settings.items()}
        return {**client, **_ALWAYS, **_WAITS}


def _by_topic(offsets: Offsets) -> Mapping[str, Mapping[str, int]]:
    """As Spark writes them: topic -> partition -> offset."""
    found: dict[str, dict[str, int]] = {}
    for name, offset in offsets.items():
        topic, _, number = name.rpartition("/")
        found.setdefault(topic, {})[number] = offset
    return found
