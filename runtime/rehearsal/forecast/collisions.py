"""Which unique values are in two source tables of one logical table? If both rows come into one physical table, only
one fits.

Runs in the process of the command; reads source servers. Within one source table the source itself keeps values
unique, and the compiler refuses mappings that would not.
"""

from __future__ import annotations

import time
from itertools import combinations

from shardwright.compiler.build import CompiledPlan
from shardwright.compiler.columns.row_mapping import plain_mapping
from shardwright.compiler.plan.catalogue import UniqueKey
from shardwright.compiler.plan.plan import TablePlan
from shardwright.compiler.steps.decode import Place
from shardwright.compiler.steps.forecast import bound_sql, collision_sql
from shardwright.runtime.mysql.servers import Servers
from shardwright.runtime.rehearsal.forecast.estimate import Sampling, stretches
from shardwright.runtime.rehearsal.forecast.result import Collision
from shardwright.runtime.verify.sessions import ask

_MOST_PAIRS = 28


def collisions(
    compiled: CompiledPlan, servers: Servers, table: TablePlan, sampling: Sampling, place: Place | None
) -> tuple[tuple[Collision, ...], str]:
    """The collisions of every pair of source tables on one server, by each unique key; and in words what was left out.

    Without a `place` all pairs count as ones that come together.
    """
    if table.identity.origin is not None:
        return (), ""  # it is in every unique key
    pairs = list(combinations(table.sources, 2))
    if len(pairs) > _MOST_PAIRS:
        return (), f"unique values of {len(table.sources)} source tables are not compared with each other"
    mapping = compiled.mappings.get(table.logical) or plain_mapping(table)
    unique = {key.name: key for key in (UniqueKey("PRIMARY", table.key), *table.identity.every_unique_key)}
    found: list[Collision] = []
    apart = 0
    for left, right in pairs:
        if servers.source_databases[left.database] != servers.source_databases[right.database]:
            apart += 1
            continue
        connection = servers.patient().connect_source(left.database)
        try:
            statements = {
                name: collision_sql(table, left, right, mapping, key=key, place=place) for name, key in unique.items()
            }
            counts = dict.fromkeys(unique, (0, 0))
            examples: dict[str, str] = {}
            width, where = len(table.key), f"{left} and {right}"
            for over in stretches(connection, bound_sql(table, left), sampling, width=width, where=where):
                for name, statement in statements.items():
                    ((rows, together, example),) = ask(connection, statement, over.variables(width), where=where)
                    counts[name] = (counts[name][0] + int(rows), counts[name][1] + int(together))
                    if rows:
                        examples.setdefault(name, str(example))
                    time.sleep(sampling.pause)
        finally:
            connection.close()
        found += [
            Collision(
                name,
                str(left),
                str(right),
                round(rows * sampling.factor),
                round(together * sampling.factor),
                examples[name],
            )
            for name, (rows, together) in counts.items()
            if rows
        ]
    note = f"unique values of {apart} pairs of tables on different servers are not compared" if apart else ""
    return tuple(found), note
