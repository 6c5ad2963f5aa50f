"""The environment file: where a migration runs, and where its secrets are found. No secret is resolved while a file
is read.

Knows no table of a spec; writes nothing. Only `secret_references` reads the process's environment and secret files.
"""
