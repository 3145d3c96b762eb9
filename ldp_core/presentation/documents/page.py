"""What a report's page is made of: plain HTML that needs nothing from outside and prints on paper."""

import base64
import re
from collections.abc import Sequence
from html import escape

from ldp_core.presentation.report import is_text

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""For the browser: fetch nothing, run nothing."""
_STYLE = """
:root {color-scheme: light}
body {margin: 0; background: #fff; color: #1a1a1a; font: 16px/1.5 system-ui, sans-serif}
main {max-width: 48rem; margin: 0 auto; padding: 1.5rem 1rem 2rem}
h1 {font-size: 1.7rem; line-height: 1.2; margin: 0 0 .8rem}
h2 {font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid #999; padding-bottom: .2rem}
h3 {font-size: 1rem; margin: 0 0 .3rem}
p, ul {margin: 0 0 .7rem}
:lang(ja) :is(h1, h2, h3, th, td) {word-break: auto-phrase}
ul {padding-left: 1.3rem}
.verdict {border: 2px solid #1a1a1a; border-left-width: .7rem; padding: .8rem 1rem .2rem; margin: 1rem 0}
.verdict p:first-of-type {font-size: 1.3rem; font-weight: 700; line-height: 1.3}
.wide {overflow-x: auto; margin: 0 0 .7rem}
table {border-collapse: collapse; font-size: .875rem; width: 100%}
th, td {border-bottom: 1px solid #ccc; padding: .3rem .5rem; text-align: left; vertical-align: top}
thead th {border-bottom: 2px solid #666; vertical-align: bottom}
tbody th {font-weight: 400}
.counts {font-size: .8125rem}
.counts td, .counts thead th + th {text-align: right; font-variant-numeric: tabular-nums}
.counts td, .counts tbody th {white-space: nowrap}
.counts .text.text {text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 6rem}
.facts th {width: 45%}
.facts td {overflow-wrap: anywhere}
.charts {display: flex; flex-wrap: wrap; gap: 1.5rem}
figure {margin: 0; flex: 1 1 20rem; min-width: 0; max-width: 100%}
figure.broad {flex-basis: 100%}
figure svg {display: block; width: 100%; max-width: 30rem; height: auto}
figure.broad svg {max-width: none}
figcaption {font-size: .875rem; margin-top: .3rem}
svg * {stroke-linejoin: round; stroke-linecap: butt}
svg text {font-family: "DejaVu Sans", Verdana, "Hiragino Sans", "Yu Gothic", Meiryo, "Noto Sans CJK JP", sans-serif
 !important}
.pairs {display: flex; flex-wrap: wrap; gap: 1rem}
.pairs div {break-inside: avoid; font-size: .875rem}
.pairs img {width: 64px; height: 64px; image-rendering: pixelated; border: 1px solid #666; margin-right: .3rem}
pre {white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #999; padding: .6rem; font-size: .875rem}
@page {margin: 15mm}
@media print {
 body {font-size: 10.5pt}
 main {max-width: none; padding: 0}
 h2, h3 {break-after: avoid}
 .verdict, figure, tr, pre, li {break-inside: avoid}
 .wide {overflow: visible}
 .wide .counts {font-size: 7.5pt}
 .wide .counts th, .wide .counts td {padding: .2rem .25rem}
 thead {display: table-header-group}
 figure {flex-basis: 45%}
}
"""


def page(language: str, title: str, parts: Sequence[str]) -> str:
    """Return a whole document."""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main>\n</body>\n</html>\n"
    )


def text(sentence: str) -> str:
    """Escape a sentence; ``**words**`` become bold."""
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(sentence))


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
