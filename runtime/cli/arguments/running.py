"""Which arguments do the verbs take that connect to servers? Used in the process of the command; no I/O."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from shardwright.runtime.cli.arguments.common import (
    Address,
    address,
    asks,
    connects,
    consents,
    count,
    limit,
    logs,
    paths,
    percent,
    rows,
    seconds,
)
from shardwright.specs.yaml.scalars import size_in_bytes


def verify(parser: argparse.ArgumentParser) -> None:
    asks(parser)
    logs(parser)
    parser.add_argument("--table", action="append", metavar="NAME", help="only this logical table (repeatable)")
    parser.add_argument("--shard", metavar="DATABASE", help="only rows that belong to this database, or are in it")
    parser.add_argument("--invariants", metavar="HOW", choices=("also", "only", "no"), default="also",
                        help="check the spec's invariants: also, only or no (default: also, where all rows are "
                             "compared)")  # fmt: skip
    parser.add_argument("--report", metavar="FORM=PATH", action="append", default=[],
                        help="the result as a file (repeatable): json, html, or jsonl: every mismatch with its values, "
                             "one on a line, as it is found")  # fmt: skip
    parser.add_argument("--last", metavar="RESULT",
                        help="what `verify --report json=RESULT` wrote earlier: the page says what changed since "
                             "then")  # fmt: skip
    parser.add_argument("--causes", metavar="N", type=limit, default=20,
                        help="look in the logs of both sides for who wrote the first N rows that differ, and whether "
                             "their change is late or lost; 0: do not (default: 20)")  # fmt: skip
    parser.add_argument("--at-position", action="store_true",
                        help="the source is read-only: compare at its position, and fail if it changes")  # fmt: skip
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=60.0,
                        help="how long to wait for a stream that makes no progress while rows are in flight "
                             "(default: 60)")  # fmt: skip
    parser.add_argument("--recent", action="store_true",
                        help="only the rows that the stream's last batches changed, as far as the shards keep "
                             "track of them")  # fmt: skip
    parser.add_argument("--since-verified", action="store_true",
                        help="only the rows that changed since the last whole comparison that found both sides "
                             "equal")  # fmt: skip
    parser.add_argument("--every", metavar="SECONDS", type=float,
                        help="with --recent: repeat, until something differs")  # fmt: skip
    parser.add_argument("--sample", metavar="PERCENT", type=percent,
                        help="a sample of the key ranges that finds a difference with 99 percent certainty if "
                             "PERCENT of all ranges differ")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=int, help="choose the sample of an earlier call again")
    parser.add_argument("--checkpoint", metavar="FILE",
                        help="keep the progress in this file, and continue from it after an interruption; removed "
                             "when done")  # fmt: skip
    parser.add_argument("--workers", metavar="N", type=count, default=4, help="key ranges at a time (default: 4)")
    parser.add_argument("--pause", metavar="SECONDS", type=float, default=0.0,
                        help="delay after each key range, to limit the load on the servers (default: 0)")  # fmt: skip


def notify(parser: argparse.ArgumentParser) -> None:
    connects(parser)
    parser.add_argument("--test", metavar="CHANNEL", nargs="*", required=True,
                        help="send a test message to these channels (default: all), and print each answer")  # fmt: skip


def repair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("result", metavar="RESULT", help="what `verify --report json=RESULT` has written")
    connects(parser)
    consents(parser)
    logs(parser)
    parser.add_argument("--dry-run", action="store_true", help="print the equivalent statements; change nothing")
    parser.add_argument("--max-rows", metavar="N", type=rows, default=100,
                        help="refuse when more rows are to be repaired (default: 100)")  # fmt: skip
    parser.add_argument("--delete-extra", action="store_true", help="remove rows that are not at the source, too")
    parser.add_argument("--run", action="store_true", help="start a run until it has caught up, where none is live")
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=60.0,
                        help="how long to wait for the run to repair the next row (default: 60)")  # fmt: skip


def report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", default="write", choices=("write", "check"),
                        help="write (default): a report into a new folder; check: that a folder is what was written, "
                             "without a server")  # fmt: skip
    parser.add_argument("folder", nargs="?", metavar="DIR", help="the folder to check")
    parser.add_argument("--env", metavar="NAME", help="the environment: environments/NAME.yaml")
    parser.add_argument("--migration", metavar="NAME", help="which compiled migration (default: the only one)")
    parser.add_argument("--out", metavar="DIR", help="a folder that is new or empty")
    logs(parser)
    parser.add_argument("--compare", action="store_true",
                        help="compare all rows now, and put the counts and sums of each key range into the "
                             "report")  # fmt: skip
    parser.add_argument("--head", metavar="DIGEST", help="with check: the last digest, as it was noted")


def ddl(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("plan", help="every change's class and statement on each kind of server; offline")
    show.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")
    show.add_argument("--migration", metavar="NAME", help="which compiled migration (default: the only one)")
    show.add_argument("--drift", action="store_true",
                      help="instead: statements that fix schema drift, for review; needs --env")  # fmt: skip
    show.add_argument(
        "--env", metavar="NAME", help="the environment whose tables --drift compares: environments/NAME.yaml"
    )
    _online(show)
    for name, text in (
        ("apply", "run what is not done yet"),
        ("status", "how far each change is"),
        ("new", "generate a DDL file that brings existing tables to the spec, for review"),
    ):
        action = actions.add_parser(name, help=text)
        connects(action)
        if name == "status":
            action.add_argument(
                "--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)"
            )
        if name == "new":
            action.add_argument("words", metavar="NAME", nargs="?",
                                help="words of the file's name after its number (default: match_spec); with it, a "
                                     "file without a statement is written where nothing differs")  # fmt: skip
            action.add_argument("--name", metavar="NAME", help="the same as the argument NAME")
        if name == "apply":
            consents(action)
            logs(action)
            action.add_argument("--allow", metavar="CODE[,CODE]", default="",
                                help="allow changes that lose data: SW8420; that copy tables: SW8421; that "
                                     "block writes: SW8422; a heavier way than planned, where a server refuses "
                                     "the lighter one: SW8415")  # fmt: skip
            action.add_argument("--parallel", type=int, default=8, help="shards of one server at a time (default: 8)")
            action.add_argument("--lock-wait-timeout", metavar="SECONDS", type=_lock_wait, default=5,
                                help="how long one try waits for a table that is in use (default: 5)")  # fmt: skip
            _online(action)
            action.add_argument("--remove-leftovers", action="store_true",
                                help="with --online: drop the tables and triggers that a killed tool left "
                                     "(SW8443 names them)")  # fmt: skip


def _online(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--online", choices=("pt-osc", "gh-ost"),
                        help="hand changes that copy tables to pt-online-schema-change or gh-ost, which do not "
                             "block writes")  # fmt: skip


def _lock_wait(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) <= 3_600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds from 1 to 3600")
    return int(text)


def run(parser: argparse.ArgumentParser) -> None:
    connects(parser)
    consents(parser)
    logs(parser)
    parser.add_argument("--until", choices=("snapshot", "caught-up", "forever"), default="caught-up",
                        help="when to end (default: caught-up)")  # fmt: skip
    parser.add_argument("--allow", metavar="CODE[,CODE]", default="",
                        help="override a safety check once: SW6003 (more deletes in a batch than stop_above), "
                             "SW8141 (triggers on target tables), SW8142 (foreign keys on them), SW8147 (rows "
                             "of replaced tables are removed), SW8114@FILE:POS (skip this DDL statement). SW8134 "
                             "and SW8166 continue without transactions that another source server lacks. SW8555 "
                             "cuts values as the source did")  # fmt: skip
    parser.add_argument("--recopy", metavar="TABLE[,TABLE]", default="",
                        help="remove the rows of these logical tables from the shards and copy them again, "
                             "while the stream continues")  # fmt: skip
    parser.add_argument("--leave-out", metavar="TABLE[,TABLE]", default="",
                        help="continue with a newer plan that does not have these logical tables: their rows "
                             "stay on the shards, and nothing keeps them up to date")  # fmt: skip
    parser.add_argument("--report", metavar="json=PATH", action="append", default=[],
                        help="the same as --log-format json --log-file PATH")  # fmt: skip
    parser.add_argument("--metrics", metavar="HOST:PORT", type=address,
                        help="serve metrics for Prometheus there, without a password and without TLS: on another "
                             "address than a loopback one every client that reaches it can read them")  # fmt: skip
    parser.add_argument("--page", metavar="HOST:PORT", type=address,
                        help="serve a live page of this run there, for a browser; on another address than a loopback "
                             "one it needs --page-token-file")  # fmt: skip
    parser.add_argument("--page-token-file", metavar="FILE",
                        help="a file with the token that the page asks for, at least 16 characters")  # fmt: skip


def status(parser: argparse.ArgumentParser) -> None:
    asks(parser)
    parser.add_argument("--watch", metavar="SECONDS", type=seconds, nargs="?", const=5.0,
                        help="show it again every 5 seconds, or as often as given, until Ctrl-C; JSON is one line "
                             "each time")  # fmt: skip
    parser.add_argument("--all", action="store_true",
                        help="every migration in the ledgers on the environment's servers, one line each")  # fmt: skip


def cutover(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", default="begin",
                        choices=("begin", "status", "abort", "rollback", "finish", "unfence"),
                        help="begin (default): to the shards; rollback: back to the source; status; abort: lift the "
                             "fence; finish: end the migration; unfence: after finish, open old tables")  # fmt: skip
    asks(parser)
    consents(parser)
    logs(parser)
    some = parser.add_mutually_exclusive_group()
    some.add_argument("--buckets", metavar="LIST",
                      help="move the writes of these virtual buckets only: 0-9,17 or all")  # fmt: skip
    some.add_argument("--percent", metavar="N", type=float,
                      help="the same with so many percent of all buckets, of those that have not moved")  # fmt: skip
    some.add_argument("--keys", metavar="TABLE=FILE",
                      help="the same with the buckets of these shard keys, a CSV file with a header; other keys of a "
                           "bucket move with it")  # fmt: skip
    some.add_argument("--both", action="store_true",
                      help="let both sides take all writes (two_way: {writers: both}); `cutover` or `cutover rollback` "
                           "ends that")  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="check the gates and print the steps; change nothing")
    parser.add_argument("--rehearse", action="store_true",
                        help="fence, drain, prove, and open the old side again: shows the pause")  # fmt: skip
    parser.add_argument("--max-pause", metavar="SECONDS", type=seconds,
                        help="lift the fence when the switch takes longer (default: the environment's "
                             "cutover.max_pause)")  # fmt: skip
    parser.add_argument("--drain-timeout", metavar="SECONDS", type=seconds,
                        help="kill transactions that are open for longer behind the fence (default: the "
                             "environment's cutover.drain_timeout)")  # fmt: skip
    parser.add_argument("--no-rollback", action="store_true",
                        help="cut over although a rollback could not stop the writers of the shards")  # fmt: skip
    parser.add_argument("--allow", metavar="CODE[,CODE]", default="",
                        help="answer for what writes behind the fence: SW8943 (rows of another server that it "
                             "replicates from), SW8944 (its events)")  # fmt: skip


def exporter(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--env", required=True, metavar="NAME", help="the environment: environments/NAME.yaml")
    parser.add_argument("--migration", metavar="NAME", action="append", default=[],
                        help="which compiled migration (repeatable; default: all)")  # fmt: skip
    parser.add_argument("--listen", metavar="HOST:PORT", type=address, default=Address("127.0.0.1", 9464),
                        help="where metrics are served, without a password and without TLS: on another address than "
                             "a loopback one every client that reaches it can read them "
                             "(default: 127.0.0.1:9464)")  # fmt: skip
    parser.add_argument("--once", action="store_true",
                        help="print the metrics once and end, for CI and textfile collectors")  # fmt: skip


def page(parser: argparse.ArgumentParser) -> None:
    connects(parser)
    parser.add_argument("--listen", metavar="HOST:PORT", type=address, default=Address("127.0.0.1", 9465),
                        help="where the page is served; on another address than a loopback one it needs --token-file "
                             "(default: 127.0.0.1:9465)")  # fmt: skip
    parser.add_argument("--token-file", metavar="FILE",
                        help="a file with the token that the page asks for, at least 16 characters")  # fmt: skip
    parser.add_argument("--verify-report", metavar="FILE",
                        help="show the differences that `verify --report json=FILE` has found, by shard")  # fmt: skip


def _add_actions(
    parser: argparse.ArgumentParser, texts: Mapping[str, str]
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Each with its parser; `texts`: action -> help."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in texts.items():
        action = actions.add_parser(name, help=text)
        connects(action)
        yield name, action


def control(parser: argparse.ArgumentParser) -> None:
    texts = {
        "pause": "drain in-flight work and start none; applies to later runs, too",
        "resume": "resume a paused migration",
        "throttle": "limit the snapshot copy to so many rows or bytes per second",
        "status": "the current orders, and who gave them",
    }
    for name, action in _add_actions(parser, texts):
        if name != "status":
            consents(action)
        if name in ("pause", "resume"):
            action.add_argument("--reason", default="", metavar="TEXT", help="reason (logged and audited)")
        if name == "throttle":
            caps = action.add_mutually_exclusive_group(required=True)
            caps.add_argument("--rows-per-second", metavar="N", type=_rows_per_second,
                              help="on average; 'default': what the environment file says")  # fmt: skip
            caps.add_argument("--bytes-per-second", metavar="SIZE", type=_bytes_per_second,
                              help="the same for bytes, such as 20MiB: each has an order of its own")  # fmt: skip
        if name == "status":
            action.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets")


def _rows_per_second(text: str) -> int:
    """The number of rows. 0 means the environment file's cap."""
    if text == "default":
        return 0
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) <= 1_000_000_000:
        raise argparse.ArgumentTypeError(f"'{text}' is neither a number from 1 to 1000000000 nor 'default'")
    return int(text)


