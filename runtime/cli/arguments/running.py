"""Which arguments do the verbs take that connect to servers? Used in the process of the command; no I/O."""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.arguments.common import asks, connects, consents, count, paths, percent, rows


def verify(parser: argparse.ArgumentParser) -> None:
    asks(parser)
    parser.add_argument("--table", action="append", metavar="NAME", help="only this logical table (repeatable)")
    parser.add_argument("--shard", metavar="DATABASE", help="only what belongs to this database, and what stands there")
    parser.add_argument("--invariants", metavar="HOW", choices=("also", "only", "no"), default="also",
                        help="those of the spec: also, only or no (default: also, where all rows are compared)")  # fmt: skip
    parser.add_argument("--report", metavar="FORM=PATH", action="append", default=[],
                        help="the result as a file (repeatable): json or html")  # fmt: skip
    parser.add_argument("--at-position", action="store_true",
                        help="the source is held still: compare where it stands, and refuse to tell when it moves")  # fmt: skip
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=60.0,
                        help="how long the stream may stand still while rows are on their way (default: 60)")  # fmt: skip
    parser.add_argument("--recent", action="store_true",
                        help="only the rows that the stream's last batches changed, as far as the shards remember them")  # fmt: skip
    parser.add_argument("--every", metavar="SECONDS", type=float,
                        help="with --recent: again and again, until something differs")  # fmt: skip
    parser.add_argument("--sample", metavar="PERCENT", type=percent,
                        help="only so many key ranges that 99 times of 100 one is found that differs, when PERCENT of all do")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=int, help="choose the sample of an earlier call again")
    parser.add_argument("--state", metavar="FILE",
                        help="keep how far it is, and go on from there after a break; gone at the end")  # fmt: skip
    parser.add_argument("--workers", metavar="N", type=count, default=4, help="key ranges at a time (default: 4)")
    parser.add_argument("--pause", metavar="SECONDS", type=float, default=0.0,
                        help="rest so long after each range, to be kind to the servers (default: 0)")  # fmt: skip


def repair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("result", metavar="RESULT", help="what `verify --report json=RESULT` has written")
    connects(parser)
    consents(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="print what it amounts to, as statements; change nothing"
    )
    parser.add_argument("--max-rows", metavar="N", type=rows, default=100,
                        help="refuse when more rows are to be repaired (default: 100)")  # fmt: skip
    parser.add_argument("--delete-extra", action="store_true", help="remove rows that are not at the source, too")
    parser.add_argument(
        "--run", action="store_true", help="start a run until it has caught up: where none is under way"
    )
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=60.0,
                        help="how long the run may take for the next row (default: 60)")  # fmt: skip


def ddl(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("plan", help="every change's class and statement on each kind of server; offline")
    show.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")
    show.add_argument("--migration", metavar="NAME", help="which compiled migration (default: the only one)")
    show.add_argument("--drift", action="store_true",
                      help="instead: statements that make tables what they should be, where they differ, for review; needs --env")  # fmt: skip
    show.add_argument("--env", metavar="NAME", help="where --drift looks: environments/NAME.yaml")
    _online(show)
    for name, text in (
        ("apply", "run what is not done yet"),
        ("status", "how far each change is"),
        ("new", "write a file that leads tables that stand there to what the spec says, for review"),
    ):
        action = actions.add_parser(name, help=text)
        connects(action)
        if name == "status":
            action.add_argument(
                "--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)"
            )
        if name == "new":
            action.add_argument("--name", default="lead_to_spec",
                                help="words of the file's name after its number (default: lead_to_spec)")  # fmt: skip
        if name == "apply":
            consents(action)
            action.add_argument("--allow", metavar="CODE[,CODE]", default="",
                                help="allow changes that lose data: SW8420; that copy tables: SW8421; that keep writers waiting: SW8422; "
                                     "heavier ways than planned, where a server refuses the lighter: SW8415")  # fmt: skip
            action.add_argument("--parallel", type=int, default=8, help="shards of one server at a time (default: 8)")
            action.add_argument("--lock-wait-timeout", metavar="SECONDS", type=_lock_wait, default=5,
                                help="how long one try waits for a table that is in use (default: 5)")  # fmt: skip
            action.add_argument("--apart", action="store_true",
                                help="let only the rows of a table that takes no writes wait, although weights order the tables: "
                                     "until it is over, details may stand without their parents")  # fmt: skip
            _online(action)
            action.add_argument("--remove-leftovers", action="store_true",
                                help="with --online: drop what a killed tool left beside the tables (SW8443 names it)")  # fmt: skip


def _online(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--online", choices=("pt-osc", "gh-ost"),
                        help="hand changes that copy tables to pt-online-schema-change or gh-ost, which let writers go on")  # fmt: skip


def _lock_wait(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) <= 3_600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds from 1 to 3600")
    return int(text)


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
    """The number of rows. 0 means the environment file's cap."""
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
