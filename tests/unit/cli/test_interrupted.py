"""Ctrl-C before the command's modules are imported."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """\
import os, signal, sys
from shardwright.runtime.cli.program import main

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "shardwright.runtime.cli.exits":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
sys.exit(main())
"""


def test_an_interrupt_while_modules_are_imported_is_no_failure() -> None:
    ended = subprocess.run([sys.executable, "-c", SCRIPT, "version"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (130, "interrupted\n")
