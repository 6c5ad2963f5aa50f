"""The page `docs/reference/cli.md`, from the parser: every verb with its arguments."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from shardwright.runtime.cli.main import build_parser

_SUBPARSERS = argparse._SubParsersAction


def page() -> str:
    """Markdown, ending in a line break."""
    parser = build_parser()
    lines = ["# Command line", "", "Generated from the parser; `shardwright VERB --help` shows the same.", ""]
    lines += [_sentence(parser.description), "", _sentence(parser.epilog), "", "With every verb:", ""]
    general = list(_options(parser))
    lines += [*general, ""]
    for name, text, verb in _verbs(parser):
        lines += _verb(f"shardwright {name}", text, verb, general=general, level=2)
    return "\n".join(lines).rstrip("\n") + "\n"


def _verb(
    called: str, text: str, parser: argparse.ArgumentParser, *, general: Sequence[str], level: int
) -> Iterator[str]:
    positional = "".join(f" {_metavar(action, brackets=True)}" for action in _arguments(parser))
    yield f"{'#' * level} `{called}{positional}`"
    yield ""
    yield _sentence(text)
    yield ""
    options = [line for line in _options(parser) if line not in general]
    if options:
        yield from options
        yield ""
    for name, about, action in _verbs(parser):
        yield from _verb(f"{called} {name}", about, action, general=general, level=level + 1)


def _verbs(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    for group in parser._actions:
        if isinstance(group, _SUBPARSERS):
            texts = {choice.dest: choice.help or "" for choice in group._choices_actions}
            yield from ((name, texts.get(name, ""), verb) for name, verb in group.choices.items())


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [a for a in parser._actions if not a.option_strings and not isinstance(a, _SUBPARSERS)]


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, (_SUBPARSERS, argparse._HelpAction)):
            continue
        names = ", ".join(f"`{name}`" for name in action.option_strings) or f"`{_metavar(action, brackets=False)}`"
        takes = f" `{_metavar(action, brackets=False)}`" if action.option_strings and action.nargs != 0 else ""
        needed = " Required." if action.required and action.option_strings else ""
        yield f"* {names}{takes}: {_sentence(action.help)}{needed}"


def _metavar(action: argparse.Action, *, brackets: bool) -> str:
    choices = action.choices
    named = action.metavar if isinstance(action.metavar, str) else None
    text = named or ("|".join(str(choice) for choice in choices) if choices else action.dest.upper())
    return f"[{text} ...]" if brackets and action.nargs == "*" else text


def _sentence(text: str | None) -> str:
    """The text with a capital letter and a full stop."""
    words = (text or "").strip()
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!")) or not words else ".")
