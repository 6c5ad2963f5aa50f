"""How is a program or an address called that the environment names? It gets JSON, and its answer is a text.

Runs in the driver; what a hook writes is its own affair. A program starts in the project's folder, and gets no more of
our environment than it needs, since that holds passwords: what has a name with HOOK_ in front is for it.

One call and its further attempts take no longer than the hook's timeout together. A program that takes longer is killed
with its process group.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential
from tenacity.stop import stop_base

from shardwright.runtime.cutover.post import NoAnswer, NoRedirect, TooLate, post
from shardwright.runtime.ddl.online.supervise import PASSED_ON
from shardwright.runtime.failures import StoppedPartWay
from shardwright.specs.environment.cutover import HookSetting

FAILED: Final = "SW8906"
_ATTEMPTS: Final = 3
_LONGEST_ANSWER: Final = 64 * 1024
_LONGEST_OUTPUT: Final = 16 * 1024 * 1024
"""A program that says more is killed: what it says is in files until it ends."""
_LOOK_EVERY: Final = 0.05
_FOR_HOOKS: Final = "HOOK_"


class HookFailed(StoppedPartWay):
    """`how` says how the last attempt ended, without what the hook said about it."""

    def __init__(self, name: str, how: str, said: str = "") -> None:
        self.name, self.how, self.said = name, how, said
        super().__init__(FAILED, f"hook {name} {how}{f': {said}' if said else ''}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.how, self.said)


class _MayPass(Exception):
    """A failure after which another attempt is made: how it ended, and what the hook said."""

    def __init__(self, how: str, said: str = "") -> None:
        self.how, self.said = how, said
        super().__init__(how)


class _TooLate(Exception):
    """The timeout is over. The text is what the hook said."""


def call_hook(setting: HookSetting, payload: Mapping[str, Any]) -> str:
    """What the hook answers: the first 64 KiB of a program's output or of an answer's body. Raises HookFailed
    (SW8906) with the exit code or status and the last line that the hook said about it."""
    end = time.monotonic() + setting.timeout_seconds
    call = _post if setting.url is not None else _run
    attempts = Retrying(
        retry=retry_if_exception_type(_MayPass),
        wait=wait_exponential(multiplier=0.2, max=2),
        stop=stop_after_attempt(_ATTEMPTS) | _StopAt(end),
        reraise=True,
    )
    try:
        answer: str = attempts(call, setting, json.dumps(payload).encode(), end)
    except _MayPass as failure:
        raise HookFailed(_name(setting), failure.how, failure.said) from failure
    except _TooLate as failure:
        how = f"did not end within {setting.timeout_seconds:g} s and was stopped"
        raise HookFailed(_name(setting), how, str(failure)) from failure
    return answer


class _TooMuch(Exception):
    """A program says more than anybody reads."""


class _StopAt(stop_base):
    """No further attempt would begin before the end."""

    def __init__(self, end: float) -> None:
        self._end = end

    def __call__(self, retry_state: RetryCallState) -> bool:
        return time.monotonic() + float(retry_state.upcoming_sleep) >= self._end


def _name(setting: HookSetting) -> str:
    """Without an address's path, which may be of use to somebody else."""
    if setting.url is not None:
        return "/".join(setting.url.split("/")[:3])
    return setting.command[0] if setting.command else "without a command"


def _run(setting: HookSetting, payload: bytes, end: float) -> str:
    """Files instead of pipes: what the program leaves running may keep them open without holding us up."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(payload)
        given.seek(0)
        try:
            process = subprocess.Popen(
                _program(setting),
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,
                cwd=setting.folder,
                env=_environment(),
            )
        except OSError as error:
            raise HookFailed(_name(setting), f"cannot be started: {error.strerror}") from error
        try:
            code = _wait_for(process, (out, err), end)
        except BaseException as error:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise _TooLate(_last_line(err)) from error
            if isinstance(error, _TooMuch):
                how = f"said more than {_LONGEST_OUTPUT // 1024**2} MiB and was stopped"
                raise HookFailed(_name(setting), how) from error
            raise
        if code:
            raise _MayPass(f"ended with exit code {code}", _last_line(err))
        out.seek(0)
        return out.read(_LONGEST_ANSWER).decode("utf-8", "replace")


def _program(setting: HookSetting) -> tuple[str, ...]:
    """A path is one within the project, wherever the command is given; a bare name is looked for on the PATH."""
    program, *arguments = setting.command
    if os.path.dirname(program):
        program = os.path.join(os.path.abspath(setting.folder), program)
    return (program, *arguments)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith(_FOR_HOOKS)}


def _wait_for(process: subprocess.Popen[bytes], files: Sequence[IO[bytes]], end: float) -> int:
    while True:
        try:
            return process.wait(timeout=max(0.0, min(_LOOK_EVERY, end - time.monotonic())))
        except subprocess.TimeoutExpired:
            if time.monotonic() >= end:
                raise
        if any(os.fstat(file.fileno()).st_size > _LONGEST_OUTPUT for file in files):
            raise _TooMuch


def _last_line(file: IO[bytes]) -> str:
    file.seek(max(0, file.seek(0, os.SEEK_END) - _LONGEST_ANSWER))
    lines = file.read().decode("utf-8", "replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return said[-1][:500] if said else ""


_OPENER: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)
"""Without the proxies of our environment, whose answer would be believed."""


def _post(setting: HookSetting, payload: bytes, end: float) -> str:
    request = urllib.request.Request(
        str(setting.url), data=payload, method="POST", headers={"Content-Type": "application/json"}
    )
    try:
        answer = post(request, _OPENER, seconds=end - time.monotonic())
    except TooLate as late:
        raise _TooLate("") from late
    except NoAnswer as why:
        raise _MayPass(f"cannot be reached: {why}") from why
    if not answer.is_success:
        raise _MayPass(f"answered with status {answer.status}", answer.last_line)
    return answer.body
