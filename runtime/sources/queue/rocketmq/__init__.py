"""RocketMQ as a source, read by queue and offset.

Runs in the driver, beside a JVM of its own; reads the brokers.

The client is Apache's own Java one (rocketmq-client). Apache's Python client speaks to a RocketMQ proxy only and takes
messages from a consumer group, not by offset; the older Python one wraps a C++ library that is no longer maintained.
The Java client runs in a small JVM of its own beside the driver: its Netty and JSON libraries are not those of Spark's
JVM.
"""
