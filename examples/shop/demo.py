"""The main job from nothing to its end, through the command line alone, as a user would do it: rows are copied and
followed, the application is cut over to the shards, back, and over for good.

make demo                        30,000 orders, an application that writes for 20 seconds or more before the cutover
DEMO_SECONDS=5 make demo         less of it; DEMO_ORDERS and DEMO_RATE work alike
DEMO_KEEP=1 make demo            the servers continue to run afterwards
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import yaml

if __package__ in (None, ""):  # run as a program: its neighbours are beside it, not in a package
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from examples.shop.commands import (
    ENVIRONMENT,
    REPORTS,
    SHARDWRIGHT,
    SHOP,
    DemoFailed,
    Process,
    answer,
    command,
    end,
    program,
    say,
    shardwright,
    sleep,
    start,
    wait_until,
)

SECONDS = float(os.environ.get("DEMO_SECONDS", "20"))
ORDERS = int(os.environ.get("DEMO_ORDERS", "30000"))
RATE = os.environ.get("DEMO_RATE", "50")
ON_EACH_SIDE = min(3.0, SECONDS / 4)
"""Seconds for which orders are taken between two switches."""

INTERRUPTED = 130
NOT_AT_REST = 8
"""The exit code of a `verify` that has found no difference, where some rows changed all the time."""


def main() -> int:
    begin, began_at = time.monotonic(), time.time()
    REPORTS.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="shardwright-demo-"))
    # A demo that is told to end still takes its servers with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with ExitStack() as cleanup:
            prepare(folder, cleanup)
            run = copy(folder, cleanup)
            pauses = cut_over(folder, cleanup, run)
            finish(run)
    except DemoFailed as failure:
        print(f"\ndemo failed: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    say(f"everything is equal, after {time.monotonic() - begin:.0f} s in all")
    print(f"  figures     {figures(began_at)}")
    print(f"  pauses      {', '.join(f'{name} {seconds} s' for name, seconds in pauses)}")
    print(f"  plan        {SHOP / 'build' / 'shop-split'}")
    print(f"  run report  {REPORTS / 'run.jsonl'}")
    print(f"  verdict     {REPORTS / 'verify.txt'}")
    return 0


def prepare(folder: Path, cleanup: ExitStack) -> None:
    say("the spec becomes a plan of SQL files")
    shardwright("compile")

    say("one source and two target servers")
    if os.environ.get("DEMO_KEEP"):
        cleanup.callback(say, f"the servers continue to run: shardwright sandbox down --folder {folder}")
    else:
        cleanup.callback(shardwright, "sandbox", "down", "--folder", str(folder), check=False)
    shardwright("sandbox", "up", "--folder", str(folder), "--targets", "2")

    say(f"a shop with {ORDERS:,} orders")
    program("load.py", *source_of(folder), "--orders", str(ORDERS))


def copy(folder: Path, cleanup: ExitStack) -> Process:
    """Returns the run, which continues."""
    say("its application writes, while the migration runs")
    application = start(
        "application", command("application.py", *source_of(folder), "--seconds", "86400", "--rate", RATE)
    )
    cleanup.callback(end, application, signal.SIGTERM)
    report = f"json={REPORTS / 'run.jsonl'}"
    run = start("run", [*SHARDWRIGHT, "run", *ENVIRONMENT, "--until", "forever", "--report", report])
    cleanup.callback(end, run, signal.SIGTERM)
    started = time.monotonic()
    wait_until("the snapshot is complete", lambda status: status["snapshot_complete"], run, application)

    say("meanwhile a change of the schema goes to every physical table")
    shardwright("ddl", "apply", *ENVIRONMENT)

    rest = max(5.0, SECONDS - (time.monotonic() - started))
    say(f"the application continues for {rest:.0f} s")
    sleep(rest, run, application)
    say("the application stops, the stream drains")
    if end(application, signal.SIGTERM) != 0:
        raise DemoFailed("the application ended with an error")
    drain(run)

    say("source and shards are compared")
    verify()
    return run


def cut_over(folder: Path, cleanup: ExitStack, run: Process) -> list[tuple[str, str]]:
    """Returns for each switch how long writers waited. Orders are taken all the time, and the run continues."""
    say("the checkout takes orders, wherever the switch row says")
    checkout = start("checkout", command("checkout.py", "--password-file", password(folder), "--rate", RATE))
    cleanup.callback(end, checkout, signal.SIGTERM)
    pauses: list[tuple[str, str]] = []

    def switch(name: str, what: str, *arguments: str) -> None:
        sleep(ON_EACH_SIDE, run, checkout)
        say(what)
        said = answer("cutover", *arguments, *ENVIRONMENT)
        waited = re.search(r"waited for (?:about )?([\d.]+) s", said)
        pauses.append((name, waited[1] if waited else "unknown"))

    switch("rehearsal", "a cutover is rehearsed: everything but the switch", "--rehearse")
    switch("cutover", "orders go to the shards, and the same run brings them back to the source")
    sleep(ON_EACH_SIDE, run, checkout)
    say("what the shards' orders have changed is compared with the source, while orders are taken")
    verify("--recent", expected=(0, NOT_AT_REST))
    switch("rollback", "orders go to the source again", "rollback")
    switch("second cutover", "orders go to the shards again")

    sleep(ON_EACH_SIDE, run, checkout)
    say("the checkout closes, and compares the shards with its own record")
    if (code := end(checkout, signal.SIGTERM)) != 0:
        raise DemoFailed(f"the checkout ended with exit code {code}: orders were lost or doubled")
    return pauses


def finish(run: Process) -> None:
    say("the stream drains, and everything is compared for the last time")
    drain(run)
    verify()
    if (code := end(run, signal.SIGINT)) not in (0, INTERRUPTED):
        raise DemoFailed(f"run ended with exit code {code}")
    say("the migration is finished: there is no way back any more")
    shardwright("cutover", "finish", *ENVIRONMENT)


def drain(run: Process) -> None:
    wait_until("the stream has drained", lambda status: status["caught_up"], run)


def verify(*arguments: str, expected: tuple[int, ...] = (0,)) -> None:
    """Show the comparison, and keep the last one in a file. `verify` follows the direction in force."""
    said = answer("verify", *arguments, *ENVIRONMENT, "--format", "text", expected=expected)
    (REPORTS / "verify.txt").write_text(said, encoding="utf-8")


def figures(since: float) -> str:
    """What the run said of itself: rows copied and how fast, stream events, lag at the end."""
    lines = (REPORTS / "run.jsonl").read_text(encoding="utf-8").splitlines()
    events = [event for line in lines if (event := json.loads(line))["at"] >= since]
    copied = [event for event in events if event["event"] == "CopyProgress"]
    stream = [event for event in events if event["event"] == "StreamProgress"]
    rows = sum(event["rows"] for event in copied)
    seconds = max(copied[-1]["at"] - events[0]["at"], 0.001) if copied else 0.001
    lags = [event["lag_seconds"] for event in stream if event["lag_seconds"] is not None]
    last = f"{lags[-1]:.1f} s in the last batch, at most {max(lags):.1f} s" if lags else "none"
    return (
        f"{rows:,} rows copied in {seconds:.0f} s ({rows / seconds:,.0f} rows/s), "
        f"{sum(event['events'] for event in stream):,} change events in {len(stream)} batches, lag {last}, then caught up"
    )


def source_of(folder: Path) -> tuple[str, ...]:
    """How the shop's own programs reach the source: its port, and the password of its application's account."""
    environment = yaml.safe_load((SHOP / "environments" / "sandbox.yaml").read_text(encoding="utf-8"))
    return ("--port", str(environment["source"]["port"]), "--password-file", password(folder))


def password(folder: Path) -> str:
    return str(folder / "secrets" / "app.password")


if __name__ == "__main__":
    raise SystemExit(main())
