"""Routes DDL files in a process that a test may kill."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from pymysql.connections import Connection

from shardwright.runtime.ddl.routing.router import DdlProgress, route_changes
from shardwright.runtime.ddl.shard_access import ShardAccess
from tests.ddl.plans import DATABASES, shop_plan, wide_plan
from tests.servers.quick_connection import QuickConnection


def main(job_file: str) -> None:
    job = json.loads(Path(job_file).read_text(encoding="utf-8"))

    def connect(database: str) -> Connection[Any]:
        return QuickConnection(user="root", database=database, autocommit=True, **job["addresses"][database])

    def say(progress: DdlProgress) -> None:
        print(f"{progress.database}.{progress.table}", flush=True)

    def pause(connection: Connection[Any]) -> None:
        time.sleep(job["pause"])

    make = wide_plan if len(job["addresses"]) > len(DATABASES) else shop_plan
    result = route_changes(
        make(job["files"]),
        ShardAccess(connect, 2, lambda database: str(job["addresses"][database]["port"]), pause),
        on_progress=say,
    )
    print(result, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
