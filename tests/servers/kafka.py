"""A real Kafka broker for tests: one KRaft node on 127.0.0.1 in a temporary folder, and Kafka's own Java client to
drive it.

The client is the Java one, in a small JVM of its own behind Py4J (which PySpark brings): it is the reference, it
knows transactions and administration, and it needs no Python package more.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyspark
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.spark.failures import elements
from tests.servers.certificates import Authority
from tests.servers.jars import KAFKA, class_path
from tests.servers.proxy import Proxy

_SECONDS = 200
_CLUSTER = "c2hhcmR3cmlnaHQtdGVzdA"
_JVM = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
_SETTINGS = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},PROXIED://127.0.0.1:{proxied},ENCRYPTED://127.0.0.1:{encrypted},\
SECURED://127.0.0.1:{secured},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port},PROXIED://127.0.0.1:{proxy},ENCRYPTED://127.0.0.1:{encrypted},\
SECURED://127.0.0.1:{secured}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,ENCRYPTED:SSL,SECURED:SASL_SSL
ssl.keystore.type=PEM
ssl.keystore.location={folder}/keystore.pem
listener.name.secured.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.secured.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.secured.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.secured.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
user_reader={password};
log.dirs={folder}/logs
num.network.threads=2
num.io.threads=2
num.recovery.threads.per.data.dir=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
"""
_LOGGING = """\
rootLogger.level=warn
rootLogger.appenderRef.console.ref=console
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d %p %m (%c)%n
"""

Message = tuple[str | None, str | None]
"""Key and value; None as value is a tombstone."""


