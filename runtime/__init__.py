"""From plan and environment to moved rows: a replicator whose decisions about data are the plan's SQL.

Rooms, lowest first: `mysql`, `spark`, `sources`, `ledger`, then `snapshot`, `ddl` and `verify`, then `stream`, `run`,
`rehearsal` and `cli`. A room imports only lower ones (import-linter holds it). `failures` and `failpoints` lie below
all of them.
"""
