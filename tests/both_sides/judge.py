"""Which changes did not know of each other, as the servers' logs say? A judge that shares no code with the product: it
reads the logs with the servers' own program, and compares every pair.

Every value that an application writes is written once, so a value in the other side's log says how far that side knew.
A change of the source and one of the shards are concurrent where neither side had the other's when it was made.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.servers.testbed import Server

_TABLE = re.compile(r"### (INSERT INTO|UPDATE|DELETE FROM) `(\w+)`\.`(\w+)`")
_VALUE = re.compile(r"###   @(\d+)=(.*)$")
_OWN = ("_shardwright_step", "_shardwright_chunk_done")
_PROGRAM = shutil.which("mariadb-binlog") or "mysqlbinlog"
Key = tuple[int, int]


@dataclass(frozen=True)
class Change:
    """One row of a log, in its order: what the row became."""

    table: str
    key: Key
    value: str
    is_own: bool


@dataclass
class Side:
    """All that a side's logs have of each row."""

    changes: dict[tuple[str, Key], list[Change]] = field(default_factory=lambda: defaultdict(list))


def begin_log(server: Server) -> str:
    """A new file of the server's log, which the test begins with."""
    server.query("FLUSH BINARY LOGS")
    return str(server.query("SHOW BINARY LOGS")[-1][0])


def read_side(servers: Mapping[str, Server], tables: Sequence[str], since: Mapping[str, str]) -> Side:
    """`servers`: by database, and `since` the first file of the log of each. Physical tables are named as the logical
    ones, with a suffix."""
    found = Side()
    for database, server in {id(one): (name, one) for name, one in servers.items()}.values():
        for change in _changes(server, set(servers), tables, since[database]):
            found.changes[change.table, change.key].append(change)
    return found


def _changes(server: Server, databases: set[str], tables: Sequence[str], since: str) -> Iterator[Change]:
    names = [row[0] for row in server.query("SHOW BINARY LOGS") if row[0] >= since]
    folder = str(server.query("SELECT @@datadir")[0][0])
    command = [_PROGRAM, "-v", "--base64-output=decode-rows", *(folder + name for name in names)]
    text = subprocess.run(command, capture_output=True, check=True, timeout=300).stdout.decode("latin-1")
    own, verb, table, values, part = False, "", "", dict[str, dict[int, str]](), ""

    def ended() -> Iterator[Change]:
        after = values.get("SET", {})
        if table and verb != "DELETE FROM" and after:
            yield Change(table, (int(after[1]), int(after[2])), after[3], own)

    for line in text.splitlines():
        if found := _TABLE.match(line):
            yield from ended()
            verb, database, name = found.groups()
            own |= name in _OWN
            logical = name.rpartition("_")[0] if database.rpartition("_")[2].isdigit() else name
            table, values = (logical if database in databases and logical in tables else ""), {}
        elif line in ("### SET", "### WHERE"):
            part = line[4:]
            values[part] = {}
        elif found := _VALUE.match(line):
            values[part][int(found[1])] = found[2]
        elif line.startswith("COMMIT"):
            yield from ended()
            own, table, values = False, "", {}


def concurrent_rows(source: Side, shards: Side) -> set[tuple[str, Key]]:
    """The rows of which two changes did not know of each other."""
    return {
        row for row in source.changes.keys() & shards.changes.keys() if _meets(source.changes[row], shards.changes[row])
    }


def describe(source: Side, shards: Side, row: tuple[str, Key]) -> str:
    """What both logs have of a row; own writes are in brackets."""
    lines = [
        " ".join(f"[{one.value}]" if one.is_own else one.value for one in side.changes[row])
        for side in (source, shards)
    ]
    return f"{row}: source {lines[0]}; shards {lines[1]}"


def _meets(source: Sequence[Change], shards: Sequence[Change]) -> bool:
    """Whether some pair is concurrent: every pair of the two sides' own changes is looked at."""
    arrived_there, arrived_here = _arrivals(source, shards), _arrivals(shards, source)
    return any(
        not (one.is_own or other.is_own) and not arrived_there[at] < place and not arrived_here[place] < at
        for at, one in enumerate(source)
        for place, other in enumerate(shards)
    )


def _arrivals(changes: Sequence[Change], other: Sequence[Change]) -> list[float]:
    """For each change of one side, where the other side's log has it, or a later one of that side: infinity, nowhere."""
    places = {change.value: at for at, change in reversed([*enumerate(other)]) if change.is_own}
    earliest, found = float("inf"), list[float]()
    for change in reversed(changes):
        if not change.is_own:
            earliest = min(earliest, places.get(change.value, float("inf")))
        found.append(earliest)
    return found[::-1]
