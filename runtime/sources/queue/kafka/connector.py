"""How Spark gets its Kafka source, and which options the source gets. Runs in the driver; apart from the source, so
that commands that only ask need no Arrow.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from shardwright.runtime.failures import InputAtFault, Unreachable
from shardwright.specs.environment.environment import Environment, SparkSettings
from shardwright.specs.environment.read import SecretUnavailable, resolve_secret
from shardwright.specs.environment.stream_place import KafkaLogin, KafkaStream, RocketMqStream

CONNECTOR = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0"
"""The newest published one that runs with this PySpark: for 4.3 there is none of the same number."""
ROCKETMQ = "org.apache.rocketmq:rocketmq-client:5.5.0"
"""Spark only fetches it: it runs in a JVM of its own."""
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
    # Options of a source are printed with plans: what holds a password is blotted out there.
    added = {"spark.sql.redaction.options.regex": "(?i)url|jaas|password|secret"}
    if not any(name in settings.conf for name in _JARS):
        added["spark.jars.packages"] = CONNECTOR
    return replace(settings, conf={**added, **settings.conf})


def client_settings(stream: KafkaStream) -> dict[str, str]:
    """What a Kafka client needs to connect, secrets resolved. Raises InputAtFault (SW7003) when a secret is missing,
    and Unreachable (SW8105) when the certificate authority cannot be read."""
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
    return f"{_MODULES[login.mechanism]} required username={_quote(user)} password={_quote(password)};"


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
