"""What the site of the documentation has beside the pages of docs/: a hook of MkDocs, which mkdocs.yml names.

* The navigation is made of docs/README.md: its headings, the lines that end in a colon, and its links.
* The pages at the root of the repository come along. A link to any other file outside docs/ stays as text.
* Mermaid, which draws the pictures, and what the search needs without a web server are parts of the site.

Runs in `mkdocs build`, from the root of the repository. Writes nothing itself; Mermaid comes through the cache of jars.
"""

from __future__ import annotations

import os
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

ROOT: Final = Path(__file__).resolve().parents[1]
BESIDE: Final = {"README.md": "overview.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
"""Pages at the root, and their names in the site."""

_SEARCH: Final = "assets/javascripts/iframe-worker.js"
"""The plugin `offline` knows it by this name, and then asks no other host for its own."""
_STYLE: Final = "assets/stylesheets/site.css"
_MERMAID: Final = "assets/javascripts/mermaid.min.js"
_FENCED: Final = re.compile(r"^([ ]*)(`{3,}|~{3,}).*?^\1\2[ ]*$", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"(?P<before>!?\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\()(?P<to>[^)\s]+)\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    config.extra["polyfills"] = [_SEARCH]
    project = [{"Contributing": BESIDE["CONTRIBUTING.md"]}, {"Security": BESIDE["SECURITY.md"]}]
    config.nav = [
        {"Documentation": "README.md"},
        {"Overview": BESIDE["README.md"]},
        *navigation_of(index),
        {"The project": project},
    ]
    return config


def navigation_of(index: str) -> list[dict[str, Any]]:
    """A section for each heading that has pages, and a section in it for each line that ends in a colon."""
    sections: list[dict[str, Any]] = []
    for part in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        entries: list[Any] = []
        into = entries
        for block in re.split(r"\n\s*\n", text):
            if pages := [{title: _in_site(page)} for title, page in re.findall(r"\[([^\]]+)\]\(([^)#]+\.md)\)", block)]:
                into += pages
            elif block.rstrip().endswith(":"):
                into = []
                entries.append({_label(block): into})
        if entries:
            sections.append({heading: entries})
    return sections


def _label(block: str) -> str:
    return block.strip().rstrip(":").partition(" (")[0]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, page in BESIDE.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    files.append(File.generated(config, _MERMAID, content=_read_mermaid()))
    for name, place in (("site_search.js", _SEARCH), ("site.css", _STYLE)):
        files.append(File.generated(config, place, content=(ROOT / ".ci" / name).read_text(encoding="utf-8")))
    return files


def _read_mermaid() -> bytes:
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from tests.servers.jars import MERMAID, jars

    [jar] = jars(MERMAID)
    with zipfile.ZipFile(jar) as archive:
        [name] = [name for name in archive.namelist() if name.endswith("/dist/mermaid.min.js")]
        return archive.read(name)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links lead to pages of the site. What is outside stays as text: the site has no copy of the code."""
    names = {to: source for source, to in BESIDE.items()}
    source = names.get(page.file.src_uri, f"docs/{page.file.src_uri}")
    return "".join(
        text if is_code else _LINK.sub(lambda link: _lead_link(link, source, page.file.src_uri), text)
        for text, is_code in _parts(markdown)
    )


def _parts(markdown: str) -> Iterator[tuple[str, bool]]:
    """The text, and which part of it is a block of code."""
    end = 0
    for block in _FENCED.finditer(markdown):
        yield markdown[end : block.start()], False
        yield block.group(), True
        end = block.end()
    yield markdown[end:], False


def _lead_link(link: re.Match[str], source: str, page: str) -> str:
    to, hash_, anchor = link["to"].partition("#")
    if not to or "://" in to:
        return link.group()
    target = os.path.normpath(os.path.join(os.path.dirname(source), to))
    if not (ROOT / target).exists():
        return link.group()  # MkDocs reports it
    if not (in_site := _in_site(os.path.relpath(target, "docs"))):
        return link["text"]
    return f"{link['before']}{os.path.relpath(in_site, os.path.dirname(page) or '.')}{hash_}{anchor})"


def _in_site(path: str) -> str:
    """`path` is relative to docs/; empty where the site has no such page."""
    if path.startswith("../"):
        return BESIDE.get(path.removeprefix("../"), "")
    return path if os.path.isfile(ROOT / "docs" / path) else ""


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """A page with pictures loads what draws them; the theme would ask another host for it. And the search gets the name
    that a screen reader says."""
    search = 'data-md-component="search" role="dialog"'
    output = output.replace(search, f'{search} aria-label="Search"')
    if 'class="mermaid"' not in output:
        return output
    script = f'<script src="{get_relative_url(_MERMAID, page.url)}"></script>'
    return output.replace("</head>", f"{script}</head>", 1)
