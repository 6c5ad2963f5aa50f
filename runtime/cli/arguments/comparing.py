"""Arguments of `verify` and `repair`."""

from __future__ import annotations

import argparse

from shardwright.runtime.cli.arguments.common import asks, connects, consents, count, percent, rows


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
    parser.add_argument("--patience", metavar="SECONDS", type=float, default=60.0,
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
    parser.add_argument("--at-most", metavar="N", type=rows, default=100,
                        help="refuse when more rows are to be repaired (default: 100)")  # fmt: skip
    parser.add_argument("--delete-extra", action="store_true", help="remove rows that are not at the source, too")
    parser.add_argument(
        "--run", action="store_true", help="start a run until it has caught up: where none is under way"
    )
    parser.add_argument("--patience", metavar="SECONDS", type=float, default=60.0,
                        help="how long the run may take for the next row (default: 60)")  # fmt: skip
