"""`jsonschema`: what is the JSON Schema, for editors? Runs in the process of the command; prints only."""

from __future__ import annotations

import argparse
import sys

from shardwright.specs.shape import schema_text


def execute(arguments: argparse.Namespace) -> int:
    sys.stdout.write(schema_text(arguments.name))
    return 0
