"""The MySQL and MariaDB binary log as a stream of change events."""
