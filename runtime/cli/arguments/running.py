"""Arguments of the verbs about a run, before it, beside it and after it."""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.arguments.common import asks, connects, consents, paths, rows


def run(parser: argparse.ArgumentParser) -> None:
    connects(parser)
    consents(parser)
    parser.add_argument("--until", choices=("snapshot", "caught-up", "forever"), default="caught-up",
                        help="when to end (default: caught-up)")  # fmt: skip
    parser.add_argument("--allow", metavar="CODE[,CODE]", default="",
                        help="let pass once what a safety stop would refuse: SW6003 (a batch with more deletes than the ceiling), "
                             "SW8141 (triggers on target tables), SW8142 (foreign keys on them), SW8147 (removing the rows of tables to be replaced), "
                             "SW8114@FILE:POS (step over the DDL statement at that place of the log)")  # fmt: skip
    parser.add_argument("--recopy", metavar="TABLE[,TABLE]", default="",
                        help="remove the rows of these logical tables from the shards and copy them again, while the stream goes on")  # fmt: skip
    parser.add_argument("--report", metavar="json=PATH", action="append", default=[], help="progress as JSON lines")


def control(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    texts = {
        "pause": "finish what is under way, begin nothing new; holds for runs to come, too",
        "resume": "let a paused migration go on",
        "throttle": "keep the copy to so many rows a second",
        "status": "what is ordered, by whom",
    }
    for name, text in texts.items():
        action = actions.add_parser(name, help=text)
        connects(action)
        if name != "status":
            consents(action)
        if name in ("pause", "resume"):
            action.add_argument(
                "--reason", default="", metavar="TEXT", help="why; runs say it, and it goes into the audit"
            )
        if name == "throttle":
            action.add_argument("--rows-per-second", required=True, metavar="N", type=_rows_per_second,
                                help="on average; 'default': what the environment file says")  # fmt: skip
        if name == "status":
            action.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets")


def _rows_per_second(text: str) -> int:
    """0 stands for the environment file's cap."""
    if text == "default":
        return 0
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) <= 1_000_000_000:
        raise argparse.ArgumentTypeError(f"'{text}' is neither a number from 1 to 1000000000 nor 'default'")
    return int(text)


def preflight(parser: argparse.ArgumentParser) -> None:
    asks(parser)
    parser.add_argument("--forecast", type=rows, nargs="?", const=5_000, metavar="ROWS",
                        help="reckon the needed space by a forecast from so many rows of each table (5000), not evenly")  # fmt: skip


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
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="what the sample is drawn with (default: 1)")
    parser.add_argument("--pause", metavar="SECONDS", type=float, default=0.0,
                        help="wait so long after each statement, to be kind to the source (default: 0)")  # fmt: skip
    parser.add_argument("--svg", metavar="FILE", help="also draw it")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")


def dead_letters(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    texts = {
        "list": "which rows are held, and why",
        "retry": "let the run read the rows again at the source",
        "discard": "give the rows up: their next event is applied again",
    }
    for name, text in texts.items():
        action = actions.add_parser(name, help=text)
        connects(action)
        if name != "list":
            consents(action)
        action.add_argument("--table", metavar="NAME", help="only rows of this logical table")
        action.add_argument("--key", metavar="VALUE[,VALUE]", help="only this row, as `list` names it")
        if name == "list":
            action.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets")
        if name == "discard":
            action.add_argument("--reason", required=True, metavar="TEXT", help="why; it goes into the audit")


def sandbox(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in (("up", "start servers"), ("down", "stop and remove them"), ("status", "what runs")):
        action = actions.add_parser(name, help=text)
        action.add_argument("--folder", metavar="DIR", required=True, help="where the servers keep their data")
        if name == "up":
            action.add_argument("--targets", type=int, default=2, help="how many target servers (default: 2)")
            action.add_argument("--seed-sql", metavar="FILE", action="append", default=[], help="run on the source")


def import_schema(parser: argparse.ArgumentParser) -> None:
    paths(parser)
    parser.add_argument("--env", required=True, metavar="NAME", help="the environment: environments/NAME.yaml")
