"""Tables for a paper: every number of every cell, published ones only beside MNIST, and braces that close."""

import re

import pytest

from ldp_core.presentation import tables
from ldp_core.presentation.figures.latex import to_latex
from ldp_core.statistics import published
from tests.helpers.comparisons import comparison

pytestmark = pytest.mark.usefixtures("own_cache")


def well_formed(text: str) -> bool:
    """Return whether braces and environments close in order, and every row has a cell for each column."""
    depth, opened = 0, []
    for found in re.finditer(r"\\[{}]|[{}]|\\(begin|end)\{(\w+\*?)\}", re.sub(r"(?m)(?<!\\)%.*", "", text)):
        if found[1] == "begin":
            opened.append(found[2])
        elif found[1] == "end" and (not opened or opened.pop() != found[2]):
            return False
        elif found[1] is None and len(found[0]) == 1:
            depth += 1 if found[0] == "{" else -1
            if depth < 0:
                return False
    for columns, body in re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", text, re.DOTALL):
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        if not rows or any(len(re.findall(r"(?<!\\)&", row)) + 1 != len(columns) for row in rows):
            return False
    return depth == 0 and not opened


def test_every_cell_is_there_with_its_interval() -> None:
    found = comparison(attacks=("benign", "dummy"), tests=("white", "black"), epsilons=(1.0, 4.0), clients=(1, 2))
    text = to_latex(found)
    assert well_formed(text)
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
