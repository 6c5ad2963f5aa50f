"""SW88xx: what reviewers meet: the lock, the difference between two versions."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

REVIEW: tuple[Code, ...] = (
    Code(
        "SW8801",
        "there is no lock",
        "shardwright.lock says what the specs compile to, so that CI notices when a spec, a schema or the tool changed and\n"
        "nobody looked at what that means.",
        "shardwright compile && git add shardwright.lock",
    ),
    Code(
        "SW8802",
        "the lock is not current",
        "What the specs compile to is not what was committed. Compile, look at `shardwright diff`, commit the lock with the\n"
        "change that made it differ.",
        "shardwright compile && shardwright diff && git add shardwright.lock",
    ),
    Code(
        "SW8803",
        "the lock cannot be read",
        "It is damaged, of another format, or a merge left its marks. It is made anew by compiling; nothing is lost.",
        "rm shardwright.lock && shardwright compile",
    ),
    Code(
        "SW8804", "a plan on disk is not current", "The build folder holds another plan than the specs make: compile."
    ),
    Code(
        "SW8810",
        "the base version cannot be read",
        "`diff` reads the older specs from git. In CI, fetch enough of the history to have the commit you name.",
        "git fetch --depth=100 origin main && shardwright diff --base origin/main",
    ),
    Code(
        "SW8811",
        "a file of keys cannot be read",
        "It is CSV in UTF-8: a first line with the names of the shard key columns, then a key a line; bytes as hexadecimal.",
        "user_id\n4711\n4712",
    ),
)
