"""Sharding expressions, each in three forms that must agree: Python, Spark SQL, MySQL SQL (contract C9)."""
