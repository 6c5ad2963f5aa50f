"""Recorded events: a folder of messages as a queue would have held them, for replay and for tests.

Runs in the driver; reads the folder.
"""
