"""The main job from nothing to the verdict, through the command line alone, as a user would do it.

make demo                        200,000 orders, an application that writes for a minute or more
DEMO_SECONDS=20 make demo        less of it; DEMO_ORDERS and DEMO_RATE work alike
DEMO_KEEP=1 make demo            the servers go on running afterwards
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

SHOP = Path(__file__).resolve().parent
REPORTS = SHOP / "reports"
SHARDWRIGHT = (str(Path(sys.executable).with_name("shardwright")), "--project", str(SHOP))
ENVIRONMENT = ("--env", "sandbox")

SECONDS = float(os.environ.get("DEMO_SECONDS", "60"))
ORDERS = int(os.environ.get("DEMO_ORDERS", "200000"))
RATE = float(os.environ.get("DEMO_RATE", "50"))
PATIENCE = 900.0
"""The longest wait for one step, in seconds: a demo that hangs should say where."""

INTERRUPTED = 130

Process = tuple[str, "subprocess.Popen[bytes]"]
"""A program that goes on in the background, with its name."""


class DemoFailed(Exception):
    """A step did not do what it should; the message says which."""


def main() -> int:
    begin, began_at = time.monotonic(), time.time()
    REPORTS.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="shardwright-demo-"))
    # A demo that is told to end still takes its servers with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with ExitStack() as cleanup:
            verdict = _demo(folder, cleanup)
    except DemoFailed as failure:
        print(f"\ndemo failed: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    _say(f"{'everything is equal' if verdict == 0 else 'NOT EQUAL'}, after {time.monotonic() - begin:.0f} s in all")
    print(f"  figures     {_figures(began_at)}")
    print(f"  plan        {SHOP / 'build' / 'shop-split'}")
    print(f"  run report  {REPORTS / 'run.jsonl'}")
    print(f"  verdict     {REPORTS / 'verify.txt'}")
    return verdict


def _demo(folder: Path, cleanup: ExitStack) -> int:
    _say("the spec becomes a plan of SQL files")
    _shardwright("compile")

    _say("one source and two target servers")
    if os.environ.get("DEMO_KEEP"):
        cleanup.callback(_say, f"the servers go on running: shardwright sandbox down --folder {folder}")
    else:
        cleanup.callback(_shardwright, "sandbox", "down", "--folder", str(folder), check=False)
    _shardwright("sandbox", "up", "--folder", str(folder), "--targets", "2")

    _say(f"a shop with {ORDERS:,} orders")
    _program("load.py", *_shop(folder), "--orders", str(ORDERS))

    _say("its application writes, while the migration runs")
    application = _start(
        "application", _command("application.py", *_shop(folder), "--seconds", "86400", "--rate", str(RATE))
    )
    cleanup.callback(_end, application, signal.SIGTERM)
    report = f"json={REPORTS / 'run.jsonl'}"
    run = _start("run", [*SHARDWRIGHT, "run", *ENVIRONMENT, "--until", "forever", "--report", report])
    cleanup.callback(_end, run, signal.SIGTERM)
    started = time.monotonic()
    _wait_until("the snapshot is complete", lambda status: status["snapshot_complete"], run, application)

    _say("meanwhile a change of the schema goes to every physical table")
    _shardwright("ddl", "apply", *ENVIRONMENT)

    written_for = time.monotonic() - started
    if written_for < SECONDS + 5:
        _say(f"the application goes on for {max(5.0, SECONDS - written_for):.0f} s")
        _sleep(max(5.0, SECONDS - written_for), run, application)
    _say("the application stops, the stream drains")
    if _end(application, signal.SIGTERM) != 0:
        raise DemoFailed("the application ended with an error")
    _wait_until("the stream has drained", lambda status: status["caught_up"], run)
    if (code := _end(run, signal.SIGINT)) not in (0, INTERRUPTED):
        raise DemoFailed(f"run ended with exit code {code}")

    _say("source and shards are compared")
    return _verify()


def _figures(since: float) -> str:
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


def _verify() -> int:
    """Show the comparison and keep it in a file; returns its exit code."""
    command = [*SHARDWRIGHT, "verify", *ENVIRONMENT, "--format", "text"]
    _show(command)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="", flush=True)
    (REPORTS / "verify.txt").write_text(done.stdout, encoding="utf-8")
    return done.returncode


def _wait_until(what: str, holds: Callable[[dict[str, Any]], bool], run: Process, *others: Process) -> None:
    """Ask `status` until the condition holds; a process that should be running and is not ends the demo."""
    end = time.monotonic() + PATIENCE
    while True:
        _all_run(run, *others)
        command = [*SHARDWRIGHT, "status", *ENVIRONMENT, "--format", "json"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        # Before the run has made its ledgers there is nothing to tell.
        if answer.returncode == 0 and holds(json.loads(answer.stdout)):
            return
        if time.monotonic() > end:
            raise DemoFailed(
                f"after {PATIENCE:.0f} s it still does not hold that {what}: {answer.stdout}{answer.stderr}"
            )
        time.sleep(1.0)


def _sleep(seconds: float, *processes: Process) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        _all_run(*processes)
        time.sleep(0.5)


def _start(name: str, command: list[str]) -> Process:
    _show(command, note="&")
    # A session of its own: an interrupt at the terminal ends the demo, and the demo ends its processes in order.
    return name, subprocess.Popen(command, start_new_session=True)


def _all_run(*processes: Process) -> None:
    for name, process in processes:
        if process.poll() is not None:
            raise DemoFailed(f"{name} ended too early, with exit code {process.returncode}")


def _end(named: Process, sign: signal.Signals) -> int:
    """Ask a process to end, wait for it, and return its exit code; force it when it takes too long."""
    name, process = named
    if process.poll() is None:
        process.send_signal(sign)
        try:
            process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise DemoFailed(f"{name} did not end within 120 s of {sign.name}") from None
    return process.returncode


def _shardwright(*arguments: str, check: bool = True) -> None:
    _run([*SHARDWRIGHT, *arguments], check=check)


def _program(name: str, *arguments: str) -> None:
    _run(_command(name, *arguments), check=True)


def _run(command: list[str], *, check: bool) -> None:
    _show(command)
    code = subprocess.run(command, check=False).returncode
    if check and code != 0:
        raise DemoFailed(f"{_readable(command)} ended with exit code {code}")


def _command(name: str, *arguments: str) -> list[str]:
    return [sys.executable, str(SHOP / name), *arguments]


def _shop(folder: Path) -> tuple[str, ...]:
    """How the shop's own programs reach the source: its port, and the password of its application's account."""
    environment = yaml.safe_load((SHOP / "environments" / "sandbox.yaml").read_text(encoding="utf-8"))
    return ("--port", str(environment["source"]["port"]), "--password-file", str(folder / "secrets" / "app.password"))


def _say(text: str) -> None:
    print(f"\n== {text}", flush=True)


def _show(command: list[str], *, note: str = "") -> None:
    print(f"$ {_readable(command)} {note}".rstrip(), flush=True)


def _readable(command: list[str]) -> str:
    """The command as a person would type it, without the folders of this checkout."""
    short = [Path(command[0]).name, *(argument.replace(f"{SHOP}{os.sep}", "") for argument in command[1:])]
    return shlex.join(argument for argument in short if argument not in ("--project", str(SHOP)))


if __name__ == "__main__":
    raise SystemExit(main())
