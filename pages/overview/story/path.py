"""Three pictures in a row, and the line between your device, the network and the server."""

import html
from dataclasses import dataclass
from typing import Any

from ldp_core import illustrate
from ldp_core.presentation import figures
from ldp_core.words import Words
from pages.frame import wording
from pages.jobs.png import png_of
from pages.widgets import pictures


@dataclass(frozen=True, slots=True)
class Row:
    """An image, its update and a report of it as data URIs; the update's size and length; the report's side."""

    image: str
    update: str
    report: str
    count: int
    norm: float
    near: bool


def row(image: Any, update: illustrate.Vector, epsilon: float, seed: int) -> Row:
    """Draw an image (an array of bytes, one for each pixel), its update, and the report that a seed gives."""
    report, near = illustrate.randomize(update, epsilon, seed)
    pixels = (image, figures.update_pixels(update), figures.update_pixels(report))
    drawn = [pictures.uri(png_of(each), "png") for each in pixels]
    return Row(drawn[0], drawn[1], drawn[2], len(update), illustrate.norm_of(update), near)


def boundary(t: Words, shown: Row, image_alt: str) -> str:
    """Return the row as HTML: what is on the device, what crosses the line, and where randomness is added."""
    count = wording.count(shown.count)
    alts = image_alt, t.DEVICE_UPDATE_ALT.format(count=count)
    image, update = (
        _figure(source, alt, caption)
        for source, alt, caption in zip((shown.image, shown.update), alts, t.DEVICE_CAPTIONS, strict=False)
    )
    device, network, server = (f"<strong>{name}</strong>" for name in t.DEVICE_ZONES)
    arrow = '<span class="ldp-arrow" aria-hidden="true">→</span>'
    randomness = f'<span class="ldp-random">{t.DEVICE_RANDOMNESS}</span>'
    zones = (
        f'<div class="ldp-zone ldp-home">{device}<div>{image}{arrow}{update}{arrow}{randomness}</div></div>',
        f'<div class="ldp-line"><span>{t.DEVICE_LINE}</span>{arrow}</div>',
        f'<div class="ldp-away"><div class="ldp-zone">{network}<div data-hand="report">{report(t, shown)}</div>',
        f"<span>{t.DEVICE_ATTACKER}</span>",
        f'</div><div class="ldp-zone">{server}<span>{t.DEVICE_SERVER}</span></div></div>',
    )
    return f'<div class="ldp-path">{"".join(zones)}</div>'


def report(t: Words, shown: Row) -> str:
    """Return the report alone as HTML."""
    return _figure(shown.report, t.DEVICE_REPORT_ALT.format(count=wording.count(shown.count)), t.DEVICE_CAPTIONS[-1])


def _figure(source: str, alt: str, caption: str) -> str:
    return f'<figure><img src="{source}" alt="{html.escape(alt)}"><figcaption>{caption}</figcaption></figure>'


def side(t: Words, epsilon: float, norm: float, *, near: bool) -> str:
    """Say on which side a report lies, and how often it lies on the update's own side."""
    chance = illustrate.near_probability(epsilon, norm)
    share = t.DEVICE_SHARE.format(epsilon=wording.number(epsilon), share=wording.share(t, chance))
    return f"{t.DEVICE_SIDE['near' if near else 'far']}{t.SPACE}{share}"
