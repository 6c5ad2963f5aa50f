"""Queues of a real name server and broker, read by offset; Canal's messages in them."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.errors.exceptions.captured import install_exception_handler

from shardwright.compiler.plan.catalogue import Column, ColumnType
from shardwright.runtime.failures import Refused, Unreachable
from shardwright.runtime.sources.messages.decoder import message_decoder
from shardwright.runtime.sources.queue.rocketmq.java_client import start_java_client
from shardwright.runtime.sources.queue.rocketmq.queues import RocketMqQueues
from shardwright.specs.environment.secret_references import SecretReference
from shardwright.specs.environment.stream_place import RocketMqStream
from shardwright.specs.spec.stream_format import StreamFormat
from tests.servers.rocketmq import RocketMq

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def rocketmq(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RocketMq]:
    install_exception_handler()  # as in every process that has started Spark
    running = RocketMq(tmp_path_factory.mktemp("rocketmq"), secured=True)
    yield running
    running.close()


def queues(
    rocketmq: RocketMq, *topics: str, group: str = "shardwright-test", account: tuple[str, str] | None = None
) -> RocketMqQueues:
    """Read with the broker's account, or another."""
    access, secret = account or rocketmq.account or ("", "")
    keys = []
    for name, text in (("access", access), ("secret", secret)):
        (file := rocketmq.folder / f"{name}-{len(text)}.key").write_text(text, encoding="utf-8")
        keys.append(SecretReference("file", str(file)))
    stream = RocketMqStream(rocketmq.name_servers, topics, access_key=keys[0], secret_key=keys[1])
    return RocketMqQueues(stream, rocketmq.client, group)


@pytest.mark.in_turn
def test_each_queue_is_read_by_its_own_offsets(rocketmq: RocketMq) -> None:
    rocketmq.create_topic("many", queues=3)
    for queue, count in enumerate([100, 1, 0]):
        rocketmq.send("many", [(f"k{n}", f"é {queue}.{n}") for n in range(count)], queue=queue)
    found = queues(rocketmq, "many")
    first, second, third = found.queues()
    assert (first, third) == ("many/broker-a/0", "many/broker-a/2")
    assert (found.beginnings(), found.ends()) == ({first: 0, second: 0, third: 0}, {first: 100, second: 1, third: 0})
    messages = list(found.read(first, 7, 95))  # brokers give 32 at a time
    assert [(m.offset, m.key, m.value.decode()) for m in messages] == [
        (n, b"k%d" % n, f"é 0.{n}") for n in range(7, 95)
    ]
    assert [m.value.decode() for m in found.read(second, 0, 1)] == ["é 1.0"] and list(found.read(third, 0, 0)) == []
    found.close()


def test_f1_rows_of_canal_come_through(rocketmq: RocketMq) -> None:
    rocketmq.create_topic("canal")
    rows = [{"id": str(number), "name": f"né {number}"} for number in range(300)]
    message = {
        "data": rows,
        "old": None,
        "database": "shop",
        "table": "t",
        "type": "INSERT",
        "isDdl": False,
        "es": 1795299074000,
    }
    rocketmq.send("canal", [(None, json.dumps(message, ensure_ascii=False))])
    columns = (
        Column("id", ColumnType("int"), False),
        Column("name", ColumnType("varchar", length=20, charset="utf8mb4"), True),
    )
    decoder = message_decoder(StreamFormat(name="canal-json"), {"shop.t": columns})
    found = queues(rocketmq, "canal")
    (read,) = found.read("canal/broker-a/0", 0, 1)
    changes = decoder.decode(read.key, read.value, "m")
    assert isinstance(changes, tuple) and [c.after for c in changes] == [(row["id"], row["name"]) for row in rows]
    found.close()


def test_f9_finished_offsets_are_shown_and_nothing_is_delivered_again(rocketmq: RocketMq) -> None:
    rocketmq.create_topic("shown", queues=2)
    rocketmq.send("shown", [(None, str(n)) for n in range(5)])
    found = queues(rocketmq, "shown", group="shardwright-shown")
    assert [m.value for m in found.read("shown/broker-a/0", 0, 5)] == [b"0", b"1", b"2", b"3", b"4"]
    assert not any(found.group_offsets().values())
    found.show_offsets({"shown/broker-a/0": 3})
    assert found.group_offsets()["shown/broker-a/0"] == 3
    assert [m.offset for m in found.read("shown/broker-a/0", 1, 5)] == [
        1,
        2,
        3,
        4,
    ]  # by offset, whatever the group's says
    found.close()


