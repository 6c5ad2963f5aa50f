"""A headless Chromium that a test drives over its DevTools protocol: it opens pages, runs scripts, presses keys and takes
pictures. It is the system's, and reaches nothing but this machine.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

PROGRAM: Final = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WITHOUT: Final = "no Chromium here (apt-get install chromium)"
_OPTIONS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe",
    "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip
_KEYS: Final = {"Tab": 9, "Enter": 13, "ArrowRight": 39, "ArrowDown": 40, "End": 35}


class Browser:
    """One window."""

    def __init__(self, to: int, back: int) -> None:
        """`to` and `back`: the pipes of the protocol."""
        self._to, self._back = os.fdopen(to, "wb", buffering=0), os.fdopen(back, "rb")
        self._number = 0
        self._session = ""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.problems: list[str] = []
        """What the page has logged as an error, or refused to load."""
        for part in ("Page", "Runtime", "Log"):
            self._call(f"{part}.enable")

    def open(self, url: str) -> None:
        self.problems.clear()
        self._call("Page.navigate", url=url)

    def show(self, *, width: int = 1000, height: int = 1400, dark: bool = False) -> None:
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def ask(self, script: str) -> Any:
        """What the expression is worth, once it is there."""
        found = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key: str, *, times: int = 1) -> None:
        for _ in range(times):
            code = {"key": key, "code": key, "windowsVirtualKeyCode": _KEYS[key]}
            text = {"text": "\r"} if key == "Enter" else {}
            self._call("Input.dispatchKeyEvent", type="keyDown", **code, **text)
            self._call("Input.dispatchKeyEvent", type="keyUp", **code)

    def take_picture(self, *, of: str | None = None) -> bytes:
        """PNG of the window, or of the element of that selector."""
        clip = {}
        if of is not None:
            x, y, width, height = self.ask(
                f"(({{x, y, width, height}}) => [x + scrollX, y + scrollY, width, height])"
                f"(document.querySelector({json.dumps(of)}).getBoundingClientRect())"
            )
            clip = {"clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}}
        found = self._call("Page.captureScreenshot", captureBeyondViewport=of is not None, **clip)
        return base64.b64decode(found["data"])

    def find_barriers(self) -> list[str]:
        """What axe finds against WCAG 2.1 A and AA, and its best practices: rule, and where."""
        axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        self._call("Runtime.evaluate", expression=axe)
        found = self.ask(
            "axe.run().then((found) => found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]))"
        )
        return [f"{rule}: {node}" for rule, nodes in found for node in nodes[:5]]

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode("utf-8") + b"\0")
        while True:
            answer = json.loads(self._read())
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self._note(answer)

    def _read(self) -> bytes:
        found = bytearray()
        while (byte := self._back.read(1)) != b"\0":
            assert byte, "Chromium has ended"
            found += byte
        return bytes(found)

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(event["params"]["exceptionDetails"])[:600])
        elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.problems.append(event["params"]["entry"]["text"])

    def close(self) -> None:
        self._to.close()
        self._back.close()


@contextmanager
def start_browser(folder: Path) -> Iterator[Browser]:
    """`folder`: for its profile."""
    assert PROGRAM is not None, WITHOUT
    (from_us, to), (back, from_it) = os.pipe(), os.pipe()
    # The protocol is on descriptors 3 and 4 of the program.
    shell = f'exec "$@" 3<&{from_us} 4>&{from_it}'
    command = ["bash", "-c", shell, "bash", PROGRAM, *_OPTIONS, f"--user-data-dir={folder / 'profile'}", "about:blank"]
    process = subprocess.Popen(
        command,
        pass_fds=(from_us, from_it),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(from_us)
    os.close(from_it)
    try:
        browser = Browser(to, back)
        yield browser
        browser.close()
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
