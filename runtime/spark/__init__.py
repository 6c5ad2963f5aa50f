"""The Spark session: how it is made, what its workers have, how words reach tasks and failures come back.

Runs in the driver, but for `worker` and `worker_daemon`. Touches no database; writes scratch files and Spark's archive.
"""
