"""The plan as data: what the compiler makes and the runtime carries out, and its form as files and JSON.

Lowest room: it knows none of the passes that fill it. Writes nothing; `project` writes its files.
"""
