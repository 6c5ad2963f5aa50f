"""The MySQL and MariaDB binary log as a stream of change events.

Used in the driver and in Spark tasks. Reads source servers; writes nothing.
"""
