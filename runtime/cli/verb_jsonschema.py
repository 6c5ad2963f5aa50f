"""`jsonschema`: what is the JSON Schema, for editors? Runs in the process of the command; prints only."""

from __future__ import annotations

import argparse
import json
import sys

from shardwright.specs.shape import schema_text


def execute(arguments: argparse.Namespace) -> int:
    sys.stdout.write(_events() if arguments.name == "events" else schema_text(arguments.name))
    return 0


def _events() -> str:
    from shardwright.runtime.events.catalogue import event_schema  # loads all events

    return json.dumps(event_schema(), indent=2) + "\n"