def _bytes_per_second(text: str) -> int:
    """The number of bytes. 0 means the environment file's cap."""
    found = 0 if text == "default" else size_in_bytes(text)
    if found is None or (found == 0 and text != "default"):
        raise argparse.ArgumentTypeError(f"'{text}' is neither a size such as 20MiB nor 'default'")
    return found


def preflight(parser: argparse.ArgumentParser) -> None:
    asks(parser)
    parser.add_argument("--forecast", type=rows, nargs="?", const=5_000, metavar="ROWS",
                        help="estimate the needed space from a forecast over ROWS rows of each table (5000), "
                             "instead of evenly")  # fmt: skip


def forecast(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", nargs="?", metavar="SPEC", help="a spec file (default: the only one in specs/)")
    parser.add_argument("--env", required=True, metavar="NAME", help="the environment: environments/NAME.yaml")
    parser.add_argument(
        "--table", action="append", default=[], metavar="NAME", help="only this logical table (repeatable)"
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--sample", type=rows, default=20_000, metavar="ROWS",
                      help="rows of each table to look at, spread over its primary key (default: 20000)")  # fmt: skip
    size.add_argument("--full", action="store_true", help="look at every row")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="the sample's random seed (default: 1)")
    parser.add_argument("--pause", metavar="SECONDS", type=float, default=0.0,
                        help="delay after each statement, to limit the load on the source (default: 0)")  # fmt: skip
    parser.add_argument("--html", metavar="FILE", help="also write it as a page that needs no network")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")


