"""SW1xxx: YAML (SW10xx), the shape of the files as their JSON Schemas ask for it (SW11xx), names by the dozen (SW12xx),
findings
silenced in place (SW18xx), and what the format has but this version does not execute (SW19xx)."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code


def _refused(code: str, feature: str, instead: str) -> Code:
    return Code(
        code,
        f"not supported yet: {feature}",
        f"A spec can state this, but this version does not execute it, and refuses rather than guesses.\n{instead}",
    )


YAML: tuple[Code, ...] = (
    Code(
        "SW1001",
        "the file cannot be read",
        "The file does not exist, is a folder, or may not be read by this user.",
    ),
    Code(
        "SW1002",
        "not valid YAML",
        "The YAML parser stopped at the marked place. The cause is often a little before it: a quote or bracket that "
        "is not closed, or a line that is indented differently from its neighbours. Text that holds ': ' or begins "
        "with one of @ ` % { [ * & ! needs quotes. This is the one finding that hides all others of the file.",
        'table: "order_item_*"   # a leading or lone special character needs quotes',
    ),
    Code(
        "SW1003",
        "a key is written twice",
        "Most YAML parsers keep the last of two equal keys without a word, so that the first one looks valid and does "
        "nothing. Remove one of the two.",
    ),
    Code(
        "SW1004",
        "anchors, aliases and merge keys are not allowed",
        "They make a reviewed line mean something that is written elsewhere, and can make a small file expand to "
        "gigabytes. Write the value out where it is needed.",
    ),
    Code("SW1005", "tab character", "Tabs look like indentation and are none in YAML. Use spaces."),
    Code("SW1006", "several YAML documents in one file", "One file holds one document: split it at the line '---'."),
    Code(
        "SW1007",
        "YAML tags and directives are not allowed",
        "A tag such as !!python/object or !include changes what a value is when it is read. Specs hold plain values "
        "only.",
    ),
    Code(
        "SW1008",
        "the file is too large",
        "A YAML file may have at most 1 MiB: use ranges and patterns instead of lists. A schema file, a DDL file and "
        "a CSV file may have at most 16 MiB.",
    ),
    Code(
        "SW1009",
        "a character that hides meaning",
        "The file is not UTF-8, or holds a control character or a line separator that editors show in different ways. "
        "Inside double quotes such a character can be written as an escape.",
    ),
    Code("SW1010", "the file is empty", "There is nothing but comments and white space in it."),
    Code(
        "SW1011",
        "a key must be a plain name",
        "YAML allows lists and mappings as keys; nothing here has such keys. The cause is often a bracket in place of "
        "quotes.",
        '"order_db_{00..07}": a   # braces in a key need quotes',
    ),
    Code("SW1012", "nested too deeply", "Nothing in these files is nested deeper than 32 levels."),
    Code(
        "SW1013",
        "not a file of the project",
        "The file's path has a link that leads out of the project or into .git, or the file is a pipe or a device. "
        "Nothing of it was read: the author of such a link could have any of your files printed. Put the file itself "
        "there. Links within the project are followed.",
    ),
    Code(
        "SW1101",
        "unknown key",
        "The key is misspelt, is at the wrong level, or belongs to another version. Unknown keys are never ignored: a "
        "setting that does nothing is worse than an error. Keys of your own begin with 'x-'.",
        "x-ticket: OPS-4711",
    ),
    Code("SW1102", "a key is missing", "This part cannot be understood without that key."),
    Code(
        "SW1103",
        "a value of the wrong kind",
        "The value is a list, a mapping, text, a number or true/false, and another kind is needed. Only `true` and "
        "`false` are booleans here; yes, no, on and off are text. `010`, `1_0` and `12:30` are text as well.",
        'protected: true\nkey: [order_id]\ntype: "8"',
    ),
    Code("SW1104", "not one of the known words", "The message lists the words that are allowed here."),
    Code("SW1105", "text of the wrong form", "The message says which form the text must have."),
    Code("SW1106", "a number out of range", "The message says which numbers are allowed."),
    Code("SW1107", "a required value is empty", "An empty list, mapping or text means nothing here."),
    Code("SW1108", "an item is twice in a list", "Columns are compared without letter case, as the server does it."),
    Code("SW1109", "too long", "The text or list has more characters or items than any server takes."),
    Code(
        "SW1110",
        "exactly one of several keys is needed",
        "The value has several forms, and one key identifies each. None of these keys is here, or more than one is.",
        "by_user: {shard_key: [user_id], algorithm: crc32_mod}\n"
        "by_shop: {shard_key: [shop_id], database: shop_id % 4}\n"
        "sharding: {single: order_db_00}",
    ),
    Code(
        "SW1201",
        "not a name with a range",
        "A range is written {first..last} with decimal numbers. Padding counts: {00..15} gives 00, 01, ... 15; both "
        "ends must have the same number of digits then.",
        'databases: "order_db_{00..15}"',
    ),
    Code("SW1202", "a range runs backwards", "The first number must not be larger than the last.", '"_{0..7}"'),
    Code(
        "SW1203",
        "too many names",
        "A topology names at most 65,536 databases, or suffixes. More is a typing error rather than a plan.",
    ),
    Code(
        "SW1204",
        "a name is empty or holds an unsafe character",
        "Names of databases and suffixes of tables hold letters, digits, '_', '$' and '-' only. Others would have to "
        "be quoted in every query, path and dashboard, and some could end a quoted name.",
    ),
    Code("SW1205", "a name is given twice", "Two physical databases or tables would be one. Remove one of the names."),
    Code(
        "SW1206",
        "a name is too long",
        "MySQL allows 64 characters in the name of a database or table, suffix included.",
    ),
    Code(
        "SW1801",
        "not a comment for shardwright",
        "A comment that begins with 'shardwright:' silences findings. It names their codes and says why. Put it on "
        "the line of the finding, or alone on the line above. Separate several codes by commas.",
        "weight: 10  # shardwright: ignore[SW5101] because orders are read through their items",
    ),
    Code(
        "SW1802",
        "silenced without a reason",
        "The next reader of the file has to know whether the finding still does not matter. Say why after 'because'.",
        "-- shardwright: ignore[SW4301] because ids come from one sequence service",
    ),
    Code(
        "SW1803",
        "silences a code that does not exist",
        "Nothing is silenced by it. `shardwright explain CODE` says what a code means.",
    ),
    Code(
        "SW1804",
        "silences what may not be silenced",
        "Only advice can be silenced. This finding says that the plan would be wrong, or that it cannot be made. Fix "
        "what it points at and remove the comment. `shardwright explain CODE` says which codes may be silenced.",
    ),
    Code(
        "SW1805",
        "silences nothing",
        "The check ran and made no such finding at the marked line: the cause was fixed, or is on another line. "
        "Remove the code from the comment, or move the comment. Left in place it would hide the next finding.",
    ),
    _refused(
        "SW1911",
        "on_key_collision: first_source",
        "Leave it out: equal keys of two source tables stop the run. With first_source, a row would have to come\n"
        "back from the second table when the row of the first is deleted. The stream does not carry it. With\n"
        "`on_key_collision: {add_column: NAME}` both rows are kept.",
    ),
    Code(
        "SW1931",
        "an option that the stream's format does not have",
        "The options under `source.stream` describe what the messages do not say of themselves. Each belongs to the "
        "formats that the message names. Remove the option, or correct the format.",
    ),
    Code(
        "SW1932",
        "a mode that loses values",
        "Debezium's decimal.handling.mode=double rounds DECIMAL columns to 53 bits before the message is written. Its "
        "time.precision.mode=nanoseconds writes dates like 9999-12-31 as other dates. No reader can restore the "
        "values. Change the connector's configuration, not only the spec.",
    ),
    Code(
        "SW1933",
        "a time zone without a fixed offset",
        "Canal writes TIMESTAMP columns in the time zone of its JVM. State `UTC` or a fixed offset. In a zone with "
        "summer time, one hour of each year means two points in time: start Canal with -Duser.timezone=UTC instead.",
        'stream: {format: canal-json, time_zone: "+08:00"}',
    ),
    Code(
        "SW1951",
        "not supported yet: rows of this table as dead letters",
        "A dead letter holds one row by its key. In broadcast tables and in tables whose keys have several spellings, "
        "one key is not one row in one place. Use `errors: stop` for them.",
    ),
    _refused(
        "SW1952",
        "keeping rows of this table",
        "For co-located tables the tool records where each parent row is; for several source tables, which of\n"
        "them a row is from. It knows neither of rows that were on the target before. Use `existing_rows:\n"
        "replace` or `refuse` for such tables.",
    ),
)
