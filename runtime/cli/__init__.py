"""The command line: one file for each verb, put together in `main`.

Runs in the process of the command; only verbs that connect or use Spark load their drivers.
"""
