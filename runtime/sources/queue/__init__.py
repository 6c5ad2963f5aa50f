"""Queues as sources of the stream: where they are, what their messages become, and in which order.

Used in the driver and in Spark tasks, which read and decode the messages. Reads brokers and source servers; writes to
brokers only a consumer group's finished offsets.
"""
