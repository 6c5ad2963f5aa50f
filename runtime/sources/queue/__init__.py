"""Queues as sources of the stream: where they stand, what their messages become, and in which order."""
