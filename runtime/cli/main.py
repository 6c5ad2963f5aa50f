"""`shardwright`: the parser, and which file carries out which verb. Nothing heavy is imported here."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence

from shardwright.compiler.report.request import FORMATS, ReportRequest, UnknownReport, report_request
from shardwright.runtime.cli.exits import guarded

VERBS = {
    "init": "make a project: spec, schema, environments and workflows that validate and compile at once",
    "validate": "check the specs' shape and references; no SQL, no network",
    "compile": "specs to plans: Spark SQL, MySQL SQL, target DDL; offline",
    "diff": "what changed in meaning since another commit: rows that move, columns, deletes, DDL, SQL",
    "dry-run": "let Spark analyse and run every statement of the plan on made-up data; no server needed",
    "test": "spec tests: given rows and events, expect rows on the shards; no server needed",
    "route": "database and table of a key, by the rule's Python, Spark and MySQL forms",
    "import": "write the schema file from the live source",
    "forecast": "rows and bytes that each shard and physical table will get, largest keys, colliding unique keys",
    "preflight": "everything that a run asks of source and targets before its first write, as one table",
    "run": "create tables, copy the snapshot, follow the stream; resumes by itself",
    "status": "where a migration stands: chunks, position, lag, tombstones",
    "control": "pause a migration that is under way, let it go on, slow its copy down",
    "verify": "compare source and shards, name every row that differs",
    "repair": "bring rows that verify named back to what the source has",
    "ddl": "route DDL changes to every physical table",
    "dead-letters": "rows that a target refused: show them, try them again, give them up",
    "sandbox": "throw-away database servers for a spec",
    "show": "what holds for one table, each setting with the line that says so",
    "schema": "print the JSON Schema of a spec or an environment file",
    "explain": "what a code means and what to do",
    "prepare": "once a machine: an archive of Spark's classes, with which whatever uses Spark starts sooner",
    "completion": "print the script that completes commands in a shell",
    "version": "print the versions of the tool and of what decides about its SQL",
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = build_parser()
    arguments = parser.parse_args(argv)
    return int(guarded(lambda: _carried_out(arguments), debug=arguments.debug, color=arguments.color))


def _carried_out(arguments: argparse.Namespace) -> int:
    module = importlib.import_module(f"shardwright.runtime.cli.verb_{arguments.verb.replace('-', '_')}")
    return int(module.execute(arguments))


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="shardwright",
        description="Move MySQL tables onto shards: a reviewed spec, compiled to plain SQL, executed on Spark, proved.",
        epilog="exit codes: 0 done, 1 the input is at fault, 2 the tool failed, 3 changes present, 4 unreachable, "
        "5 stopped part-way (run again), 6 refused (needs a human), 7 done but rows are held, 130 interrupted",
    )
    parser.set_defaults(project=None, quiet=False, verbose=0, color="auto", debug=False)
    _global(parser)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, text in VERBS.items():
        verb = verbs.add_parser(name, help=text, description=text)
        _ADD[name](verb)
        _global(verb)
    return parser


def _global(parser: argparse.ArgumentParser) -> None:
    """Understood before the verb and after it; without a default, so that the one place does not undo the other."""
    options = parser.add_argument_group("everywhere", argument_default=argparse.SUPPRESS)
    options.add_argument("--project", metavar="DIR", help="the project folder (default: found upward)")
    options.add_argument("-q", "--quiet", action="store_true", help="no progress on stderr")
    options.add_argument("-v", "--verbose", action="count", help="more on stderr")
    options.add_argument("--color", choices=("auto", "always", "never"), help="colours on stderr (default: auto)")
    options.add_argument("--debug", action="store_true", help="show the trace of a failure")


def _paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="spec files (default: specs/*.yaml)")


def _report(text: str) -> ReportRequest:
    try:
        return report_request(text)
    except UnknownReport as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _checks(parser: argparse.ArgumentParser) -> None:
    _reports(parser, paths="spec files (default: specs/*.yaml)")


def _reports(parser: argparse.ArgumentParser, *, paths: str) -> None:
    """What every verb takes that ends with findings: they go to `reporting.deliver`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths)
    parser.add_argument("--format", choices=("text", "json"), default="text",
                        help="json: the result as one JSON document on stdout")  # fmt: skip
    parser.add_argument("--report", metavar="FORMAT[=PATH]", action="append", default=[], type=_report,
                        help=f"write a report (repeatable): {', '.join(FORMATS)}")  # fmt: skip
    parser.add_argument("--fail-on", choices=("error", "warning", "never"), default="error",
                        help="the least severe finding that makes the exit code 1 (default: error)")  # fmt: skip


