"""SW845x to SW847x: change events from queues and recorded events."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code
from shardwright.specs.findings.remedies import START_OVER

QUEUES: tuple[Code, ...] = (
    Code(
        "SW8461",
        "a folder of recorded events cannot be read on",
        "Files may grow and new ones may come, with names behind those that are there; a line is one message. The message names\n"
        "the folder and the line.",
    ),
    Code("SW8451", "Kafka does not answer", "Look at bootstrap, network and account; running again resumes."),
    Code("SW8452", "a topic does not exist", "Look at `topics` or `topics_pattern` in the environment's `stream`."),
    Code(
        "SW8453",
        "changes of one row in several partitions",
        "Partitions have no common order. Messages that hold their place in the source's log (Debezium; Maxwell with\n"
        "output_binlog_position and output_xoffset) are ordered by it; others must come with all changes of a row in one\n"
        "partition: chosen by the primary key, by the table, or one partition for all. Nothing of the batch was applied.",
    ),
    Code(
        "SW8454",
        "Spark has no Kafka connector",
        "Spark fetches it as a package unless spark.conf names jars itself. Where it cannot be fetched, put the jars of\n"
        "spark-sql-kafka-0-10, spark-token-provider-kafka-0-10, kafka-clients and commons-pool2 under spark.jars.",
        "spark:\n  conf: {spark.jars: '/opt/jars/spark-sql-kafka.jar,/opt/jars/kafka-clients.jar'}",
    ),
    Code(
        "SW8459",
        "jars of another content",
        "Spark fetches the queue's connector as a package, where spark.conf names no jars, and each jar is compared with the one that this\n"
        "version was made with, by its SHA-256. Somebody changed one on the way, or a repository has other versions. Where that is meant,\n"
        "name the files yourself.",
        "spark:\n  conf: {spark.jars: '/opt/jars/spark-sql-kafka.jar,/opt/jars/kafka-clients.jar'}",
    ),
    Code(
        "SW8455",
        "the queue does not hold what was not read",
        "Messages were deleted before they were read (retention), or the topic was made anew. The message names the gap. No\n"
        f"setting makes the stream pass over it: go on from the source's log, or {START_OVER}.",
        "stream:\n  binlog: {instead_of_queue: true}",
    ),
    Code(
        "SW8456",
        "the messages come from another log",
        "Places in two logs have no order. The producer was switched to another server, or the server's log was reset.",
    ),
    Code(
        "SW8457",
        "a change of a followed table's definition, in a message",
        "Everything before it in its partition is applied, nothing behind it. The policies of `source.stream` decide, as with the\n"
        "binary log: `ddl: stop | apply`, `ignore_ddl`. By hand: make the change on the targets, step over this one message\n"
        "(`run --allow SW8457@TOPIC/PARTITION:OFFSET`), then change the schema file, compile, run.",
    ),
    Code(
        "SW8458",
        "messages with and without their place in the log",
        "Within one batch some messages hold their place in the source's log and others do not, so they have no common order.\n"
        "Let the producer's options be the same for all messages.",
    ),
    Code(
        "SW8462",
        "a message that cannot be stepped over",
        "run --allow CODE@TOPIC/PARTITION:OFFSET steps over one message that stops the stream by that code: as the run has printed it.",
    ),
    Code(
        "SW8463",
        "a topic that is compacted",
        "Compaction keeps the last message of a key: deletes and moves in between are gone before they are read. A topic of changes\n"
        "has cleanup.policy=delete.",
    ),
    Code(
        "SW8460",
        "the log does not take over from a lost queue",
        f"The source's log must reach back `failover.margin` (60 s unless set) before the last change that was applied.\n"
        f"If it does not, {START_OVER}.",
    ),
)
