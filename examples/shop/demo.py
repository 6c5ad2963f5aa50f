"""The main job from nothing to its end, through the command line alone, as a user would do it: rows are copied and
followed, the application is cut over to the shards, back, and over for good.

make demo                        20,000 orders, an application that writes for 20 seconds or more before the cutover
DEMO_SECONDS=5 make demo         less of it; DEMO_ORDERS and DEMO_RATE work alike
DEMO_RESCALE=1 make demo         then the shards are the source of the next migration, which makes more of them
DEMO_KEEP=1 make demo            the servers continue to run afterwards
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import yaml

if __package__ in (None, ""):  # run as a program: its neighbours are beside it, not in a package
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from examples.shop.commands import SHOP, DemoFailed, Process, Project, command, end, program, say, sleep, start
from examples.shop.more_shards import more_shards
from examples.shop.steps import (
    INTERRUPTED,
    ON_EACH_SIDE,
    RATE,
    SECONDS,
    Pauses,
    close,
    drain,
    figures,
    finish,
    follow,
    password,
    some_first,
    switch,
    take_orders,
    there_and_back,
    verify,
)

ORDERS = int(os.environ.get("DEMO_ORDERS", "20000"))
PROJECT = Project(SHOP, ("--env", "sandbox"), SHOP / "reports")


def main() -> int:
    begin, began_at = time.monotonic(), time.time()
    folder = Path(tempfile.mkdtemp(prefix="shardwright-demo-"))
    # A demo that is told to end still takes its servers with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with ExitStack() as cleanup:
            prepare(folder, cleanup)
            run = copy(folder, cleanup)
            pauses = cut_over(folder, cleanup, run)
            finish(PROJECT, run)
            report(PROJECT, pauses, began_at)
            if os.environ.get("DEMO_RESCALE"):
                began_at = time.time()
                project, pauses = more_shards(folder, cleanup)
                report(project, pauses, began_at)
    except DemoFailed as failure:
        print(f"\ndemo failed: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    say(f"everything is equal, after {time.monotonic() - begin:.0f} s in all")
    print(f"  plan        {SHOP / 'build' / 'shop-split'}")
    return 0


def prepare(folder: Path, cleanup: ExitStack) -> None:
    say("the spec becomes a plan of SQL files")
    PROJECT.shardwright("compile")

    say("one source and two target servers")
    if os.environ.get("DEMO_KEEP"):
        cleanup.callback(say, f"the servers continue to run: shardwright sandbox down --folder {folder}")
    else:
        cleanup.callback(PROJECT.shardwright, "sandbox", "down", "--folder", str(folder), check=False)
    PROJECT.shardwright("sandbox", "up", "--folder", str(folder), "--targets", "2")

    say(f"a shop with {ORDERS:,} orders")
    program("load.py", *source_of(folder), "--orders", str(ORDERS))


def copy(folder: Path, cleanup: ExitStack) -> Process:
    """Returns the run, which continues."""
    say("its application writes, while the migration runs")
    application = start(
        "application", command("application.py", *source_of(folder), "--seconds", "86400", "--rate", RATE)
    )
    cleanup.callback(end, application, signal.SIGTERM)
    run = follow(PROJECT, cleanup)
    started = time.monotonic()
    PROJECT.wait_until("the snapshot is complete", lambda status: status["snapshot_complete"], run, application)

    say("meanwhile a change of the schema goes to every physical table")
    PROJECT.shardwright("ddl", "apply", *PROJECT.selection)

    rest = max(5.0, SECONDS - (time.monotonic() - started))
    say(f"the application continues for {rest:.0f} s")
    sleep(rest, run, application)
    say("the application stops, the stream drains")
    if end(application, signal.SIGTERM) != 0:
        raise DemoFailed("the application ended with an error")
    drain(PROJECT, run)

    say("source and shards are compared")
    verify(PROJECT)
    return run


def cut_over(folder: Path, cleanup: ExitStack, run: Process) -> Pauses:
    checkout = take_orders(folder, cleanup)
    sleep(ON_EACH_SIDE, run, checkout)
    say("a cutover is rehearsed: everything but the switch")
    pauses = switch(PROJECT, "rehearsal", "--rehearse")
    sleep(ON_EACH_SIDE, run, checkout)
    pauses += some_first(PROJECT, run, checkout)
    sleep(ON_EACH_SIDE, run, checkout)
    pauses += there_and_back(PROJECT, run, checkout)
    close(checkout)
    say("the stream drains, and everything is compared for the last time")
    drain(PROJECT, run)
    verify(PROJECT)
    return pauses


def report(project: Project, pauses: Pauses, began_at: float) -> None:
    say("what it took")
    print(f"  figures     {figures(project, began_at)}")
    print(f"  pauses      {', '.join(f'{name} {seconds} s' for name, seconds in pauses)}")
    print(f"  reports     {project.reports / 'run.jsonl'}, {project.reports / 'verify.txt'}", flush=True)


def source_of(folder: Path) -> tuple[str, ...]:
    """How the shop's own programs reach the source: its port, and the password of its application's account."""
    environment = yaml.safe_load((SHOP / "environments" / "sandbox.yaml").read_text(encoding="utf-8"))
    return ("--port", str(environment["source"]["port"]), "--password-file", password(folder))


if __name__ == "__main__":
    raise SystemExit(main())
