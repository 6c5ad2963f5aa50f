"""`run`: tables, start positions, snapshot and stream, each step idempotent and resumed from the ledgers; checks before it, waits within it.

Runs in the driver. The one room that puts snapshot, stream, DDL and ledger together.
"""
