"""Everything that answers without writing to a target: dry run, spec tests, forecast, routing of single keys, and sandboxes.

`sandbox` starts servers of its own; the others read at most.
"""
