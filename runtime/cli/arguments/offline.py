"""Which arguments do the verbs take that need no server? Used in the process of the command; no I/O."""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.arguments.common import checks, paths, report_forms, reports
from shardwright.runtime.cli.extras import Group
from shardwright.runtime.cli.help_form import VERBS_BY_USE


def compile_specs(parser: argparse.ArgumentParser) -> None:
    checks(parser)
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
    known = parser.add_mutually_exclusive_group()
    known.add_argument("--baseline", dest="known_findings", metavar="FILE",
                       help="count the findings that this file knows, and show and judge the others only")  # fmt: skip
    known.add_argument("--write-baseline", dest="write_known_findings", metavar="FILE",
                       help="write the findings of now, but not what stops a plan, to a baseline")  # fmt: skip


def diff(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base", metavar="REF", default="HEAD", help="the commit to compare with (default: HEAD)")
    parser.add_argument(
        "--sample", metavar="FILE", help="sample keys instead of generated ones: a CSV file that names its columns"
    )
    parser.add_argument("--sql", action="store_true", help="show how the SQL of each step differs")
    parser.add_argument(
        "--format", choices=("text", "json", "markdown"), default="text", help="what stdout gets (default: text)"
    )
    parser.add_argument("--detailed-exitcode", action="store_true", help="exit 3 when something changed")


def dry_run(parser: argparse.ArgumentParser) -> None:
    checks(parser)
    parser.add_argument("--histories", metavar="N", type=_histories, default=40,
                        help="random change histories per table (default: 40)")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="their random seed (default: 1)")


def _histories(text: str) -> int:
    if not text.isdecimal() or int(text) > 10_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 10000")
    return int(text)


def test(parser: argparse.ArgumentParser) -> None:
    reports(parser, paths="test files (default: tests/*.yaml)")
    parser.add_argument("--junit", metavar="PATH", help="write the result as JUnit XML")


