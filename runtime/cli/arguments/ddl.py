"""Arguments of `ddl`."""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.arguments.common import connects, consents


def ddl(parser: argparse.ArgumentParser) -> None:
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
