"""What users write, as data: migration specs, environment files and spec tests, each with findings that name file,
line and column.

Rooms, lowest first: `files` and `direction`, `findings`, `yaml`, `shape`, then `spec`, `environment` and
`spec_tests`, then `suppressions`. A room imports only lower ones. Nothing here knows SQL's meaning, Spark or a server;
nothing here writes, but for `files`.
"""