def conflicts(parser: argparse.ArgumentParser) -> None:
    texts = {
        "list": "the last conflicts, and those that wait for a decision",
        "show": "one conflict: what both sides knew, what each has, and what counts",
        "resolve": "take one side's row (the run writes it to the other side)",
        "export": "all conflicts as lines of JSON",
    }
    for name, action in _add_actions(parser, texts):
        if name in ("show", "resolve"):
            action.add_argument("id", metavar="ID", type=int, help="its number, as `list` names it")
        if name == "resolve":
            consents(action)
            action.add_argument("--take", choices=("source", "shards"), required=True, help="whose row counts")
        if name == "list":
            action.add_argument("--held", action="store_true", help="only those that wait for a decision")
            action.add_argument(
                "--last", metavar="N", type=rows, default=50, help="so many of the others (default: 50)"
            )
        if name in ("list", "show"):
            action.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets")


def dead_letters(parser: argparse.ArgumentParser) -> None:
    texts = {
        "list": "which rows are dead letters, and why",
        "retry": "read the rows again at the source (the run does it)",
        "discard": "discard the rows: their next event is applied again",
    }
    for name, action in _add_actions(parser, texts):
        if name != "list":
            consents(action)
        action.add_argument("--table", metavar="NAME", help="only rows of this logical table")
        action.add_argument("--key", metavar="VALUE[,VALUE]", help="only this row, as `list` names it")
        if name == "list":
            action.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets")
        if name == "discard":
            action.add_argument("--reason", required=True, metavar="TEXT", help="reason (audited)")


