"""The state of a migration, from ledgers and source, while a run is under way or when none is.

Runs in the process of the command; reads only.
"""
