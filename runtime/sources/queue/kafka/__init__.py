"""Kafka as a source: Spark's connector reads ranges, and Kafka's Java client in Spark's JVM answers about offsets.

Runs in the driver; Spark's tasks read the brokers.
"""
