"""Messages of queues: what a spec says of their form (SW193x), and what cannot be decoded at run time (SW843x)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code
from shardwright.specs.findings.remedies import START_OVER

STREAM_OPTIONS: tuple[Code, ...] = (
    Code(
        "SW1931",
        "an option that the stream's format does not have",
        "The options under `source.stream` say of messages what these do not say of themselves; each belongs to the formats that\n"
        "the message names. Remove the option, or correct the format.",
    ),
    Code(
        "SW1932",
        "a mode that loses values",
        "Debezium's decimal.handling.mode=double rounds DECIMAL columns to 53 bits before the message is written, and its\n"
        "time.precision.mode=nanoseconds writes dates like 9999-12-31 as others: no reader can have the value back. Change the\n"
        "connector's configuration, not only the spec.",
    ),
    Code(
        "SW1933",
        "no time zone that can be reckoned with",
        "Canal writes TIMESTAMP columns in the time zone of its JVM. State `UTC` or a fixed offset. With a zone that has summer\n"
        "time an hour of each year stands for two: start Canal with -Duser.timezone=UTC instead.",
        'stream: {format: canal-json, time_zone: "+08:00"}',
    ),
)

MESSAGES: tuple[Code, ...] = (
    Code(
        "SW8431",
        "a message that is no JSON",
        "Cut off, not UTF-8, nested without end, or with one key twice in an object. The message names its place in the queue.",
    ),
    Code(
        "SW8432",
        "a message that the format does not have",
        "It is JSON, but not what the stream's format writes: look whether `source.stream.format` in the spec is right, and\n"
        "whether something else writes to the topic.",
    ),
    Code(
        "SW8433",
        "a message with a part of a row",
        "Columns are missing, and guessing them would lose data. Set binlog_row_image=FULL for the source and all its sessions, have\n"
        f"the producer write all columns and NULLs, then {START_OVER}.",
    ),
    Code(
        "SW8434",
        "the table in a message is not the one in the schema file",
        "It has another column, or a name of other letter case. Import the schema as it was at that message, compile, resume.",
    ),
    Code(
        "SW8435",
        "a value in a message that cannot be taken exactly",
        "The column's type cannot hold it, or the producer changed it. The message names table, column and value.",
    ),
    Code(
        "SW8436",
        "a column that the messages cannot carry",
        "The format, or the mode the producer runs in, changes values of this type beyond recall, or needs an option under\n"
        "`source.stream` to be read. The message says which.",
    ),
    Code(
        "SW8437",
        "a value that stands for two",
        "The producer writes the same for different values: NULL, or 1970-01-01, for a zero date; a column's default for NULL.\n"
        "The message names the option that states which of them the source does not have.",
    ),
    Code(
        "SW8438",
        "a statement instead of rows, in a message",
        f"Set binlog_format=ROW for all sessions of the source, then {START_OVER}.",
    ),
)

ROCKETMQ: tuple[Code, ...] = (
    Code(
        "SW8480", "a topic of RocketMQ that does not exist", "Look at the topic's name and the name servers' addresses."
    ),
    Code(
        "SW8481",
        "RocketMQ does not answer",
        "Look at name servers, brokers, keys and the network; running again resumes.",
    ),
    Code(
        "SW8482",
        "RocketMQ's Java client is not there",
        "RocketMQ is read by Apache's own Java client: put org.apache.rocketmq:rocketmq-client and what it needs on the class path.",
    ),
    Code(
        "SW8483",
        "a retry queue in place of a topic",
        "%RETRY% and %DLQ% hold what some consumer group could not handle, out of order. The topic itself holds every message.",
    ),
    Code(
        "SW8484",
        "messages of RocketMQ that are gone",
        "A queue no longer holds what the stream has not read: deleted by age, or the topic was made anew. What they said is\n"
        f"not known: {START_OVER}.",
    ),
)
