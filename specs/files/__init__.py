"""Files of a project on disk: read and written only where they really lie in the project, as regular files, up to a
size.

Also where the strings and comments of a SQL text are, for readers of such a file. The only room of `specs` that
writes.
"""
