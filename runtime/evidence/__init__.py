"""What an auditor gets: files, ledgers and comparisons of a migration, in a chain of digests that shows each change.

Runs in the process of the command; reads ledgers and the project, writes a folder of its own. A check needs no server.
"""
