"""Which applied transactions does another server lack, and do they matter? Those that changed no followed table do not:
heartbeats, and what a server wrote for itself (hazards E5, E6).

Pure. Used in the driver. A position keeps what is known of each origin (`positions/log_position`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shardwright.runtime.sources.binlog.gtid import (
    Gtid,
    Gtids,
    MariadbGtid,
    MariadbGtids,
    MysqlGtid,
    MysqlGtids,
    minus_intervals,
)
from shardwright.runtime.sources.positions.log_position import Interval, Origin, Origins

_MOST_INTERVALS = 16
"""Of one origin. Of older transactions it counts as not known what they changed."""
_Key = str | tuple[int, int]
"""MySQL's source, MariaDB's domain and server."""


class OriginsCollector:
    """What is known of each origin; it grows by the transactions of a log, in order."""

    def __init__(self, begin: Origins) -> None:
        self._changed = {_key(name): origin.changed for name, origin in begin.items()}
        self._harmless = {_key(name): list(origin.harmless) for name, origin in begin.items()}

    def add(self, gtid: Gtid, *, highest: int, changed: bool) -> None:
        """`highest`: the highest number of MariaDB's server so far, whose numbers may have holes."""
        number = gtid.number
        key = gtid.source if isinstance(gtid, MysqlGtid) else (gtid.domain, gtid.server)
        if highest >= number:  # numbers went back: what they say is not certain any more
            self._harmless[key] = []
        if changed:
            self._changed[key] = max(self._changed.get(key, 0), number)
        elif highest < number:
            first = number if isinstance(gtid, MysqlGtid) else highest + 1
            parts = self._harmless.setdefault(key, [])
            if parts and parts[-1][1] + 1 == first:
                parts[-1] = (parts[-1][0], number)
            else:
                parts.append((first, number))
                del parts[:-_MOST_INTERVALS]

    def origins(self) -> Origins:
        keys = dict.fromkeys((*self._changed, *self._harmless))
        return {
            key if isinstance(key, str) else f"{key[0]}-{key[1]}": Origin(
                self._changed.get(key, 0), tuple(self._harmless.get(key, ()))
            )
            for key in keys
        }


def _key(name: str) -> _Key:
    parts = name.split("-")
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 else name


@dataclass(frozen=True, slots=True)
class GtidGap:
    """What a server lacks of the applied transactions."""

    common: Gtids
    """The applied transactions that it has, or that nobody needs to name."""
    harmful: Gtids
    """Those that it lacks and that changed followed tables, or may have."""
    changed: bool
    """Whether some of these are known to have changed one."""


def find_lacking(ours: Gtids, executed: Gtids, origins: Origins) -> GtidGap:
    if isinstance(ours, MariadbGtids) and isinstance(executed, MariadbGtids):
        return _of_mariadb(ours, executed, origins)
    missing = ours.minus(executed)
    assert isinstance(missing, MysqlGtids)
    harmful = MysqlGtids(
        {name: rest for name, parts in missing.intervals.items() if (rest := _rest(name, parts, origins))}
    )
    changed = any(
        first <= _last_change(origins, name) <= last
        for name, parts in harmful.intervals.items()
        for first, last in parts
    )
    return GtidGap(ours.minus(missing), harmful, changed)


def _of_mariadb(ours: MariadbGtids, executed: MariadbGtids, origins: Origins) -> GtidGap:
    """A server made from a backup has rows without the names of their transactions. So of what was never met in a log,
    only the last transaction of each domain has to be there. Of what was met every last one has."""
    lasts = set(ours.lasts())
    missing = {gtid for gtid in ours if gtid not in executed and (gtid in lasts or _name(gtid) in origins)}
    harmful: dict[int, dict[int, int]] = {}
    changed = False
    for gtid in missing:
        beyond = executed.highest(gtid.domain, gtid.server)
        if _rest(_name(gtid), ((beyond + 1, gtid.number),), origins):
            harmful.setdefault(gtid.domain, {})[gtid.server] = gtid.number
            changed = changed or beyond < _last_change(origins, _name(gtid))
    return GtidGap(MariadbGtids(dict(_keep_known(ours, executed, missing))), MariadbGtids(harmful), changed)


def _keep_known(
    ours: MariadbGtids, executed: MariadbGtids, missing: set[MariadbGtid]
) -> Iterator[tuple[int, dict[int, int]]]:
    """Every domain without what is missing. An origin that is there in part did not write last."""
    for domain, servers in ours.numbers.items():
        gone = {gtid.server for gtid in missing if gtid.domain == domain}
        parts = {server: number for server in gone if (number := executed.highest(domain, server))}
        whole = {server: number for server, number in servers.items() if server not in gone}
        if parts or whole:
            yield domain, parts | whole


def _rest(name: str, parts: tuple[Interval, ...], origins: Origins) -> tuple[Interval, ...]:
    origin = origins.get(name)
    return parts if origin is None else minus_intervals(parts, origin.harmless)


def _last_change(origins: Origins, name: str) -> int:
    origin = origins.get(name)
    return 0 if origin is None else origin.changed


def _name(gtid: MariadbGtid) -> str:
    return f"{gtid.domain}-{gtid.server}"
