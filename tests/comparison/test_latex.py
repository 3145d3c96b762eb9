"""Tables for a paper: every number of every cell, published ones only beside MNIST, and braces that close."""

import re

import pytest

from ldp_core.presentation import tables
from ldp_core.presentation.figures.latex import to_latex
from ldp_core.statistics import published
from tests.helpers.comparisons import comparison

pytestmark = pytest.mark.usefixtures("own_cache")


def test_every_cell_is_there_with_its_interval() -> None:
    found = comparison(attacks=("benign", "dummy"), tests=("white", "black"), epsilons=(1.0, 4.0), clients=(1, 2))
    text = to_latex(found)
    assert text.count("{") == text.count("}")
    assert text.count(r"\begin") == text.count(r"\end")
    assert text.isascii()
    assert len(re.findall(r"\\begin\{table\*\}", text)) == 4
    assert len(set(re.findall(r"\\label\{(.*?)\}", text))) == 4
    for cell in found.cells:
        row = tables.row(cell)
        share = row.identification
        numbers = f"{100 * share.point:.2f} [{100 * share.lower:.2f}, {100 * share.upper:.2f}]"
        assert numbers in text
        assert f"{row.lower:.2f} (" in text


def test_published_rows_stand_beside_ours_only_where_the_images_are_the_papers() -> None:
    mnist = to_latex(comparison(attacks=("benign", "dummy"), epsilons=(1.0, 4.0)))
    assert mnist.count("published & ") == 3  # two shares, one epsilon
    line = next(line for line in mnist.splitlines() if "published & " in line)
    printed = published.IDENTIFICATION["benign"]
    assert f"{100 * printed[1.0]:.1f} & {100 * printed[4.0]:.1f}" in line
    for other in (
        comparison(attacks=("benign",), datasets=("digits",)),
        comparison(attacks=("benign",), tests=("black",)),
    ):
        assert "published & " not in to_latex(other)
