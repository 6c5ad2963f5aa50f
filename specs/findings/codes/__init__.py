"""Every diagnostic code with its title and explanation, as Markdown: `SW84.md` has the codes SW8400 to SW8499. `blocks`
reads such a file, `registry` finds a code.

Runs in the process of the command; reads the files of this folder when a code is looked up, and writes nothing.
"""
