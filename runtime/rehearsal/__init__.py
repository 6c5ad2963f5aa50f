"""The answers that need no write to a target: dry run, spec tests, forecast, routing of single keys, and sandboxes.

Runs in the process of the command. `sandbox` starts servers of its own; the others read at most.
"""
