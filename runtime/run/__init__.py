"""`run`: tables, start positions, snapshot and stream. Each step is idempotent, and the ledgers say where to resume.

Runs in the driver, except `worker_daemon`. The one room that puts snapshot, stream, DDL and ledger together; it also
has the checks before a run and the waits within it.
"""
