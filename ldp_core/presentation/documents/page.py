"""What a report's page is made of: plain HTML that needs nothing from outside and prints on paper."""

import base64
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from ldp_core.presentation.report import is_text

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""For the browser: fetch nothing, run nothing."""
_STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def page(language: str, title: str, parts: Sequence[str]) -> str:
    """Return a whole document."""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main>\n</body>\n</html>\n"
    )


def text(sentence: str) -> str:
    """Escape a sentence; ``**words**`` become bold, and words between backticks code."""
    bold = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(sentence))
    return re.sub(r"`(.+?)`", r"<code>\1</code>", bold)


def heading(title: str) -> str:
    """Return the heading of the page."""
    return f"<h1>{escape(title)}</h1>"


def paragraph(sentence: str) -> str:
    """Return a paragraph; "" for an empty sentence."""
    return f"<p>{text(sentence)}</p>" if sentence else ""


def section(title: str, *parts: str) -> str:
    """Return a heading with what belongs to it; "" if there is nothing."""
    content = "\n".join(part for part in parts if part)
    return f"<section>\n<h2>{escape(title)}</h2>\n{content}\n</section>" if content else ""


def verdict(name: str, sentences: Sequence[str]) -> str:
    """Return the box that stands first."""
    content = "".join(map(paragraph, sentences))
    return f'<div class="verdict" role="group" aria-label="{escape(name)}">{content}</div>' if content else ""


def bullets(lines: Sequence[str]) -> str:
    """Return a list."""
    return "<ul>" + "".join(f"<li>{text(line)}</li>" for line in lines) + "</ul>" if lines else ""


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """Return a table of names and values."""
    lines = "".join(f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>' for name, value in rows)
    return f'<table class="facts"><tbody>{lines}</tbody></table>'


def table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table that scrolls sideways where it is too wide; the first column names a row, texts stand left."""
    kinds = [' class="text"' if is_text(column) else "" for column in zip(*rows, strict=True)]
    top = "".join(f'<th scope="col"{kind}>{escape(cell)}</th>' for cell, kind in zip(head, kinds, strict=True))
    lines = ""
    for row in rows:
        first, *cells = (f"{kind}>{escape(cell)}" for cell, kind in zip(row, kinds, strict=True))
        lines += f'<tr><th scope="row"{first}</th>' + "".join(f"<td{cell}</td>" for cell in cells) + "</tr>"
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(name)}"><table class="counts">'
        f"<thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def figure(title: str, svg: str, note: str, *, broad: bool = False) -> str:
    """Return a chart with its title and note."""
    kind = ' class="broad"' if broad else ""
    return f"<figure{kind}><h3>{escape(title)}</h3>{svg}<figcaption>{text(note)}</figcaption></figure>"


def charts(figures: Sequence[str]) -> str:
    """Return charts side by side where there is room."""
    return f'<div class="charts">{"".join(figures)}</div>' if figures else ""


def picture(png: bytes, alt: str) -> str:
    """Return a PNG as an image that is part of the page."""
    return f'<img src="data:image/png;base64,{base64.b64encode(png).decode()}" alt="{escape(alt)}">'


def command(line: str) -> str:
    """Return a command line to copy."""
    return f"<pre><code>{escape(line)}</code></pre>"


def block(title: str, content: str) -> str:
    """Return one of several small things that stand in rows."""
    return f"<div><p>{escape(title)}</p>{content}</div>"


def pairs(blocks: Sequence[str]) -> str:
    """Return small things in rows."""
    return f'<div class="pairs">{"".join(blocks)}</div>' if blocks else ""
