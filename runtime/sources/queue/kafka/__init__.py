"""Kafka as a source: Spark's connector reads ranges, Kafka's Java client in Spark's JVM answers about offsets."""
