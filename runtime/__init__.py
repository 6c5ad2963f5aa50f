"""Plan and environment to done: connections, Spark, ledgers, snapshot, stream, verification, DDL, command line."""
