"""SQL expressions of a spec, each in three forms that must agree: Python, Spark SQL, MySQL SQL (contract C9).

Knows column types, but neither tables nor sharding.
"""
