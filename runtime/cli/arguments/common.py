"""Which arguments do several verbs take, and which values may they have? Used in the process of the command; no I/O."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from shardwright.compiler.review.report.reporters import FORMATS, ReportRequest, UnknownReport, report_request


def paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="spec files (default: specs/*.yaml)")


def _report(text: str) -> ReportRequest:
    try:
        return report_request(text)
    except UnknownReport as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def checks(parser: argparse.ArgumentParser) -> None:
    reports(parser, paths="spec files (default: specs/*.yaml)")


def reports(parser: argparse.ArgumentParser, *, paths: str) -> None:
    """The arguments of every verb that ends with findings, which go to `reporting.deliver`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths)
    report_forms(parser)


def report_forms(parser: argparse.ArgumentParser) -> None:
    """How the findings are shown, and which of them make a command fail."""
    parser.add_argument("--format", choices=("text", "json"), default="text",
                        help="json: the result as one JSON document on stdout")  # fmt: skip
    parser.add_argument("--report", metavar="FORMAT[=PATH]", action="append", default=[], type=_report,
                        help=f"write a report (repeatable): {', '.join(FORMATS)}")  # fmt: skip
    parser.add_argument("--fail-on", choices=("error", "warning", "never"), default="error",
                        help="the least severe finding that makes the exit code 1 (default: error)")  # fmt: skip


def connects(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--env", required=True, metavar="NAME", help="the environment: environments/NAME.yaml")
    parser.add_argument("--migration", metavar="NAME", help="which compiled migration (default: the only one)")


def consents(parser: argparse.ArgumentParser) -> None:
    """The arguments of every verb that writes to an environment's servers."""
    parser.add_argument(
        "--yes",
        action="store_true",
        help="do not ask, though the environment is protected or what is done cannot be undone",
    )


def asks(parser: argparse.ArgumentParser) -> None:
    """The arguments of every verb that connects and answers a question."""
    connects(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what stdout gets (default: text)")


def logs(parser: argparse.ArgumentParser) -> None:
    """The arguments of every verb that emits events, which go to `event_log.report_events`."""
    parser.add_argument("--log-format", choices=("text", "json"), default="text",
                        help="events as lines for people, or as JSON lines: then all of stderr is JSON "
                             "(default: text)")  # fmt: skip
    parser.add_argument("--log-file", metavar="PATH",
                        help="append the events to this file, in --log-format; stderr stays as without it")  # fmt: skip


def rows(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of rows")
    return int(text)


def limit(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    return int(text)


def count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 64")
    return int(text)


def percent(text: str) -> float:
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = 0.0
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is no share: above 0 and up to 100 percent")
    return value


def seconds(text: str) -> float:
    """A number of seconds; `30s` is accepted, too."""
    try:
        value = float(text.removesuffix("s"))
    except ValueError:
        value = 0.0
    if not 0 < value <= 3_600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds from 0 to 3600")
    return value


class Address(NamedTuple):
    """Where something listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def address(text: str) -> Address:
    """HOST:PORT; an IPv6 address is in brackets."""
    host, colon, port = text.rpartition(":")
    plain = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not colon or not plain or (plain == host and ":" in host) or not _is_port(port):
        raise argparse.ArgumentTypeError(f"'{text}' is not HOST:PORT, such as 127.0.0.1:9464")
    return Address(plain, int(port))


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 1 <= int(text) <= 65_535


def nothing(parser: argparse.ArgumentParser) -> None:
    del parser
