"""What a page must hold for everyone: no serious finding of axe-core, text alternatives, no sideways scroll."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.helpers.colours import contrast

_HEIGHT = "() => document.querySelector('[data-testid=stMain]').scrollHeight + 20"
GRAVE = ("serious", "critical")
_SIDEWAYS = """() => [document.documentElement, document.querySelector('[data-testid=stMain]')]
    .map(e => e.scrollWidth - e.clientWidth)"""
_NAMELESS = """() => [
    ...[...document.querySelectorAll('.stPlotlyChart')].filter(e => !e.closest('[role=figure][aria-label]')
        && !e.querySelector('[role=figure][aria-label]')),
    ...[...document.querySelectorAll('img')].filter(e => !e.hasAttribute('alt')),
    ...[...document.querySelectorAll('.stHtml svg, .stMarkdown svg')].filter(e => !e.querySelector('title')
        && !e.getAttribute('aria-label') && !e.closest('[aria-hidden=true], button')),
    ...document.querySelectorAll('[data-testid=stException]'),
].map(e => e.outerHTML.slice(0, 200))"""

_CHART_WORDS = """() => [...document.querySelectorAll(':is(.stPlotlyChart, .ldp-drawn) text')]
    .filter(e => e.textContent.trim()).map(e => [getComputedStyle(e).fill, e.textContent])"""


def grave(page: Page) -> list[str]:
    """Return axe-core's serious and critical findings; the window shows the whole page, or contrasts are not judged."""
    usual = page.viewport_size
    page.set_viewport_size({"width": usual["width"], "height": max(usual["height"], page.evaluate(_HEIGHT))})
    response: dict[str, Any] = Axe().run(page, options={"resultTypes": ["violations"]}).response
    page.set_viewport_size(usual)
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary']}"
        for rule in response["violations"]
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]


def without_words(page: Page) -> list[str]:
    """Return the charts, images and drawings that have no text alternative, and errors where they should be."""
    return page.evaluate(_NAMELESS)


def sideways(page: Page) -> list[int]:
    """Return by how many pixels the page, and its main part, are wider than the screen."""
    return page.evaluate(_SIDEWAYS)


def faint(page: Page) -> list[str]:
    """Return words on charts that would not show on the page's colour; axe-core leaves drawings aside."""
    ground = hexadecimal(page.get_by_test_id("stApp").evaluate("e => getComputedStyle(e).backgroundColor"))
    return [words for fill, words in page.evaluate(_CHART_WORDS) if contrast(hexadecimal(fill), ground) < 4.5]


def hexadecimal(colour: str) -> str:
    """Return ``rgb(r, g, b)`` as ``#rrggbb``."""
    return "#" + "".join(f"{int(part):02x}" for part in colour.partition("(")[2].rstrip(")").split(",")[:3])
