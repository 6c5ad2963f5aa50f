"""A project's folder: files in, findings and plans out. What `compile`, `diff`, `dry-run` and `run` have in common.

The only room of the compiler that reads and writes files and knows the command line's wishes.
"""
