"""Change events and where they come from: one event shape (`event`), one source protocol (`source`), positions (`position`).

`binlog` reads servers' logs, `queue` Kafka, RocketMQ and recorded folders, `messages` decodes what queues hold. Used in the driver (where
a range ends) and in Spark tasks (its events). Reads source servers and brokers; writes nothing. Knows neither shards nor ledgers.
"""
