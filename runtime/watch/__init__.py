"""Who looks at a migration: reads ledgers and servers, and listens to the events of a run.

Runs in the process of a command, beside the run or without one; writes nothing.
"""
