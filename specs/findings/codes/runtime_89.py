"""SW89xx: cutover. SW890x is about fences and hooks."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

RUNTIME_89: tuple[Code, ...] = (
    Code(
        "SW8901",
        "a fence cannot be set",
        "A setting of the server, or an account of the environment, stops us from stopping users' writes. The message "
        "says which one and how it is changed. Nothing was changed. docs/fences.md compares the fences.",
    ),
    Code(
        "SW8902",
        "a fence that would not stop all writes",
        "Something would change the migration's tables in spite of the fence. It is a cascade from a table that has "
        "no fence, a connected account that passes, or an account that cannot be distinguished from another one. "
        "Remove it, or use another fence (docs/fences.md).",
    ),
    Code(
        "SW8903",
        "users' transactions do not end",
        "The fence is complete only when no transaction is open that could still write. A prepared transaction (XA) "
        "belongs to no connection, so it cannot be killed: `XA RECOVER` lists it, and `XA ROLLBACK` or `XA COMMIT` "
        "ends it. A lock of our own account, of a backup or of LOCK TABLES ends with its connection. Run again then.",
    ),
    Code(
        "SW8904",
        "a fence's record is of another fence",
        "A fence is lifted as it was set. Give the environment file the fence and the addresses again that it had when "
        "the fence was set, then run again.",
    ),
    Code(
        "SW8905",
        "a fence could not be set or lifted",
        "The message repeats what the server or the hook answers. Fix that, then run again: setting and lifting can be "
        "repeated.",
    ),
    Code(
        "SW8906",
        "a hook failed",
        "The program or the address that the environment names failed three times, or took longer than its `timeout`. "
        "The message has its exit code or status and the last line that it wrote. Fix the hook, then run again.",
    ),
)
