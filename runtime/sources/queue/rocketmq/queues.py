"""Which queues and messages RocketMQ has, by queue and offset, through its Java client; also the login, and the form in
which messages cross from the small JVM.

Runs in the driver, beside a JVM of its own; reads the brokers, and writes the offsets of the consumer group.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from shardwright.runtime.failures import InputAtFault, Refused, Unreachable
from shardwright.runtime.sources.queue.broker_metadata import Row
from shardwright.runtime.sources.queue.rocketmq.java_client import JavaClient, ask
from shardwright.runtime.spark.failures import elements
from shardwright.specs.environment.secret_references import SecretReference, SecretUnavailable, resolve_secret
from shardwright.specs.environment.stream_place import RocketMqStream
from shardwright.specs.findings.remedies import START_OVER

_HEAD = struct.Struct(">iiiii")  # size, magic, checksum, flag, length of the body
_NAME_ENDS, _VALUE_ENDS = "\x01", "\x02"
KEYS = "KEYS"


def unpack(data: bytes) -> Iterator[tuple[bytes | None, bytes]]:
    """Key and body of each message. Raises ValueError when the bytes do not end where a message does."""
    at = 0
    while at < len(data):
        try:
            size, _, _, _, length = _HEAD.unpack_from(data, at)
            start = at + _HEAD.size
            (count,) = struct.unpack_from(">h", data, start + length)
        except struct.error:
            raise ValueError("a message is truncated") from None
        properties = data[start + length + 2 : start + length + 2 + count].decode()
        if size != _HEAD.size + length + 2 + count or at + size > len(data):
            raise ValueError("a message does not end where it says")
        yield _key(properties), data[start : start + length]
        at += size


def _key(properties: str) -> bytes | None:
    for pair in properties.split(_VALUE_ENDS):
        name, _, value = pair.partition(_NAME_ENDS)
        if name == KEYS:
            return value.encode()
    return None


@dataclass(frozen=True, slots=True)
class Login:
    """The keys of an account. `named` says in words where the access key is found."""

    named: str
    access_key: str = field(repr=False)
    secret_key: str = field(repr=False)

    def hook(self, client: JavaClient) -> Any:
        """The hook by which a Java client authenticates to a broker."""
        acl = client.jvm.org.apache.rocketmq.acl.common
        return acl.AclClientRPCHook(acl.SessionCredentials(self.access_key, self.secret_key))

    def hide_secrets(self, text: str) -> str:
        """`text` without the keys: brokers name the account that they refuse."""
        return text.replace(self.secret_key, "***").replace(self.access_key, self.named)


def login_of(stream: RocketMqStream) -> Login | None:
    """None where the environment names no keys. Raises InputAtFault when a key is not where its reference says."""
    if stream.access_key is None or stream.secret_key is None:
        return None
    return Login(str(stream.access_key), _resolve(stream.access_key), _resolve(stream.secret_key))


def _resolve(reference: SecretReference) -> str:
    try:
        return resolve_secret(reference, os.environ)
    except SecretUnavailable as error:
        raise InputAtFault(error.code, str(error)) from error


Offsets = Mapping[str, int]
"""Queue -> the offset of the next message."""

_PULL = 1024  # at most; brokers send 32 by default
_NO_SUCH_TOPIC = "CODE: 17 "
_NOT_TOPICS = ("%RETRY%", "%DLQ%")


class QueueMessage(NamedTuple):
    key: bytes | None
    value: bytes
    offset: int


@dataclass
class RocketMqQueues:
    """The queues of the subscribed topics. Connects when it is first used; `close` ends the connection."""

    stream: RocketMqStream
    """Name servers, topics and keys of the environment."""
    client: JavaClient
    """The JVM with rocketmq-client; it must outlive this object."""
    group: str
    """The consumer group under which it reads and shows finished offsets."""
    _consumer: Any = None
    _login: Login | None = None
    _queues: dict[str, Any] = field(default_factory=dict)

    def queues(self) -> tuple[str, ...]:
        """Every queue of the subscribed topics, as it is now. Raises Refused for a topic that does not exist."""
        found: dict[str, Any] = {}
        for topic in self.stream.topics:
            if topic.startswith(_NOT_TOPICS):
                raise Refused(
                    "SW8483",
                    f"{topic} is not a topic of the stream but a consumer group's queue for what it could not handle: "
                    "subscribe to the topic itself, which holds every message",
                )
            for queue in self._of_topic(topic):
                found[f"{topic}/{queue.getBrokerName()}/{queue.getQueueId()}"] = queue
        self._queues = found
        return tuple(sorted(found))

    def beginnings(self) -> Offsets:
        """The first offset that each queue still holds."""
        return self._offsets("minOffset")

    def ends(self) -> Offsets:
        """The offset behind the last message of each queue."""
        return self._offsets("maxOffset")

    def read(self, name: str, start: int, end: int) -> Iterator[QueueMessage]:
        """The messages of a queue in [start, end), in their order. Raises Refused when any of them does not exist."""
        queue = self._queue(name)
        at = start
        while at < end:
            with self._ask():
                pulled = self._consumer_of_group().pull(queue, "*", at, min(_PULL, end - at))
                status, following = str(pulled.getPullStatus().toString()), int(pulled.getNextBeginOffset())
                messages = list(self._messages(pulled)) if status == "FOUND" else []
            if status not in ("FOUND", "NO_MATCHED_MSG") or following <= at:
                raise Refused(
                    "SW8484",
                    f"queue {name} was to hold messages up to offset {end}, but at {at} it says {status} (next "
                    f"{following}): they were deleted before they were read: {START_OVER}",
                )
            yield from (message for message in messages if at <= message.offset < end)
            at = following

    def rows(self, name: str, start: int, end: int) -> tuple[Row, ...]:
        """The messages in the form of Spark's frames: "topic/broker" is the topic, the queue's number the partition."""
        topic, _, number = name.rpartition("/")
        return tuple((m.key, m.value, topic, int(number), m.offset) for m in self.read(name, start, end))

    def _messages(self, pulled: Any) -> Iterator[QueueMessage]:
        found = pulled.getMsgFoundList()
        count = found.size()
        first, last = (int(found.get(place).getQueueOffset()) for place in (0, count - 1))
        offsets = range(first, last + 1)
        if last - first + 1 != count:
            offsets = [int(message.getQueueOffset()) for message in elements(found)]  # type: ignore[assignment]
        package = self.client.jvm.org.apache.rocketmq.common.message.MessageDecoder
        packed = unpack(bytes(package.encodeMessages(found)))
        for offset, (key, value) in zip(offsets, packed, strict=True):
            yield QueueMessage(key, value, offset)

    def show_offsets(self, offsets: Offsets) -> None:
        """Show finished offsets as those of the consumer group, for operators' tools. We never read them back."""
        with self._ask():
            store = self._consumer_of_group().getOffsetStore()
            for name, offset in offsets.items():
                store.updateConsumeOffsetToBroker(self._queue(name), offset, False)

    def group_offsets(self) -> Offsets:
        """The group's offsets, as the brokers have them; queues without any are left out."""
        with self._ask():
            found = {
                name: int(self._consumer_of_group().fetchConsumeOffset(self._queue(name), True))
                for name in self.queues()
            }
        return {name: offset for name, offset in found.items() if offset >= 0}

    def close(self) -> None:
        if self._consumer is not None:
            self._consumer.shutdown()
            self._consumer = None

    def _of_topic(self, topic: str) -> list[Any]:
        from py4j.protocol import Py4JJavaError

        consumer, where = self._consumer_of_group(), self.stream.name_servers
        try:
            with self._ask():
                found = elements(consumer.fetchSubscribeMessageQueues(topic))
        except Unreachable as failure:
            # The client reports any trouble as queues of the topic that it cannot find; only the cause shows what it
            # was.
            if not isinstance(failure.__cause__, Py4JJavaError) or _NO_SUCH_TOPIC not in str(failure.__cause__):
                raise
            # Name servers that restart learn of topics when brokers come back to them.
            if topic in self.client.topics_met:
                raise Unreachable("SW8481", f"no name server at {where} knows topic {topic} at the moment") from None
            raise Refused(
                "SW8480", f"topic {topic} does not exist at {where}, or no name server there knows it"
            ) from None
        self.client.topics_met.add(topic)
        return found

    def _offsets(self, method: str) -> Offsets:
        names = self.queues()
        with self._ask():
            return {name: int(getattr(self._consumer_of_group(), method)(self._queues[name])) for name in names}

    def _queue(self, name: str) -> Any:
        if name not in self._queues:
            self.queues()
        if name not in self._queues:
            raise Refused(
                "SW8484", f"queue {name} is not there any more: the topic was created again, or its broker left"
            )
        return self._queues[name]

    def _consumer_of_group(self) -> Any:
        if self._consumer is None:
            self._login = login_of(self.stream)
            with self._ask():
                consumer = self._new_consumer()
                consumer.setNamesrvAddr(self.stream.name_servers)
                consumer.setInstanceName(f"shardwright-{os.getpid()}-{id(self)}")
                consumer.start()
            self._consumer = consumer
        return self._consumer

    def _new_consumer(self) -> Any:
        shown = () if self._login is None else (self._login.hook(self.client),)
        return self.client.jvm.org.apache.rocketmq.client.consumer.DefaultMQPullConsumer(self.group, *shown)

    def _ask(self) -> AbstractContextManager[None]:
        return ask(
            self.stream.name_servers, lambda text: text if self._login is None else self._login.hide_secrets(text)
        )
