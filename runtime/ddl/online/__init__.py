"""Copying changes handed over to pt-online-schema-change or gh-ost: command lines, checks before, leftovers,
supervision.

Runs in the driver, which starts each tool as a process of its own. The tool writes to one shard; the driver writes its
log.
"""
