"""The Spark session: how it is made, what its workers have, how job properties reach tasks and how failures come back.

Runs in the driver, except `worker` and `worker_daemon`. Touches no database; writes scratch files and Spark's archive.
"""
