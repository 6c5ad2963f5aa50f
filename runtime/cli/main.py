"""`shardwright`: what does the command line accept, and which module carries out which verb? Nothing heavy is imported
here: a verb's module is imported when the verb is carried out, as most of them import Spark, a driver or sqlglot.

Runs in the process of the command.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import NoReturn

from shardwright.runtime.cli.arguments import common, offline, running
from shardwright.runtime.cli.exits import run_guarded
from shardwright.runtime.cli.extras import require_packages
from shardwright.runtime.cli.help_form import GroupedHelp
from shardwright.specs.findings.safe_output import guard_output
from shardwright.specs.findings.wording import did_you_mean


def carry_out(arguments: argparse.Namespace) -> int:
    """Returns the exit code. `arguments.verb` is one of the parser's verbs. Raises RuntimeFailure (SW8059) before
    anything is imported that is not installed."""
    require_packages(arguments)
    match arguments.verb:
        case "init":
            from shardwright.runtime.cli.verb_init import execute
        case "validate":
            from shardwright.runtime.cli.verb_validate import execute
        case "compile":
            from shardwright.runtime.cli.verb_compile import execute
        case "dry-run":
            from shardwright.runtime.cli.verb_dry_run import execute
        case "test":
            from shardwright.runtime.cli.verb_test import execute
        case "diff":
            from shardwright.runtime.cli.verb_diff import execute
        case "route":
            from shardwright.runtime.cli.verb_route import execute
        case "router":
            from shardwright.runtime.cli.verb_router import execute
        case "advise":
            from shardwright.runtime.cli.verb_advise import execute
        case "conform":
            from shardwright.runtime.cli.verb_conform import execute
        case "import":
            from shardwright.runtime.cli.verb_import import execute
        case "forecast":
            from shardwright.runtime.cli.verb_forecast import execute
        case "preflight":
            from shardwright.runtime.cli.verb_preflight import execute
        case "run":
            from shardwright.runtime.cli.verb_run import execute
        case "status":
            from shardwright.runtime.cli.verb_status import execute
        case "exporter":
            from shardwright.runtime.cli.verb_exporter import execute
        case "page":
            from shardwright.runtime.cli.verb_page import execute
        case "control":
            from shardwright.runtime.cli.verb_control import execute
        case "cutover":
            from shardwright.runtime.cli.verb_cutover import execute
        case "verify":
            from shardwright.runtime.cli.verb_verify import execute
        case "notify":
            from shardwright.runtime.cli.verb_notify import execute
        case "repair":
            from shardwright.runtime.cli.verb_repair import execute
        case "report":
            from shardwright.runtime.cli.verb_report import execute
        case "ddl":
            from shardwright.runtime.cli.verb_ddl import execute
        case "conflicts":
            from shardwright.runtime.cli.verb_conflicts import execute

            return execute(arguments)
        case "dead-letters":
            from shardwright.runtime.cli.verb_dead_letters import execute
        case "explain-row":
            from shardwright.runtime.cli.verb_explain_row import execute
        case "rescale":
            from shardwright.runtime.cli.verb_rescale import execute
        case "sandbox":
            from shardwright.runtime.cli.verb_sandbox import execute
        case "show":
            from shardwright.runtime.cli.verb_show import execute
        case "jsonschema":
            from shardwright.runtime.cli.verb_jsonschema import execute
        case "explain":
            from shardwright.runtime.cli.verb_explain import execute
        case "doctor":
            from shardwright.runtime.cli.verb_doctor import execute
        case "spark-cache":
            from shardwright.runtime.cli.verb_spark_cache import execute
        case "completion":
            from shardwright.runtime.cli.verb_completion import execute
        case "version":
            from shardwright.runtime.cli.verb_version import execute
        case unknown:
            raise AssertionError(unknown)
    return int(execute(arguments))


_NO_CHOICE = re.compile(r"invalid choice: '?(?P<word>[^' ]+)'?(?P<rest> \(choose from (?P<choices>.*)\))", re.DOTALL)
_NO_OPTION = re.compile(r"unrecognized arguments: .*?(?P<word>--[\w-]+)(?P<rest>.*)", re.DOTALL)

_EVERYWHERE = re.compile(r"-[qv]+|--(quiet|verbose|debug)|--(project|color)=.*", re.DOTALL)

VERBS = {
    "init": "make a project: spec, schema, environments and workflows that validate and compile at once",
    "validate": "check the specs' shape and references; no SQL, no network",
    "compile": "specs to plans: Spark SQL, MySQL SQL, target DDL; offline",
    "diff": "what changed in meaning since another commit: rows that move, columns, deletes, DDL, SQL",
    "dry-run": "analyse and run every statement of the plan in Spark, on generated data; no server needed",
    "test": "spec tests: given rows and events, expect rows on the shards; no server needed",
    "route": "database and table of a key, by the rule's Python, Spark and MySQL forms",
    "router": "the application's side of the rules: a library in its language, a proxy's configuration, views",
    "advise": "by which key to shard a database that has no spec yet: a ranking, traps, and a first spec",
    "conform": "which statements of the application work on the shards, and which new ones do not; offline",
    "import": "write the schema file from the live source",
    "forecast": "rows and bytes that each shard and physical table will get, largest keys, colliding unique keys",
    "preflight": "check everything that a run needs of source and targets before its first write",
    "run": "create tables, copy the snapshot, follow the stream; resumes by itself",
    "status": "progress of a migration: chunks, position, lag, tombstones",
    "exporter": "metrics for Prometheus, from ledgers and servers; no run is needed",
    "page": "a live page of a migration for a browser, from ledgers and servers; no run is needed",
    "control": "pause, resume or throttle a live migration",
    "cutover": "move the applications' writes to the shards, and back: begin, status, abort, rollback, finish",
    "verify": "compare source and shards, name every row that differs",
    "notify": "send a test message to the channels that the environment names under on_event",
    "repair": "restore the rows that verify named to what the source has",
    "report": "write what an auditor needs into a folder, with digests that show each change; check such a folder",
    "ddl": "route DDL changes to every physical table",
    "conflicts": "rows that both sides have changed: list, show or resolve them",
    "dead-letters": "rows that a target refused: list, retry or discard them",
    "explain-row": "one row: where it belongs, what both sides have, its changes, and the step where it was lost",
    "rescale": "write the next spec: the shards of one migration are the source of the next; which rows move",
    "sandbox": "throw-away database servers for a spec",
    "show": "effective settings of a table, each with the line that sets it",
    "jsonschema": "print the JSON Schema of a spec, an environment file, or the lines of a report",
    "explain": "what a code means and what to do",
    "doctor": "what this machine lacks for which verbs: packages, Java, room, optional programs",
    "spark-cache": "build a Spark class-data cache, once per machine (faster start)",
    "completion": "print the script that completes commands in a shell",
    "version": "print the versions of the tool and of its SQL compiler",
}


class _Parser(argparse.ArgumentParser):
    """A parser that names the probable choice or option for a misspelt word, instead of listing all choices."""

    def error(self, message: str) -> NoReturn:
        if found := _NO_CHOICE.search(message):
            known = re.findall(r"[\w-]+", found["choices"])
        elif found := _NO_OPTION.search(message):
            known = sorted(_options(self))
        hint = did_you_mean(found["word"], known) if found else None
        super().error(message if found is None or hint is None else f"{message[: found.start('rest')]}: {hint}")


def _options(parser: argparse.ArgumentParser) -> set[str]:
    """Those of its verbs, too: they hand up what they do not know."""
    known = set(parser._option_string_actions)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            known.update(*map(_options, action.choices.values()))
    return known


def main(argv: Sequence[str] | None = None) -> int:
    with guard_output():
        words = _spelt(list(sys.argv[1:] if argv is None else argv))
        verb = _verb(words)
        arguments = build_parser(verb if verb in VERBS else None).parse_args(words)
        with _stderr_of(arguments):
            return int(run_guarded(lambda: carry_out(arguments), debug=arguments.debug, color=arguments.color))


def _stderr_of(arguments: argparse.Namespace) -> AbstractContextManager[None]:
    if getattr(arguments, "log_format", "text") == "text" or arguments.log_file:
        return nullcontext()
    from shardwright.runtime.cli.event_log import messages_as_json

    return messages_as_json()


def _spelt(words: list[str]) -> list[str]:
    """Accepts `--version`, `help` and `help VERB`, which many other tools have."""
    if words[:1] == ["help"]:
        return [*words[1:2], "--help"]
    return ["version"] if words == ["--version"] else words


def _verb(words: Sequence[str]) -> str | None:
    """The verb, when this is certain: the first word that is neither an option nor the value of one."""
    place = 0
    while place < len(words):
        if words[place] in ("--project", "--color"):
            place += 1
        elif not _EVERYWHERE.fullmatch(words[place]):
            return words[place]
        place += 1
    return None


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """Of all verbs, or of one: making the others takes longer than a short verb."""
    parser = _Parser(
        prog="shardwright",
        description="Move MySQL tables onto shards: a reviewed spec, compiled to plain SQL, executed on Spark, proved.",
        epilog="exit codes: 0 done, 1 wrong input, 2 tool failed, 3 changes present, 4 unreachable, 5 stopped part-way "
        "(run again), 6 refused (needs a human), 7 dead letters, 8 verify inconclusive, 130 interrupted",
        formatter_class=GroupedHelp,
    )
    parser.set_defaults(project=None, quiet=False, verbose=0, color="auto", debug=False)
    _global(parser)
    verbs = parser.add_subparsers(title="verbs", dest="verb", metavar="VERB", required=True)
    for name, text in VERBS.items() if only is None else [(only, VERBS[only])]:
        verb = verbs.add_parser(name, help=text, description=text)
        _ADD[name](verb)
        _global(verb)
    return parser


def _global(parser: argparse.ArgumentParser) -> None:
    """Options that are accepted before the verb and after it. They have no default, so that neither place overrides
    the other."""
    options = parser.add_argument_group("everywhere", argument_default=argparse.SUPPRESS)
    options.add_argument("--project", metavar="DIR", help="the project folder (default: found upward)")
    options.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no warnings on stderr: errors only"
    )
    options.add_argument("-v", "--verbose", action="count", help="more on stderr")
    options.add_argument("--color", choices=("auto", "always", "never"), help="colours on stderr (default: auto)")
    options.add_argument("--debug", action="store_true", help="show the trace of a failure")


_ADD: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "init": offline.init,
    "validate": common.checks,
    "compile": offline.compile_specs,
    "dry-run": offline.dry_run,
    "test": offline.test,
    "diff": offline.diff,
    "route": offline.route,
    "router": offline.router,
    "advise": offline.advise,
    "conform": offline.conform,
    "import": running.import_schema,
    "forecast": running.forecast,
    "preflight": running.preflight,
    "run": running.run,
    "status": running.status,
    "exporter": running.exporter,
    "page": running.page,
    "control": running.control,
    "cutover": running.cutover,
    "verify": running.verify,
    "notify": running.notify,
    "repair": running.repair,
    "report": running.report,
    "ddl": running.ddl,
    "conflicts": running.conflicts,
    "dead-letters": running.dead_letters,
    "explain-row": running.explain_row,
    "rescale": offline.rescale,
    "sandbox": running.sandbox,
    "show": offline.show,
    "jsonschema": offline.schema,
    "explain": offline.explain,
    "doctor": offline.doctor,
    "spark-cache": common.nothing,
    "completion": offline.completion,
    "version": common.nothing,
}

if __name__ == "__main__":
    sys.exit(main())
