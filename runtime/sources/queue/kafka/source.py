"""How the stream reads Kafka: through Spark's own Kafka source. How Spark gets that source, and which options it gets.

Runs in the driver; Spark's tasks read the brokers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from shardwright.runtime.failures import InputAtFault, Unreachable
from shardwright.runtime.sources.queue.kafka.brokers import KafkaBrokers
from shardwright.runtime.sources.queue.offsets import Offsets, QueueOffsets
from shardwright.runtime.sources.queue.queue_reading import QueueReading
from shardwright.runtime.sources.queue.queue_source import QueueSource
from shardwright.specs.environment.environment import Environment, SparkSettings
from shardwright.specs.environment.read import SecretUnavailable, resolve_secret
from shardwright.specs.environment.stream_place import KafkaLogin, KafkaStream, RocketMqStream

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


CONNECTOR = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0"
"""The newest published one that runs with this PySpark: for 4.3 there is none of the same number."""
ROCKETMQ = "org.apache.rocketmq:rocketmq-client:5.5.0"
"""Spark only fetches it: the client runs in a JVM of its own."""
_JARS = ("spark.jars", "spark.jars.packages", "spark.driver.extraClassPath")
_MODULES = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
}


def with_connector(environment: Environment) -> SparkSettings:
    """The environment's Spark settings; where Kafka is read and they name no jars, Spark fetches the connector's
    package."""
    settings = environment.spark
    places = environment.stream_places
    if any(isinstance(place, RocketMqStream) for place in places):
        named = any(name in settings.conf for name in _JARS)
        return settings if named else replace(settings, conf={"spark.jars.packages": ROCKETMQ, **settings.conf})
    if not any(isinstance(place, KafkaStream) for place in places):
        return settings
    # Options of a source are printed with plans: options that hold a password are redacted there.
    added = {"spark.sql.redaction.options.regex": "(?i)url|jaas|password|secret"}
    if not any(name in settings.conf for name in _JARS):
        added["spark.jars.packages"] = CONNECTOR
    return replace(settings, conf={**added, **settings.conf})


def client_settings(stream: KafkaStream) -> dict[str, str]:
    """What a Kafka client needs to connect, secrets resolved. Raises InputAtFault (SW7003) when a secret does not
    exist, and Unreachable (SW8105) when the certificate authority cannot be read."""
    secured = stream.tls != "off"
    protocol = ("SASL_" if stream.sasl else "") + ("SSL" if secured else "PLAINTEXT")
    found = {"bootstrap.servers": stream.bootstrap, "security.protocol": protocol}
    if secured and stream.ca:
        if not os.access(stream.ca, os.R_OK):
            raise Unreachable("SW8105", f"the certificate authority of Kafka, {stream.ca}, cannot be read")
        found |= {"ssl.truststore.type": "PEM", "ssl.truststore.location": stream.ca}
    if stream.tls == "verify_ca":
        found["ssl.endpoint.identification.algorithm"] = ""
    if stream.sasl:
        found |= {"sasl.mechanism": stream.sasl.mechanism, "sasl.jaas.config": _jaas(stream.sasl, os.environ)}
    return found


def _jaas(login: KafkaLogin, environ: Mapping[str, str]) -> str:
    try:
        user = login.user if isinstance(login.user, str) else resolve_secret(login.user, environ)
        password = resolve_secret(login.password, environ) if login.password else ""
    except SecretUnavailable as error:
        raise InputAtFault(error.code, str(error)) from error
    return f"{_MODULES[login.mechanism]} required username={_quoted(user)} password={_quoted(password)};"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


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
