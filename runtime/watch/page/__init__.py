"""A migration as a page in a browser: one HTML file, and the events that keep it current.

Runs in the process of the command; listens on the port that the command names, writes nothing.
"""
