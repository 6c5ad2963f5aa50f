"""The progress of a run: events, and listeners that print them or write them as JSON lines.

Runs in the driver; writes to no database.
"""