def explain_row(parser: argparse.ArgumentParser) -> None:
    asks(parser)
    parser.add_argument("--table", required=True, metavar="NAME", help="the logical table")
    parser.add_argument("--key", action="append", required=True, metavar="COLUMN=VALUE",
                        help="a column of the row's key (repeatable); bytes as hexadecimal digits")  # fmt: skip
    parser.add_argument("--without-logs", action="store_true", help="do not read the servers' logs: no changes")
    parser.add_argument("--follow", action="store_true", help="watch the row, and print each change until Ctrl-C")
    parser.add_argument(
        "--html", metavar="FILE", help="also write it as a page with a timeline, which needs no network"
    )


def sandbox(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in (("up", "start servers"), ("down", "stop and remove them"), ("status", "what runs")):
        action = actions.add_parser(name, help=text)
        action.add_argument("--folder", metavar="DIR", required=True, help="where the servers keep their data")
        if name == "up":
            action.add_argument("--targets", type=int, default=2, help="how many target servers (default: 2)")
            action.add_argument(
                "--seed-sql", metavar="FILE", action="append", default=[], help="run on the source; may be repeated"
            )


def import_schema(parser: argparse.ArgumentParser) -> None:
    paths(parser)
    parser.add_argument("--env", required=True, metavar="NAME", help="the environment: environments/NAME.yaml")