class KafkaBroker:
    """Starts at once and answers when the constructor returns. `close` ends both processes. Who asks at the port of
    `proxy` reaches the broker through that only. At `encrypted` it speaks TLS, with a certificate that `authority`
    vouches for, and at `secured` also asks for the account `reader`: by PLAIN with `password`, by SCRAM with
    `scram_password`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._proxied = free_port()
        self.proxy = Proxy("127.0.0.1", self._proxied)
        self.encrypted, self.secured = free_port(), free_port()
        self.authority = Authority(folder.with_name(f"{folder.name}-authority"))
        self.password = f'canary"\\;{secrets.token_urlsafe(12)}'
        self.scram_password = f"canary-{secrets.token_urlsafe(12)}"
        self._process: subprocess.Popen[bytes] | None = None
        self._gateway, self._client = _java_client()
        self._producer: Any = None
        self._admin: Any = None
        self.start()

    @property
    def bootstrap(self) -> str:
        return f"127.0.0.1:{self.port}"

    # -- the broker ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start it on the data it has; format an empty folder first."""
        if self._process is not None:
            return
        self.folder.mkdir(mode=0o700, exist_ok=True)
        settings = self.folder / "server.properties"
        ports = {"port": self.port, "proxied": self._proxied, "proxy": self.proxy.port, "controller": free_port()}
        ports |= {"encrypted": self.encrypted, "secured": self.secured}
        shown = self.authority.certificate("broker")
        (self.folder / "keystore.pem").write_text(shown.key.read_text() + shown.file.read_text(), encoding="utf-8")
        # Written twice with escapes: a text in JAAS's words, in a properties file.
        password = json.dumps(self.password).replace("\\", "\\\\")
        text = _SETTINGS.format(**ports, folder=self.folder, password=password)
        settings.write_text(text, encoding="utf-8")
        (self.folder / "log4j2.properties").write_text(_LOGGING, encoding="utf-8")
        java = ["java", *_JVM, f"-Dlog4j2.configurationFile={self.folder}/log4j2.properties", "-cp", class_path(KAFKA)]
        with (self.folder / "broker.log").open("ab") as log:
            if not (self.folder / "logs").exists():
                command = [*java, "kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", str(settings)]
                for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512"):
                    command += ["--add-scram", f"{mechanism}=[name=reader,password={self.scram_password}]"]
                subprocess.run(command, stdout=log, stderr=log, check=True, timeout=_SECONDS)
            command = [*java, "kafka.Kafka", str(settings)]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        self._wait_until_it_answers()

    def stop(self, number: int = signal.SIGTERM) -> None:
        self._forget_clients()
        if self._process is not None:
            os.kill(self._process.pid, number)
            self._process.wait(timeout=_SECONDS)
            self._process = None

    def lose_everything(self) -> None:
        """Stop it and delete all it kept: topics, groups, messages."""
        self.stop(signal.SIGKILL)
        shutil.rmtree(self.folder)

    def close(self) -> None:
        self.proxy.close()
        self.stop(signal.SIGKILL)
        self._gateway.close()
        self._client.kill()
        self._client.wait(timeout=_SECONDS)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait_until_it_answers(self) -> None:
        assert self._process is not None
        end = time.monotonic() + _SECONDS
        while True:
            log = (self.folder / "broker.log").read_text(errors="replace")
            assert self._process.poll() is None, f"the broker ended:\n{log[-3000:]}"
            try:
                self.topics()
                return
            except Exception as error:  # noqa: BLE001 - whatever Java says of a broker that is not up yet
                assert time.monotonic() < end, f"the broker does not answer: {error}\n{log[-3000:]}"
                self._forget_clients()
                time.sleep(0.1)

    # -- topics -------------------------------------------------------------------------------------------------

    def topics(self) -> set[str]:
        return set(elements(self.admin().listTopics().names().get(*self._within(5))))

    def create_topic(self, name: str, *, partitions: int = 1, settings: Mapping[str, str] | None = None) -> None:
        topic = self.java.org.apache.kafka.clients.admin.NewTopic(name, partitions, 1).configs(dict(settings or {}))
        self.admin().createTopics([topic]).all().get(*self._within())
        self._until_known(name, exists=True)

    def delete_topic(self, name: str) -> None:
        self.admin().deleteTopics([name]).all().get(*self._within())
        self._until_known(name, exists=False)

    def _until_known(self, name: str, *, exists: bool) -> None:
        """The controller answers before the broker that is asked for its topics has heard of it."""
        end = time.monotonic() + _SECONDS
        while (name in self.topics()) is not exists:
            assert time.monotonic() < end
            time.sleep(0.05)

    def raise_partitions(self, name: str, partitions: int) -> None:
        more = self.java.org.apache.kafka.clients.admin.NewPartitions.increaseTo(partitions)
        self.admin().createPartitions({name: more}).all().get(*self._within())

    def delete_before(self, name: str, partition: int, offset: int) -> None:
        """As retention does: the partition begins at `offset`."""
        # Py4J cannot call a static method that shares its name with an instance's: reflection can.
        kind = self.java.java.lang.Class.forName("org.apache.kafka.clients.admin.RecordsToDelete")
        types = self._gateway.new_array(self.java.java.lang.Class, 1)
        types[0] = self.java.java.lang.Long.TYPE
        values = self._gateway.new_array(self.java.java.lang.Object, 1)
        values[0] = self.java.java.lang.Long.valueOf(offset)
        records = kind.getMethod("beforeOffset", types).invoke(None, values)
        self.admin().deleteRecords({self._partition(name, partition): records}).all().get(*self._within())

    def ends(self, name: str, partitions: int) -> list[int]:
        """The offset behind the last message of each partition."""
        spec = self.java.org.apache.kafka.clients.admin.OffsetSpec.latest()
        keys = [self._partition(name, number) for number in range(partitions)]
        found = self.admin().listOffsets(dict.fromkeys(keys, spec)).all().get(*self._within())
        return [int(found[key].offset()) for key in keys]

    def read_committed(self, group: str) -> dict[tuple[str, int], int]:
        """What operators' tools see of a consumer group."""
        offsets = self.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get(*self._within())
        return {(key.topic(), int(key.partition())): int(offsets[key].offset()) for key in elements(offsets.keySet())}

    # -- messages -----------------------------------------------------------------------------------------------

    def send(self, topic: str, messages: Iterable[Message], *, partition: int | None = None) -> None:
        """Send messages in order and wait until the broker has all of them."""
        self._send(self.producer(), topic, messages, partition=partition)
        self.producer().flush()

    def send_soon(self, topic: str, value: str, *, partition: int) -> None:
        """Send one message without waiting for the broker."""
        self._send(self.producer(), topic, [(None, value)], partition=partition)

    @contextmanager
    def transaction(self, *, commit: bool = True) -> Iterator[Any]:
        """Within, `send_in` sends messages that become visible at the end, or never."""
        producer = self._new_producer({"transactional.id": f"test-{time.monotonic_ns()}"})
        producer.initTransactions()
        producer.beginTransaction()
        yield producer
        producer.flush()
        _ = producer.commitTransaction() if commit else producer.abortTransaction()
        producer.close()

    def send_in(self, producer: Any, topic: str, messages: Iterable[Message], *, partition: int | None = None) -> None:
        self._send(producer, topic, messages, partition=partition)

    def _send(self, producer: Any, topic: str, messages: Iterable[Message], *, partition: int | None) -> None:
        record = self.java.org.apache.kafka.clients.producer.ProducerRecord
        for key, value in messages:
            producer.send(record(topic, key, value) if partition is None else record(topic, partition, key, value))

    # -- the Java client ----------------------------------------------------------------------------------------

    @property
    def java(self) -> Any:
        return self._gateway.jvm

    def admin(self) -> Any:
        if self._admin is None:
            waits = {"request.timeout.ms": "3000", "default.api.timeout.ms": "20000", "reconnect.backoff.max.ms": "100"}
            self._admin = self.java.org.apache.kafka.clients.admin.Admin.create(self._settings(waits))
        return self._admin

    def producer(self) -> Any:
        if self._producer is None:
            self._producer = self._new_producer({})
        return self._producer

    def _new_producer(self, settings: Mapping[str, str]) -> Any:
        text = "org.apache.kafka.common.serialization.StringSerializer"
        given = {"key.serializer": text, "value.serializer": text, "linger.ms": "2", **settings}
        return self.java.org.apache.kafka.clients.producer.KafkaProducer(self._settings(given))

    def _settings(self, settings: Mapping[str, str]) -> Any:
        made = self.java.java.util.HashMap()
        for name, value in {"bootstrap.servers": self.bootstrap, **settings}.items():
            made[name] = value
        return made

    def _partition(self, topic: str, number: int) -> Any:
        return self.java.org.apache.kafka.common.TopicPartition(topic, number)

    def _within(self, seconds: int = _SECONDS) -> tuple[int, Any]:
        return seconds, self.java.java.util.concurrent.TimeUnit.SECONDS

    def _forget_clients(self) -> None:
        for client in (self._producer, self._admin):
            if client is not None:
                client.close(self.java.java.time.Duration.ofSeconds(0))
        self._producer = self._admin = None


def _java_client() -> tuple[JavaGateway, subprocess.Popen[bytes]]:
    (py4j_jar,) = Path(pyspark.__path__[0], "jars").glob("py4j*.jar")
    port, process = launch_gateway(
        classpath=class_path(KAFKA),
        jarpath=str(py4j_jar),
        javaopts=["-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
        redirect_stderr=subprocess.DEVNULL,
        die_on_exit=True,
        return_proc=True,
    )
    # Without memory management: its finalizers talk to the JVM at any moment, also when it is gone. This one lives
    # briefly.
    parameters = GatewayParameters(port=port, auto_convert=True, enable_memory_management=False)
    return JavaGateway(gateway_parameters=parameters), process
