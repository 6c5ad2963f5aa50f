"""Findings of the security review that need a whole process: another account of the machine, a run, a server."""
