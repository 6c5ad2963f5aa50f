"""Specs to plans: small passes from one immutable value to the next. Pure, offline, deterministic.

Rooms, lowest first: `plan`, `sql`, `schema`, `expressions`, `sharding`, `columns`, `ddl`, `steps`, `tables`, then
`invariants` and `lint`, then the passes in order (`build`), `review` and `project`. A room imports only lower ones.
Nothing here knows Spark, a driver or a server; only `project` reads and writes files.
"""
