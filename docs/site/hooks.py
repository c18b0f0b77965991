"""What the site makes of the pages, which are written to be read in the repository too.

The README is the first page. All SQL of a page is one file beside it. Links to files that the site does not have are
names of files.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from pygments.lexer import words
from pygments.lexers.sql import SqlLexer
from pygments.token import Keyword

HOME = "---\nhide: [navigation]\n---\n"
ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {"timeline": "text", "error": "text", "console": "text", "ipython": "text"}
"""Languages of our fences, which are ours or unknown to the site -> what colours them."""

WORDS = (
    "WINDOW ASSIGN TRIGGER EVICT ALLOWED LATENESS LATE INTO STATE TTL APPLY STREAMING STREAM WATERMARK DELAY AWAIT STOP"
)
SqlLexer.tokens["root"].insert(0, (words(WORDS.split(), prefix=r"\b", suffix=r"\b"), Keyword))


def on_files(files: Files, config: Any) -> Files:
    """The README as the first page, and a file of statements for each page that has some."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "index.md", content=f"{HOME}{readme}"))
    for page in [file for file in files if file.is_documentation_page()]:
        statements = sql(page.content_string)
        if statements:
            files.append(File.generated(config, _script(page), content=statements))
    return files


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    """The text that the site renders."""
    markdown = re.sub(r"\]\((?:\.\./)*README\.md", "](index.md", markdown)
    markdown = re.sub(r"\[([^\]]+)\]\(((?:\.\./)+)([^)#]+)\)", r"\1 (`\3`)", markdown)
    markdown = re.sub(r"^```(\w+)[^\n]*$", lambda m: f"```{LANGUAGES.get(m[1], m[1])}", markdown, flags=re.M)
    if files.get_file_from_path(_script(page.file)) is None:
        return markdown
    name = Path(_script(page.file)).name
    return f"{markdown}\n\n[All SQL of this page]({name}){{ .md-button download={name} }}\n"


def _script(page: File) -> str:
    return page.src_path.removesuffix(".md") + ".sql"


def sql(page: str) -> str:
    """The statements of a page that run, each with its semicolon."""
    blocks = re.findall(r"^```sql\n(.*?)^```$", page, re.M | re.S)
    return "\n".join(f"{block.rstrip().rstrip(';')};\n" for block in blocks)
