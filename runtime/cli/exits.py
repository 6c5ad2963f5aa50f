"""Which exit code and which message does a failure get? This is the one place where a crash becomes a short message.

Runs in the process of the command; writes to stderr.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from enum import IntEnum

_NO_PLAN = "SW8001"
"""Nothing was compiled, or the plan's folder is not whole. It is no safety stop: the command can be repeated once it
is."""


class Exit(IntEnum):
    DONE = 0
    INPUT_AT_FAULT = 1
    TOOL_FAILED = 2
    CHANGES_PRESENT = 3
    UNREACHABLE = 4
    STOPPED_PART_WAY = 5
    REFUSED = 6
    ROWS_HELD = 7
    COULD_NOT_CHECK = 8
    INTERRUPTED = 130


def run_guarded(command: Callable[[], int], *, debug: bool, color: str = "auto") -> int:
    """Runs a command. Every failure becomes one clear message on stderr and its exit code."""
    from shardwright.compiler.plan.refusals import PlanRefused, ProjectRefused
    from shardwright.runtime.failures import RuntimeFailure
    from shardwright.specs.findings.diagnostics import SpecError

    try:
        return command()
    except SpecError as error:
        from shardwright.runtime.cli.terminal import line_width, palette_of
        from shardwright.specs.findings.render import read_line_from_disk, render

        palette, width = palette_of(color), line_width()
        sys.stderr.write(render(error.diagnostics, read_line=read_line_from_disk, palette=palette, width=width))
        count = len(error.diagnostics)
        print(f"{count} finding{'s' if count != 1 else ''}", file=sys.stderr)
        return Exit.INPUT_AT_FAULT
    except PlanRefused as error:
        status = Exit.TOOL_FAILED if error.code == _NO_PLAN else Exit.REFUSED
        return _report(error.code, error.message, status, debug=debug, color=color)
    except ProjectRefused as error:
        status = Exit.INPUT_AT_FAULT if error.in_files else Exit.TOOL_FAILED
        return _report(error.code, error.message, status, debug=debug, color=color)
    except RuntimeFailure as error:
        return _report(error.code, error.message, Exit(error.exit_code), debug=debug, color=color)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return Exit.INTERRUPTED
    except BrokenPipeError:
        return Exit.DONE
    except ModuleNotFoundError as error:
        from shardwright.runtime.cli.extras import failure_of_import

        missing = failure_of_import(error)
        if missing is None:
            return _report_bug(error, debug=debug)
        return _report(missing.code, missing.message, Exit(missing.exit_code), debug=debug, color=color)
    except Exception as error:  # noqa: BLE001 the last boundary: a bug is reported as one
        failure = _of_a_server(error)
        if isinstance(failure, RuntimeFailure):
            return _report(failure.code, failure.message, Exit(failure.exit_code), debug=debug, color=color)
        return _report_bug(error, debug=debug)


def _of_a_server(error: Exception) -> BaseException:
    """The failure that a server, Spark or Java reported. Verbs that use none of them are installed without their
    drivers."""
    if "pymysql" not in sys.modules:
        return error
    from shardwright.runtime.spark.failures import as_failure

    return as_failure(error)


def _report_bug(error: Exception, *, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    message = f"{type(error).__name__}: {error}"
    print(f"error SW9000: this is a bug in shardwright, please report it: {message}", file=sys.stderr)
    if not debug:
        print("   help: run again with --debug for the trace", file=sys.stderr)
    return Exit.TOOL_FAILED


def _report(code: str, message: str, status: Exit, *, debug: bool, color: str) -> int:
    from shardwright.runtime.cli.terminal import palette_of

    palette = palette_of(color)
    if debug:
        traceback.print_exc()
    first, *rest = message.splitlines()
    print(f"{palette.paint('error', f'error {code}')}: {first}", file=sys.stderr)
    for line in rest:
        print(f"error {line}", file=sys.stderr)
    print(palette.paint("help", f"   help: shardwright explain {code}"), file=sys.stderr)
    return status
