"""SW10xx and SW12xx: what stands in the file before its meaning, and names by the dozen."""

from __future__ import annotations

from shardwright.specs.findings.codes.entry import Code

YAML: tuple[Code, ...] = (
    Code(
        "SW1001",
        "the file cannot be read",
        "The file does not exist, is a folder, or may not be read by this user.",
    ),
    Code(
        "SW1013",
        "not a file of the project",
        "The file's path has a link that leads out of the project or into .git, or the file is a pipe or a\n"
        "device. Nothing of it was read: whoever writes a link into a project could have any file of yours printed.\n"
        "Put the file itself there. Links within the project are followed.",
    ),
    Code(
        "SW1002",
        "not valid YAML",
        "The YAML parser stopped at the marked place. Often the cause stands a little before it: a quote or bracket that\n"
        "is not closed, or a line that is indented differently from its neighbours. Text that holds ': ' or begins with\n"
        "one of @ ` % { [ * & ! needs quotes. This is the one finding that hides all others of the file.",
        'table: "order_item_*"   # a leading or lone special character needs quotes',
    ),
    Code(
        "SW1003",
        "a key is written twice",
        "Most YAML parsers keep the last of two equal keys without a word, so that the first one looks valid and does\n"
        "nothing. Remove one of the two.",
    ),
    Code(
        "SW1004",
        "anchors, aliases and merge keys are not allowed",
        "They make a reviewed line mean something that stands elsewhere, and can make a small file expand to gigabytes.\n"
        "Write the value out where it is needed.",
    ),
    Code("SW1005", "tab character", "Tabs look like indentation and are none in YAML. Use spaces."),
    Code("SW1006", "several YAML documents in one file", "One file holds one document: split it at the line '---'."),
    Code(
        "SW1007",
        "YAML tags and directives are not allowed",
        "A tag such as !!python/object or !include changes what a value is when it is read. Specs hold plain values only.",
    ),
    Code(
        "SW1008",
        "the file is too large",
        "A YAML file may have at most 1 MiB: use ranges and patterns instead of lists. A schema file, a DDL file and a\n"
        "CSV file may have at most 16 MiB.",
    ),
    Code(
        "SW1009",
        "a character that hides meaning",
        "The file is not UTF-8, or holds a control character or a line separator that editors show in different ways.\n"
        "Inside double quotes such a character can be written as an escape.",
    ),
    Code("SW1010", "the file is empty", "There is nothing but comments and white space in it."),
    Code(
        "SW1011",
        "a key must be a plain name",
        "YAML allows lists and mappings as keys; nothing here has such keys. Often a bracket stands where quotes should.",
        '"order_db_{00..07}": a   # braces in a key need quotes',
    ),
    Code("SW1012", "nested too deeply", "Nothing in these files is nested deeper than 32 levels."),
    Code(
        "SW1201",
        "not a name with a range",
        "A range is written {first..last} with decimal numbers. Padding counts: {00..15} gives 00, 01, ... 15; both ends\n"
        "must have the same number of digits then.",
        'databases: "order_db_{00..15}"',
    ),
    Code("SW1202", "a range runs backwards", "The first number must not be larger than the last.", '"_{0..7}"'),
    Code(
        "SW1203",
        "too many names",
        "A topology stands for at most 65,536 names in one dimension. More is a typing error rather than a plan.",
    ),
    Code(
        "SW1204",
        "a name is empty or holds an unsafe character",
        "Names of databases and suffixes of tables hold letters, digits, '_', '$' and '-' only. Others would have to be\n"
        "quoted in every query, path and dashboard, and some could end a quoted name.",
    ),
    Code("SW1205", "a name is given twice", "Two physical databases or tables would be one. Remove one of the names."),
    Code(
        "SW1206",
        "a name is too long",
        "MySQL allows 64 characters in the name of a database or table, suffix included.",
    ),
)
