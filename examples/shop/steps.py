"""The steps that both migrations of the demo have: a run, the checkout, a cutover there and back, the end."""

from __future__ import annotations

import json
import os
import re
import signal
from contextlib import ExitStack
from pathlib import Path

from examples.shop.commands import DemoFailed, Process, Project, command, end, say, sleep, start

SECONDS = float(os.environ.get("DEMO_SECONDS", "20"))
RATE = os.environ.get("DEMO_RATE", "30")
ON_EACH_SIDE = min(3.0, SECONDS / 4)
"""Seconds for which orders are taken between two switches."""

INTERRUPTED = 130
NOT_AT_REST = 8
"""The exit code of a `verify` that has found no difference, where some rows changed all the time."""

Pauses = list[tuple[str, str]]
"""For each switch how long writers waited."""


def follow(project: Project, cleanup: ExitStack) -> Process:
    """The run, which continues."""
    project.reports.mkdir(parents=True, exist_ok=True)
    report = f"json={project.reports / 'run.jsonl'}"
    run = project.start("run", "run", "--until", "forever", "--report", report)
    cleanup.callback(end, run, signal.SIGTERM)
    return run


def take_orders(folder: Path, cleanup: ExitStack, *which: str) -> Process:
    """The checkout, which continues. `which` says whose switch row it reads, and where."""
    say("the checkout takes orders, wherever the switch row says")
    checkout = start("checkout", command("checkout.py", *which, "--password-file", password(folder), "--rate", RATE))
    cleanup.callback(end, checkout, signal.SIGTERM)
    return checkout


def close(checkout: Process) -> None:
    say("the checkout closes, and compares the shards with its own record")
    if (code := end(checkout, signal.SIGTERM)) != 0:
        raise DemoFailed(f"the checkout ended with exit code {code}: orders were lost or doubled")


def switch(project: Project, name: str, *arguments: str) -> Pauses:
    said = project.answer("cutover", *arguments)
    waited = re.search(r"waited for (?:about )?([\d.]+) s", said)
    return [(name, waited[1] if waited else "unknown")]


def there_and_back(project: Project, *processes: Process) -> Pauses:
    """A cutover, a rollback, and a cutover for good. Orders are taken all the time, and the run continues."""
    say("orders go to the shards, and the same run brings them back to the source")
    pauses = switch(project, "cutover")
    sleep(ON_EACH_SIDE, *processes)
    say("what the shards' orders have changed is compared with the source, while orders are taken")
    verify(project, "--recent", expected=(0, NOT_AT_REST))
    sleep(ON_EACH_SIDE, *processes)
    say("orders go to the source again")
    pauses += switch(project, "rollback", "rollback")
    sleep(ON_EACH_SIDE, *processes)
    say("orders go to the shards again")
    pauses += switch(project, "second cutover")
    sleep(ON_EACH_SIDE, *processes)
    return pauses


def some_first(project: Project, *processes: Process) -> Pauses:
    """The writes of some users go to the shards, and back. All others go on."""
    say("the orders of 1 % of the users go to the shards; both sides take writes")
    pauses = switch(project, "1 % of the users", "--percent", "1")
    sleep(ON_EACH_SIDE, *processes)
    say("they come back")
    pauses += switch(project, "and back", "rollback", "--buckets", "all")
    return pauses


def finish(project: Project, run: Process) -> None:
    if (code := end(run, signal.SIGINT)) not in (0, INTERRUPTED):
        raise DemoFailed(f"run ended with exit code {code}")
    say("the migration is finished: there is no way back any more")
    project.shardwright("cutover", "finish", "--yes", *project.selection)


def drain(project: Project, run: Process) -> None:
    project.wait_until("the stream has drained", lambda status: status["caught_up"], run)


def verify(project: Project, *arguments: str, expected: tuple[int, ...] = (0,)) -> None:
    """Show the comparison, and keep the last one in a file. `verify` follows the direction in force."""
    said = project.answer("verify", *arguments, "--format", "text", expected=expected)
    (project.reports / "verify.txt").write_text(said, encoding="utf-8")


def figures(project: Project, since: float) -> str:
    """What the run said of itself: rows copied and how fast, stream events, lag at the end."""
    lines = (project.reports / "run.jsonl").read_text(encoding="utf-8").splitlines()
    events = [event for line in lines if (event := json.loads(line))["at"] >= since]
    copied = [event for event in events if event["event"] == "ChunkCopied"]
    stream = [event for event in events if event["event"] == "BatchApplied"]
    rows = sum(event["rows"] for event in copied)
    seconds = max(copied[-1]["at"] - events[0]["at"], 0.001) if copied else 0.001
    if not (copied and stream):
        raise DemoFailed(f"{project.reports / 'run.jsonl'} names no chunk, or no batch")
    lags = [event["lag_seconds"] for event in stream if event["lag_seconds"] is not None]
    last = f"{lags[-1]:.1f} s in the last batch, at most {max(lags):.1f} s" if lags else "none"
    return (
        f"{rows:,} rows copied in {seconds:.0f} s ({rows / seconds:,.0f} rows/s), "
        f"{sum(event['events'] for event in stream):,} change events in {len(stream)} batches, lag {last}, then caught up"
    )


def password(folder: Path) -> str:
    return str(folder / "secrets" / "app.password")
