"""Does a document have the shape its JSON Schema (draft 7) asks for? Every deviation becomes one precise finding. Reads
the schemas of this package.

jsonschema says what is wrong; this module says where, which alternative of a `oneOf` the author meant, and what was
probably meant. The schema's own keywords `x-says` (the rule in words) and `x-conceal` (never repeat the value) help.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from shardwright.specs.findings.diagnostics import Diagnostic, Findings, Note, Path
from shardwright.specs.findings.wording import closest, did_you_mean, either, kind_named, kind_of, quote
from shardwright.specs.shape import SchemaName, load_schema
from shardwright.specs.shape.deviations import Deviation, Schema, deviations, distinctive_key, fits_type
from shardwright.specs.yaml.scalars import YAML_1_1_BOOLEANS
from shardwright.specs.yaml.source import YamlSource


def describe(error: Deviation, source: YamlSource) -> Iterator[tuple[Path, Diagnostic | None]]:
    """The finding for a deviation, with the path it is about; None when another finding explains it."""
    path = error.path
    match error.keyword:
        case "additionalProperties":
            yield path, _unknown_key(error, source, path)
        case "required":
            yield (*path, error.detail), None if _misspelt(error) else _missing_key(error, source, path)
        case "type" | "oneOf":
            yield path, _wrong_kind(error, source, path)
        case "enum" | "const":
            if fits_type(error.schema, error.value) or "type" not in error.schema:
                yield path, _wrong_word(error, source, path)
        case "uniqueItems":
            yield _duplicate(error, source, path)
        case _:
            yield path, _wrong_value(error, source, path)


def _unknown_key(error: Deviation, source: YamlSource, path: Path) -> Diagnostic:
    key = str(path[-1])
    known = error.schema["properties"]
    hint = did_you_mean(key, (name for name in known if name not in error.value))
    if key[:2].lower() in ("x_", "x-"):
        hint = f"an own key starts with 'x-': did you mean 'x-{key[2:]}'?"
    if hint is None:
        hint = f"known keys: {', '.join(known)}" if len(known) <= 8 else "an own key starts with 'x-'"
    return Diagnostic("SW1101", f"unknown key {quote(key)}{_inside(path[:-1])}", source.key_span_of(path), hint=hint)


def _misspelt(error: Deviation) -> bool:
    """Whether the missing key stands there under a misspelt name, which is reported already."""
    known = error.schema.get("properties", {})
    unknown = [key for key in error.value if key not in known and not key.startswith("x-")]
    free = [name for name in known if name not in error.value]
    return any(closest(key, free) == error.detail for key in unknown)


def _missing_key(error: Deviation, source: YamlSource, path: Path) -> Diagnostic:
    message = f"key '{error.detail}' is missing{_inside(path)}"
    about = error.schema.get("properties", {}).get(error.detail, {}).get("description", "")
    notes = (Note(f"{error.detail}: {about}"),) if about else ()
    return Diagnostic("SW1102", message, source.key_span_of(path), notes=notes)


def _wrong_kind(error: Deviation, source: YamlSource, path: Path) -> Diagnostic:
    if error.keyword == "oneOf":
        if any(fits_type(branch, error.value) for branch in error.limit):
            return _ambiguous_mapping(error, source, path)
        types = list(dict.fromkeys(branch["type"] for branch in error.limit))
    else:
        types = [error.limit] if isinstance(error.limit, str) else list(error.limit)
    quotes_suffice = re.fullmatch(error.schema.get("pattern", ".*").removesuffix("$"), str(error.value)) is not None
    says = error.schema.get("x-says") if not quotes_suffice else None
    wanted = says or either([kind_named(name) for name in types])
    hint = None if says else _kind_hint(error.value, types)
    message = f"{_subject(path)} must be {wanted}, not {kind_of(error.value)}"
    return Diagnostic("SW1103", message, source.span_of(path), hint=hint)


def _kind_hint(value: object, types: list[str]) -> str | None:
    if isinstance(value, (bool, int, float)) and "string" in types:
        return "text that looks like a number or a boolean needs quotes"
    if isinstance(value, str) and "boolean" in types and value.lower() in YAML_1_1_BOOLEANS:
        return "write true or false"
    if isinstance(value, str) and types == ["array"]:
        return f"write [{value}]" if value.isidentifier() else None
    return None


def _ambiguous_mapping(error: Deviation, source: YamlSource, path: Path) -> Diagnostic:
    """A mapping that has the distinctive key of none of the alternatives, or of several."""
    keys = [key for branch in error.limit if (key := distinctive_key(branch)) is not None]
    found = [key for key in keys if key in error.value]
    if found:
        both = " and ".join(f"'{key}'" for key in found)
        return Diagnostic("SW1110", f"{_subject(path)} has {both}: only one is allowed here", source.span_of(path))
    message = f"{_subject(path)} needs one of the keys {either([quote(key) for key in keys])}"
    hints = (did_you_mean(key, keys) for key in error.value)
    return Diagnostic("SW1110", message, source.span_of(path), hint=next((hint for hint in hints if hint), None))


def _wrong_word(error: Deviation, source: YamlSource, path: Path) -> Diagnostic:
    known = [error.limit] if error.keyword == "const" else error.limit
    words = either([str(word) for word in known])
    message = f"{_subject(path)} must be {words}, not {quote(error.value)}"
    if isinstance(error.value, (dict, list)) or error.value is None:
        message = f"{_subject(path)} must be {words}, not {kind_of(error.value)}"
    hint = did_you_mean(error.value, map(str, known)) if isinstance(error.value, str) else None
    return Diagnostic("SW1104", message, source.span_of(path), hint=hint)


def _duplicate(error: Deviation, source: YamlSource, path: Path) -> tuple[Path, Diagnostic]:
    items = error.value
    index = next(index for index, item in enumerate(items) if item in items[:index])
    first = Note("first written at", source.span_of((*path, items.index(items[index]))))
    span = source.span_of((*path, index))
    message = f"{quote(items[index])} is twice in {_subject(path)}"
    return (*path, index), Diagnostic("SW1108", message, span, notes=(first,))


def _wrong_value(error: Deviation, source: YamlSource, path: Path) -> Diagnostic:
    limit = error.limit
    subject = f"key{_inside(path[:-1])}" if error.about_key else _subject(path)
    shown = "" if error.schema.get("x-conceal") else f", not {quote(error.value)}"
    code, message = {
        "pattern": ("SW1105", f"{subject} must be {error.schema.get('x-says', 'of another form')}{shown}"),
        "minimum": ("SW1106", f"{subject} must be at least {limit}{shown}"),
        "maximum": ("SW1106", f"{subject} must be at most {limit}{shown}"),
        "minLength": ("SW1107", f"{subject} must not be empty"),
        "minItems": ("SW1107", f"{subject} must not be empty"),
        "minProperties": ("SW1107", f"{subject} must not be empty"),
        "maxLength": ("SW1109", f"{subject} must have at most {limit} characters"),
        "maxItems": ("SW1109", f"{subject} must have at most {limit} items"),
    }[str(error.keyword)]
    return Diagnostic(code, message, source.key_span_of(path) if error.about_key else source.span_of(path))


def _subject(path: Path) -> str:
    """What a value is called: its key, or the list it is an item of."""
    if not path:
        return "the document"
    names = [part for part in path if isinstance(part, str)]
    return f"'{names[-1]}'" if isinstance(path[-1], str) else f"an item of '{names[-1]}'"


def _inside(path: Path) -> str:
    return f" in {_subject(path)}" if path else ""


def check_shape(
    source: YamlSource, schema_name: SchemaName, findings: Findings, *, known: frozenset[Path] = frozenset()
) -> frozenset[Path]:
    """Report every deviation from the schema, except for the values at `known` paths, about which all is said.

    Returns the paths of the values that are not as they should be, the known ones included.
    """
    said = source.refused | known
    malformed = set(said)
    for path, diagnostic in _all_findings(source, load_schema(schema_name)):
        malformed.add(path)
        if diagnostic is None:
            continue
        match diagnostic.code:
            case "SW1101":  # that a key is unknown is worth saying whatever stands behind it
                explained = lies_within(path[:-1], said) or path in source.refused
            case "SW1102":
                explained = lies_within(path, said) or path[:-1] in source.incomplete
            case _:
                explained = lies_within(path, said)
        if not explained:
            findings.items.append(diagnostic)
    return frozenset(malformed)


def lies_within(path: Path, refused: frozenset[Path]) -> bool:
    """Whether the path, or one around it, is among the refused ones."""
    return any(path[:length] in refused for length in range(len(path) + 1))


def _all_findings(source: YamlSource, schema: Schema) -> Iterator[tuple[Path, Diagnostic | None]]:
    for deviation in deviations(schema, source.data):
        yield from describe(deviation, source)