def test_f9_what_another_group_sent_back_changes_nothing_and_its_retry_queue_is_no_topic(rocketmq: RocketMq) -> None:
    rocketmq.create_topic("sent-back")
    rocketmq.send("sent-back", [(None, "first"), (None, "second")])
    rocketmq.send_back("sent-back", "somebody")
    found = queues(rocketmq, "sent-back")
    assert [m.value for m in found.read("sent-back/broker-a/0", 0, 2)] == [b"first", b"second"]
    assert found.ends() == {"sent-back/broker-a/0": 2}
    with pytest.raises(Refused) as caught:
        queues(rocketmq, "%RETRY%somebody").queues()
    assert caught.value.code == "SW8483"
    found.close()


@pytest.mark.long
def test_f9_offsets_and_messages_outlive_the_broker(rocketmq: RocketMq) -> None:
    rocketmq.create_topic("kept")
    rocketmq.send("kept", [(None, str(n)) for n in range(40)])
    found = queues(rocketmq, "kept")
    assert found.ends() == {"kept/broker-a/0": 40}
    rocketmq.stop()
    for ask in (lambda: list(found.read("kept/broker-a/0", 0, 40)), queues(rocketmq, "kept").queues):
        with pytest.raises(Unreachable) as caught:  # not that there is no such topic: nobody is there who could know
            ask()
        assert caught.value.code == "SW8481"
    rocketmq.start()
    assert [int(m.value) for m in queues(rocketmq, "kept").read("kept/broker-a/0", 0, 40)] == list(range(40))
    found.close()


def test_f6_messages_that_are_gone_are_refused_not_skipped(rocketmq: RocketMq) -> None:
    rocketmq.create_topic("short")
    rocketmq.send("short", [(None, "only")])
    found = queues(rocketmq, "short")
    for name in ("short/broker-a/0", "short/broker-a/7"):
        with pytest.raises(Refused) as caught:
            list(found.read(name, 0, 2))
        assert caught.value.code == "SW8484"
    found.close()


def test_topic_and_class_path_that_are_not_there_are_named(rocketmq: RocketMq, tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        queues(rocketmq, "nowhere").queues()
    assert caught.value.code == "SW8480" and "nowhere" in caught.value.message
    with pytest.raises(Refused) as caught:
        start_java_client(str(tmp_path))
    assert caught.value.code == "SW8482"


@pytest.mark.parametrize("what", ["access key", "secret key"])
def test_i3_i7_the_keys_are_nowhere(rocketmq: RocketMq, what: str, caplog: pytest.LogCaptureFixture) -> None:
    """Not in what is said when the broker refuses them, in what Py4J logs of talking to Java, or in a command line."""
    good = rocketmq.account
    assert good is not None
    wrong = ("nobody-" + good[0], good[1]) if what == "access key" else (good[0], "wrong-" + good[1])
    rocketmq.create_topic("guarded")
    rocketmq.send("guarded", [(None, "one")])
    caplog.set_level(logging.DEBUG)
    found = queues(rocketmq, "guarded", group="shardwright-guarded")
    assert [message.value for message in found.read("guarded/broker-a/0", 0, 1)] == [b"one"]
    found.close()
    refused = queues(rocketmq, "guarded", group="shardwright-guarded", account=wrong)
    for ask in (refused.ends, lambda: list(refused.read("guarded/broker-a/0", 0, 1))):
        with pytest.raises(Refused) as caught:
            ask()
        assert caught.value.code == "SW8102" and "denies access" in caught.value.message
        said = "".join(traceback.format_exception(caught.value)) + repr(refused)
        assert not any(key in said for key in (*good, *wrong)), said
    refused.close()
    assert not any(key in caplog.text for key in (*good, *wrong))
    commands = [file.read_bytes() for file in Path(f"/proc/{rocketmq.client.process.pid}").glob("cmdline")]
    assert commands and not any(key.encode() in command for key in good for command in commands)
