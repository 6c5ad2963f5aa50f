"""`verify`: compare source and shards; exit 0 equal, 1 different, 2 could not check."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from shardwright.runtime.cli.comparing import compare
from shardwright.runtime.cli.connecting import deployment
from shardwright.runtime.failures import RuntimeFailure
from shardwright.runtime.verify.report import as_json, as_text, exit_code
from shardwright.runtime.verify.verify import Progress


def execute(arguments: argparse.Namespace) -> int:
    deployed = deployment(arguments)

    def show(progress: Progress) -> None:
        if not arguments.quiet and arguments.verbose:
            print(progress, file=sys.stderr)

    result = compare(
        deployed,
        tables=arguments.table,
        on_progress=show,
        at_position=arguments.at_position,
        patience=arguments.patience,
    )
    for report in arguments.report:
        kind, _, path = report.partition("=")
        if kind != "json" or not path:
            raise RuntimeFailure("SW8007", f"--report {report}: only json=PATH is known")
        Path(path).write_text(json.dumps(as_json(result), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if arguments.format == "json":
        print(json.dumps(as_json(result), indent=2, ensure_ascii=False))
    else:
        print(as_text(result))
    return exit_code(result)