def _compile(parser: argparse.ArgumentParser) -> None:
    _checks(parser)
    parser.add_argument("-o", "--output", metavar="DIR", help="where plans go (default: build/)")
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit 1 when shardwright.lock or a plan on disk is not current",
    )
    parser.add_argument(
        "--reread",
        action="store_true",
        help="parse every compiled statement again and compare (slow; dry-run does it too)",
    )


def _diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base", metavar="REF", default="HEAD", help="the commit to compare with (default: HEAD)")
    parser.add_argument(
        "--sample", metavar="FILE", help="keys to reckon with instead of made-up ones: CSV, columns named"
    )
    parser.add_argument("--sql", action="store_true", help="show how the SQL of each step differs")
    parser.add_argument(
        "--format", choices=("text", "json", "markdown"), default="text", help="what stdout gets (default: text)"
    )
    parser.add_argument("--detailed-exitcode", action="store_true", help="exit 3 when something changed")


def _connects(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--env", required=True, metavar="NAME", help="the environment: environments/NAME.yaml")
    parser.add_argument("--migration", metavar="NAME", help="which compiled migration (default: the only one)")


def _run(parser: argparse.ArgumentParser) -> None:
    _connects(parser)
    parser.add_argument("--until", choices=("snapshot", "caught-up", "forever"), default="caught-up",
                        help="when to end (default: caught-up)")  # fmt: skip
    parser.add_argument("--allow", metavar="CODE[,CODE]", default="",
                        help="let pass once what a safety stop would refuse: SW6003 (a batch with more deletes than the ceiling), "
                             "SW8141 (triggers on target tables), SW8142 (foreign keys on them), SW8147 (removing the rows of tables to be replaced), "
                             "SW8114@FILE:POS (step over the DDL statement at that place of the log)")  # fmt: skip
    parser.add_argument("--report", metavar="json=PATH", action="append", default=[], help="progress as JSON lines")


def _status(parser: argparse.ArgumentParser) -> None:
    _connects(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")


def _control(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    texts = {
        "pause": "finish what is under way, begin nothing new; holds for runs to come, too",
        "resume": "let a paused migration go on",
        "throttle": "keep the copy to so many rows a second",
        "status": "what is ordered, by whom",
    }
    for name, text in texts.items():
        action = actions.add_parser(name, help=text)
        _connects(action)
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


def _preflight(parser: argparse.ArgumentParser) -> None:
    _status(parser)
    parser.add_argument("--forecast", type=_rows, nargs="?", const=5_000, metavar="ROWS",
                        help="reckon the needed space by a forecast from so many rows of each table (5000), not evenly")  # fmt: skip


def _forecast(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", nargs="?", metavar="SPEC", help="a spec file (default: the only one in specs/)")
    parser.add_argument("--env", required=True, metavar="NAME", help="the environment: environments/NAME.yaml")
    parser.add_argument(
        "--table", action="append", default=[], metavar="NAME", help="only this logical table (repeatable)"
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--sample", type=_rows, default=20_000, metavar="ROWS",
                      help="rows of each table to look at, spread over its primary key (default: 20000)")  # fmt: skip
    size.add_argument("--full", action="store_true", help="look at every row")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="what the sample is drawn with (default: 1)")
    parser.add_argument("--pause", metavar="SECONDS", type=float, default=0.0,
                        help="wait so long after each statement, to be kind to the source (default: 0)")  # fmt: skip
    parser.add_argument("--svg", metavar="FILE", help="also draw it")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")


def _rows(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of rows")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 64")
    return int(text)


def _percent(text: str) -> float:
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = 0.0
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is no share: above 0 and up to 100 percent")
    return value


def _verify(parser: argparse.ArgumentParser) -> None:
    _status(parser)
    parser.add_argument("--table", action="append", metavar="NAME", help="only this logical table (repeatable)")
    parser.add_argument("--shard", metavar="DATABASE", help="only what belongs to this database, and what stands there")
    parser.add_argument("--invariants", metavar="HOW", choices=("also", "only", "no"), default="also",
                        help="those of the spec: also, only or no (default: also, where all rows are compared)")  # fmt: skip
    parser.add_argument("--report", metavar="FORM=PATH", action="append", default=[],
                        help="the result as a file (repeatable): json or html")  # fmt: skip
    parser.add_argument("--at-position", action="store_true",
                        help="the source is held still: compare where it stands, and refuse to tell when it moves")  # fmt: skip
    parser.add_argument("--patience", metavar="SECONDS", type=float, default=60.0,
                        help="how long the stream may stand still while rows are on their way (default: 60)")  # fmt: skip
    parser.add_argument("--recent", action="store_true",
                        help="only the rows that the stream's last batches changed, as far as the shards remember them")  # fmt: skip
    parser.add_argument("--every", metavar="SECONDS", type=float,
                        help="with --recent: again and again, until something differs")  # fmt: skip
    parser.add_argument("--sample", metavar="PERCENT", type=_percent,
                        help="only so many key ranges that 99 times of 100 one is found that differs, when PERCENT of all do")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=int, help="choose the sample of an earlier call again")
    parser.add_argument("--state", metavar="FILE",
                        help="keep how far it is, and go on from there after a break; gone at the end")  # fmt: skip
    parser.add_argument("--workers", metavar="N", type=_count, default=4, help="key ranges at a time (default: 4)")
    parser.add_argument("--pause", metavar="SECONDS", type=float, default=0.0,
                        help="rest so long after each range, to be kind to the servers (default: 0)")  # fmt: skip


def _repair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("result", metavar="RESULT", help="what `verify --report json=RESULT` has written")
    _connects(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="print what it amounts to, as statements; change nothing"
    )
    parser.add_argument("--at-most", metavar="N", type=_rows, default=100,
                        help="refuse when more rows are to be repaired (default: 100)")  # fmt: skip
    parser.add_argument("--delete-extra", action="store_true", help="remove rows that are not at the source, too")
    parser.add_argument(
        "--run", action="store_true", help="start a run until it has caught up: where none is under way"
    )
    parser.add_argument("--patience", metavar="SECONDS", type=float, default=60.0,
                        help="how long the run may take for the next row (default: 60)")  # fmt: skip


def _ddl(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("plan", help="every change's class and statement on each kind of server; offline")
    show.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")
    show.add_argument("--migration", metavar="NAME", help="which compiled migration (default: the only one)")
    show.add_argument("--strays", action="store_true",
                      help="instead: statements that make strays what they should be, for review; needs --env")  # fmt: skip
    show.add_argument("--env", metavar="NAME", help="where --strays looks: environments/NAME.yaml")
    _online(show)
    for name, text in (
        ("apply", "run what is not done yet"),
        ("status", "how far each change is"),
        ("new", "write a file that leads tables that stand there to what the spec says, for review"),
    ):
        action = actions.add_parser(name, help=text)
        _connects(action)
        if name == "status":
            action.add_argument(
                "--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)"
            )
        if name == "new":
            action.add_argument("--name", default="lead_to_spec",
                                help="words of the file's name after its number (default: lead_to_spec)")  # fmt: skip
        if name == "apply":
            action.add_argument("--allow", metavar="CODE[,CODE]", default="",
                                help="allow changes that lose data: SW8420; that copy tables: SW8421; that keep writers waiting: SW8422; "
                                     "heavier ways than planned, where a server refuses the lighter: SW8415")  # fmt: skip
            action.add_argument("--parallel", type=int, default=8, help="shards of one server at a time (default: 8)")
            action.add_argument("--lock-wait-timeout", metavar="SECONDS", type=_lock_wait, default=5,
                                help="how long one try waits for a table that is in use (default: 5)")  # fmt: skip
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


def _dead_letters(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    texts = {
        "list": "which rows are held, and why",
        "retry": "let the run read the rows again at the source",
        "discard": "give the rows up: their next event is applied again",
    }
    for name, text in texts.items():
        action = actions.add_parser(name, help=text)
        _connects(action)
        action.add_argument("--table", metavar="NAME", help="only rows of this logical table")
        action.add_argument("--key", metavar="VALUE[,VALUE]", help="only this row, as `list` names it")
        if name == "list":
            action.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets")
        if name == "discard":
            action.add_argument("--reason", required=True, metavar="TEXT", help="why; it goes into the audit")


def _sandbox(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in (("up", "start servers"), ("down", "stop and remove them"), ("status", "what runs")):
        action = actions.add_parser(name, help=text)
        action.add_argument("--folder", metavar="DIR", required=True, help="where the servers keep their data")
        if name == "up":
            action.add_argument("--targets", type=int, default=2, help="how many target servers (default: 2)")
            action.add_argument("--seed-sql", metavar="FILE", action="append", default=[], help="run on the source")


def _import(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    parser.add_argument("--env", required=True, metavar="NAME", help="the environment: environments/NAME.yaml")


def _dry_run(parser: argparse.ArgumentParser) -> None:
    _checks(parser)
    parser.add_argument("--rehearsals", metavar="N", type=_rehearsals, default=40,
                        help="made-up histories a table (default: 40)")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="what they are made from (default: 1)")


def _rehearsals(text: str) -> int:
    if not text.isdecimal() or int(text) > 10_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 10000")
    return int(text)


def _test(parser: argparse.ArgumentParser) -> None:
    _reports(parser, paths="test files (default: tests/*.yaml)")
    parser.add_argument("--junit", metavar="PATH", help="write the result as JUnit XML")


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table", metavar="TABLE", help="a logical name, an entry's pattern, or a source table it matches"
    )
    _paths(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output (default: text)")


def _route(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--table", required=True, metavar="NAME", help="the logical table")
    parser.add_argument("--key", action="append", default=[], metavar="COLUMN=VALUE",
                        help="a shard key column (repeatable); bytes as hexadecimal digits")  # fmt: skip
    parser.add_argument("--keys", metavar="FILE", help="a CSV file of keys with a header, instead of --key")
    parser.add_argument("--migration", metavar="NAME", help="which spec, when several move the table")
    parser.add_argument("--format", choices=("text", "json", "sql"), default="text", help="how (default: text)")
    parser.add_argument("--in", dest="engines", action="append", default=[], choices=("python", "spark", "mysql"),
                        help="also ask this engine (repeatable); all must agree")  # fmt: skip
    parser.add_argument("--env", metavar="NAME", help="whose first shard --in mysql asks")


def _schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=("spec", "environment", "test"), help="which kind of file")


def _init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=".", metavar="DIR", help="where (default: here)")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", help="such as SW2104")


def _nothing(parser: argparse.ArgumentParser) -> None:
    del parser


_ADD: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "init": _init,
    "validate": _checks,
    "compile": _compile,
    "dry-run": _dry_run,
    "test": _test,
    "diff": _diff,
    "route": _route,
    "import": _import,
    "forecast": _forecast,
    "preflight": _preflight,
    "run": _run,
    "status": _status,
    "control": _control,
    "verify": _verify,
    "repair": _repair,
    "ddl": _ddl,
    "dead-letters": _dead_letters,
    "sandbox": _sandbox,
    "show": _show,
    "schema": _schema,
    "explain": _explain,
    "prepare": _nothing,
    "completion": _completion,
    "version": _nothing,
}

if __name__ == "__main__":
    sys.exit(main())
