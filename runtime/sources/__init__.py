"""Change events and where they come from: one event shape (`event`), one source protocol (`source`), the types of
positions (`positions`).

`binlog` reads servers' logs, `queue` Kafka, RocketMQ and recorded folders, and `messages` decodes what queues hold.
Used in the driver, which finds where a range ends, and in Spark tasks, which read its events. Reads source servers and
brokers; writes nothing to servers, and to brokers only a consumer group's finished offsets. Knows neither shards nor
ledgers.
"""
