"""A real RocketMQ for tests: one name server and one broker on 127.0.0.1 in a temporary folder, from Maven Central's
jars, and its own Java client and administrator's tool to drive them.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from shardwright.runtime.rehearsal.sandbox.local import free_port
from shardwright.runtime.sources.queue.rocketmq.java_client import JavaClient, start_java_client
from tests.servers.jars import ROCKETMQ, class_path

_SECONDS = 200
_JVM = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"]  # fmt: skip
_BROKER = """\
brokerClusterName=test
brokerName=broker-a
brokerId=0
brokerIP1=127.0.0.1
namesrvAddr=127.0.0.1:{names}
listenPort={port}
haListenPort={ha}
storePathRootDir={folder}/store
mappedFileSizeCommitLog=1048576
mappedFileSizeConsumeQueue=60000
maxIndexNum=10000
maxHashSlotNum=10000
autoCreateTopicEnable=false
timerWheelEnable=false
diskMaxUsedSpaceRatio=99
deleteWhen=00
"""
_ASKS_FOR_AN_ACCOUNT = """\
authenticationEnabled=true
authenticationProvider=org.apache.rocketmq.auth.authentication.provider.DefaultAuthenticationProvider
authenticationMetadataProvider=org.apache.rocketmq.auth.authentication.provider.LocalAuthenticationMetadataProvider
initAuthenticationUser={{"username":"{name}","password":"{secret}"}}
innerClientAuthenticationCredentials={{"accessKey":"{name}","secretKey":"{secret}"}}
"""

Message = tuple[str | None, str]
"""Key and body."""


class RocketMq:
    """Answers when the constructor returns. `close` ends all three processes. `secured`: to nobody who does not show
    `account`."""

    def __init__(self, folder: Path, *, secured: bool = False) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, exist_ok=True)
        self._names = free_port()
        self._port = _port_with_neighbour()
        self.account = ("key-" + secrets.token_hex(8), secrets.token_hex(16)) if secured else None
        self._processes: list[subprocess.Popen[bytes]] = []
        self.client: JavaClient = start_java_client(class_path(ROCKETMQ))
        self._admin: Any = None
        self._producer: Any = None
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    def name_servers(self) -> str:
        return f"127.0.0.1:{self._names}"

    @property
    def java(self) -> Any:
        return self.client.jvm.org.apache.rocketmq

    def start(self) -> None:
        """On the data it has."""
        (self.folder / "names.conf").write_text(f"listenPort={self._names}\n", encoding="utf-8")
        text = _BROKER.format(names=self._names, port=self._port, ha=free_port(), folder=self.folder)
        if self.account is not None:
            text += _ASKS_FOR_AN_ACCOUNT.format(name=self.account[0], secret=self.account[1])
        (self.folder / "broker.conf").write_text(text, encoding="utf-8")
        self._run("namesrv.NamesrvStartup", "names.conf")
        self._run("broker.BrokerStartup", "broker.conf")
        self._wait_until_it_answers()

    def stop(self) -> None:
        for process in self._processes:
            os.kill(process.pid, signal.SIGKILL)
            process.wait(timeout=_SECONDS)
        self._processes.clear()

    def close(self) -> None:
        self.client.close()
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def create_topic(self, name: str, *, queues: int = 1) -> None:
        self._admin.createTopic("test", name, queues, self.client.jvm.java.util.HashMap())
        end = time.monotonic() + _SECONDS
        while True:  # the name server learns of it with the broker's next word
            try:
                self._admin.examineTopicRouteInfo(name)
                return
            except Exception as error:  # noqa: BLE001 - whatever Java says of a topic it does not know yet
                assert time.monotonic() < end, str(error)
                time.sleep(0.1)

    def send(self, topic: str, messages: Iterable[Message], *, queue: int = 0) -> list[int]:
        """Send messages in order; the offset each has got in its queue."""
        place = self.java.common.message.MessageQueue(topic, "broker-a", queue)
        return [
            int(self.producer().send(self._message(topic, *message), place).getQueueOffset()) for message in messages
        ]

    def send_back(self, topic: str, group: str) -> None:
        """As a push consumer that fails at its first message: the message goes to the group's retry queue."""
        consumer = self.java.client.consumer.DefaultMQPullConsumer(group, *self._account_arguments())
        consumer.setNamesrvAddr(self.name_servers)
        consumer.start()
        queue = self.java.common.message.MessageQueue(topic, "broker-a", 0)
        consumer.sendMessageBack(consumer.pull(queue, "*", 0, 1).getMsgFoundList().get(0), 0, "broker-a")
        consumer.shutdown()

    def delete_topic(self, name: str) -> None:
        self._admin.deleteTopic(name, "test")
        time.sleep(1)

    def producer(self) -> Any:
        if self._producer is None:
            self._producer = self.java.client.producer.DefaultMQProducer("tests", *self._account_arguments())
            self._producer.setNamesrvAddr(self.name_servers)
            self._producer.start()
        return self._producer

    def _account_arguments(self) -> tuple[Any, ...]:
        """What a client of Java's shows its account by, as its constructor takes it."""
        if self.account is None:
            return ()
        acl = self.java.acl.common
        return (acl.AclClientRPCHook(acl.SessionCredentials(*self.account)),)

    def _message(self, topic: str, key: str | None, body: str) -> Any:
        message = self.java.common.message.Message(topic, body.encode())
        if key is not None:
            message.setKeys(key)
        return message

    def _run(self, program: str, settings: str) -> None:
        command = ["java", *_JVM, f"-Duser.home={self.folder}", "-cp", class_path(ROCKETMQ)]
        command += [f"org.apache.rocketmq.{program}", "-c", str(self.folder / settings)]
        environment = {**os.environ, "ROCKETMQ_HOME": str(self.folder)}
        with (self.folder / f"{program}.log").open("ab") as log:
            started = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
        self._processes.append(started)

    def _wait_until_it_answers(self) -> None:
        end = time.monotonic() + _SECONDS
        if self._admin is None:
            self._admin = self.java.tools.admin.DefaultMQAdminExt(*self._account_arguments())
            self._admin.setNamesrvAddr(self.name_servers)
            self._admin.setInstanceName("tests")
            self._admin.start()
        while True:
            log = (self.folder / "broker.BrokerStartup.log").read_text(errors="replace")
            assert all(process.poll() is None for process in self._processes), f"it ended:\n{log[-3000:]}"
            try:
                assert self._admin.examineBrokerClusterInfo().getBrokerAddrTable().size() == 1
                return
            except Exception as error:  # noqa: BLE001 - whatever Java says of servers that are not up yet
                assert time.monotonic() < end, f"it does not answer: {error}\n{log[-3000:]}"
                time.sleep(0.2)


def _port_with_neighbour() -> int:
    """A broker listens on its port and on the one two below."""
    import socket

    while True:
        port = free_port()
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port - 2))
                return port
            except OSError:
                continue
