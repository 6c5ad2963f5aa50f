"""A source whose databases stand on two servers, each with a topic of its own: two queues, one run, one position. Their
messages are Maxwell's."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cutover.proof import record_equal, why_void
from tests.e2e.two_servers import TwoServers
from tests.queues.connector import Connector, bootstrap_message, maxwell
from tests.queues.queue_lab import queue_settings
from tests.servers.kafka import KafkaBroker
from tests.servers.testbed import Server
from tests.support.commands import status, wait_for
from tests.support.job import ENVIRONMENT

pytestmark = [pytest.mark.server, pytest.mark.spark, pytest.mark.slow]
TOPICS = ("mall_0", "mall_1")


@pytest.fixture
def two(source_server: Server, target_servers: tuple[Server, ...], tmp_path: Path, broker: KafkaBroker) -> TwoServers:
    for server in (source_server, *target_servers):
        server.make_empty()
    for topic in TOPICS:
        broker.create_topic(topic, partitions=1)
    stream = {
        "kafka": {"bootstrap": broker.bootstrap, "topics": [TOPICS[0]], "max_delivery_delay": "1s"},
        "servers": {"second": {"kafka": {"topics": [TOPICS[1]]}}},
    }
    return TwoServers(
        source_server,
        target_servers[0],
        target_servers[1],
        tmp_path,
        settings=queue_settings(stream),
        spec=lambda text: text.replace("  schema: schema", "  stream: {format: maxwell-json}\n  schema: schema"),
    )


@pytest.mark.long
def test_f4_two_topics_are_followed_and_one_that_fails_does_not_hold_up_the_other(
    two: TwoServers, broker: KafkaBroker
) -> None:
    with ExitStack() as stack:
        for topic in TOPICS:

            def send(partition: int, value: str, topic: str = topic) -> None:
                broker.send_soon(topic, value, partition=partition)

            stack.enter_context(Connector(two.servers[topic], topic, maxwell, lambda _change: 0, send).run())
        with two.job.run() as process:
            wait_for(two.job, process, "both are followed", lambda reported: bool(reported["caught_up"]))
            for topic in TOPICS:
                two.write(topic, "UPDATE orders_1 SET note = 'changed', user_id = user_id + 1 WHERE id < 300")
                two.write(topic, "DELETE FROM orders_0 WHERE id < 40")
            two.wait("both are equal", lambda: two.read_orders() == two.orders())
            # F4: somebody has Maxwell copy rows as they once were; one of them is gone by now.
            stale = (("orders_0", 0), ("orders_1", 101), ("orders_1", 201))
            broker.send(TOPICS[0], [(None, bootstrap_message("mall_0", table, id_)) for table, id_ in stale])
            reported = status(two.job)
            assert reported is not None
            assert [source["source"] for source in reported["sources"]] == ["second", "source"]
            broker.send(TOPICS[1], [(None, '{"data": [')])
            two.write(TOPICS[1], "UPDATE orders_0 SET note = 'behind it' WHERE id = 402")
            two.wait("one is set aside", lambda: "second is isolated" in two.job.log.read_text(encoding="utf-8"))
            two.write(TOPICS[0], "UPDATE orders_1 SET note = 'beside it' WHERE id < 100")
            two.wait("mall_0's rows come", lambda: any(row[2] == "beside it" for row in two.read_orders()))
    assert not any(row[2] == "behind it" for row in two.read_orders())
    assert "SW8431: topic mall_1, partition 0" in two.job.log.read_text(encoding="utf-8")
    place = f"mall_1/0:{broker.ends(TOPICS[1], 1)[0] - 2}"
    with two.arena.shard("part_0") as control:
        record_equal(control, two.job.spec.migration)
    two.job.call("run", "--env", ENVIRONMENT, "--until", "caught-up", "--allow", f"SW8431@{place}")
    with two.arena.shard("part_0") as control:
        assert "a message was skipped" in why_void(control, two.job.spec.migration)
    assert two.read_orders() == two.orders()
    (((detail,),)) = two.arena.placement["part_0"].query(
        "SELECT detail FROM _shardwright_audit WHERE what = 'message skipped'", database="part_0"
    )
    assert detail.endswith('the message: {"data": ['), detail
    assert {key: at for key, at in broker.read_committed("shardwright-grid").items() if key[0] in TOPICS} == {
        (topic, 0): broker.ends(topic, 1)[0] for topic in TOPICS
    }
