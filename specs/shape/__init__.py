"""Does a document have the shape that its JSON Schema asks for? Every deviation is one finding in the author's words.

`schemas/` has the JSON Schemas of spec, environment and spec tests. Knows no meaning behind the shape; writes nothing.
"""