def show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "table", metavar="TABLE", help="a logical name, an entry's pattern, or a source table it matches"
    )
    paths(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output (default: text)")


def route(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--table", required=True, metavar="NAME", help="the logical table")
    parser.add_argument("--key", action="append", default=[], metavar="COLUMN=VALUE",
                        help="a shard key column (repeatable); bytes as hexadecimal digits")  # fmt: skip
    parser.add_argument("--keys", metavar="FILE", help="a CSV file of keys with a header, instead of --key")
    parser.add_argument("--migration", metavar="NAME", help="which spec, when several move the table")
    parser.add_argument("--format", choices=("text", "json", "sql"), default="text", help="how (default: text)")
    parser.add_argument("--in", dest="engines", action="append", default=[], choices=("python", "spark", "mysql"),
                        help="also compute it in this engine (repeatable); all must agree")  # fmt: skip
    parser.add_argument("--env", metavar="NAME", help="the environment whose first shard --in mysql uses")


def router(parser: argparse.ArgumentParser) -> None:
    forms = ("python", "java", "go", "typescript", "javascript", "php", "shardingsphere", "vitess", "proxysql")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--format", choices=forms, help="which library, or which proxy's configuration")
    what.add_argument("--views", metavar="DATABASE", help="print views of the old tables over a database's own")
    parser.add_argument("--out", metavar="FILE|DIR", help="where (default: print it); test vectors go beside it")
    parser.add_argument("--vectors", metavar="FILE", help="where the test vectors go instead")
    parser.add_argument("--migration", metavar="NAME", help="which spec, when there are several")


def conform(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--statements",
        metavar="FILE",
        action="append",
        default=[],
        help="statements of the application (repeatable): SQL, a general or slow query log, what mysqldumpslow or "
        "pt-query-digest print, events_statements_summary_by_digest as JSON or CSV",
    )
    parser.add_argument(
        "--env", metavar="NAME", help="what the source of environments/NAME.yaml has counted; only reads"
    )
    parser.add_argument("--seconds", metavar="N", type=_positive, default=30,
                        help="what one question to the server may take (default: 30)")  # fmt: skip
    parser.add_argument("--migration", metavar="NAME", help="which spec (default: the only one)")
    known = parser.add_mutually_exclusive_group()
    known.add_argument("--baseline", metavar="FILE", help="bad statements that are known: only others are errors")
    known.add_argument("--write-baseline", metavar="FILE", help="write the bad statements of now: all are known then")
    report_forms(parser)


def advise(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--env", metavar="NAME", help="ask the source of environments/NAME.yaml; only reads")
    where.add_argument("--schema", metavar="FILE", help="a file with CREATE TABLE statements, such as a dump")
    _database_to_shard(parser)
    parser.add_argument("--log", metavar="FILES", type=_positive,
                        help="with --env: read so many of the newest files of the binary log, for updates of keys and "
                             "transactions over several values of a key")  # fmt: skip
    parser.add_argument("--write-statistics", metavar="FILE", help="keep what the server says of its rows")
    parser.add_argument("--keys", metavar="N", type=_positive, default=6,
                        help="how many keys are looked at closely (default: 6)")  # fmt: skip
    parser.add_argument("--key", metavar="TABLE.COLUMN", help="show and write this design (default: the best)")
    parser.add_argument("--write-spec", metavar="FILE", help="write the design as a spec that compiles, and its schema")
    parser.add_argument("--html", metavar="FILE", help="write one page with pictures")
    parser.add_argument("--all", action="store_true", help="show every trap and statement")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")


def _database_to_shard(parser: argparse.ArgumentParser) -> None:
    """What is known of a database without a spec, beside where it is."""
    parser.add_argument("--database", metavar="NAME", help="the database (default: the only one, or the file's name)")
    parser.add_argument("--dialect", choices=("mysql", "mariadb"), default="mysql",
                        help="the kind of server of --schema (default: mysql)")  # fmt: skip
    parser.add_argument(
        "--statements",
        metavar="FILE",
        action="append",
        default=[],
        help="statements of the application, as for `conform` (repeatable; default with --env: what the server counts)",
    )
    parser.add_argument("--statistics", metavar="FILE", help="rows and values, as `advise --write-statistics` wrote")
    parser.add_argument("--shards", metavar="N", type=_positive, help="how many shards (default: those of --env, or 4)")
    parser.add_argument("--seconds", metavar="N", type=_positive, default=30,
                        help="what one question to the server may take (default: 30)")  # fmt: skip


def _positive(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 10000")
    return int(text)


def schema(parser: argparse.ArgumentParser) -> None:
    names = ("spec", "environment", "test", "events")
    parser.add_argument("name", choices=names, help="which kind of file; events: a line of `run --report json=PATH`")


def init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=".", metavar="DIR", help="where (default: here)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--from-env", dest="env", metavar="NAME", help="a spec for the tables of the source of environments/NAME.yaml"
    )
    where.add_argument("--schema", metavar="FILE", help="a spec for the tables of a file, such as a dump")
    _database_to_shard(parser)


def completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")


def explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", nargs="?", default="", help="such as SW2104, or 2104")
    parser.add_argument("--list", action="store_true", help="list every code with its title")


def rescale(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="the spec whose shards are the source of the next migration")
    parser.add_argument("--databases", required=True, metavar="NAMES", help='the new databases: "order_db_{0..7}"')
    parser.add_argument("--suffix", default="", metavar="NAMES", help='the tables in each: "_{0..7}" (default: one)')
    parser.add_argument(
        "--migration", metavar="NAME", help="the next migration's name (default: NAME-DATABASESxTABLES)"
    )
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=RULE",
                        help="a rule for the new target, written by hand in YAML (repeatable)")  # fmt: skip
    parser.add_argument("-o", "--output", metavar="FILE", help="the spec to write (default: specs/MIGRATION.yaml)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the moves (default: text)")
    parser.set_defaults(report=[], fail_on="error")


def doctor(parser: argparse.ArgumentParser) -> None:
    words = (*(group.value for group in Group), *VERBS_BY_USE)
    parser.add_argument("--for", dest="asked", metavar="GROUP", choices=words,
                        help="compile, mysql, runtime, or a verb: exit 2 when something is missing for it (default: "
                             "show all, and exit by compile)")  # fmt: skip
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")
