"""One call of a fence in a process of its own, for tests that kill it: reads a JSON object from its input."""

from __future__ import annotations

import json
import sys

from shardwright.runtime.cutover.fences.fence import FenceContext, FencedServer
from shardwright.runtime.cutover.fences.open import open_fence
from shardwright.runtime.mysql.endpoint import Endpoint
from shardwright.specs.environment.cutover import FenceSetting


def main() -> None:
    given = json.load(sys.stdin)
    servers = [
        FencedServer(Endpoint(host, port, account, password), {database: tuple(tables)})
        for host, port, account, password, database, tables in given["servers"]
    ]
    setting = FenceSetting(given["kind"], tuple(given["accounts"]))
    fence = open_fence(setting, servers, context=FenceContext("orders-split", 1, "source"))
    print("ready", flush=True)
    sys.stdin.close()
    if given["action"] == "set":
        fence.set(given["undo"], drain_timeout=5.0)
    else:
        fence.lift(given["undo"])
    print("done", flush=True)


if __name__ == "__main__":
    main()
