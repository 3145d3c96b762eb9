"""A comparison as LaTeX tables in the papers' English, each number with its interval; they need no package.

Two tables for each data set and test: how often the distinguisher is right, and empirical epsilon. The papers' numbers
stand below ours where the images are the papers'.
"""

from collections.abc import Callable, Mapping, Sequence

from ldp_core.adversaries import has_strength
from ldp_core.game.sweep import TESTS, CompareResult
from ldp_core.presentation.figures._words import PAPER, attack_name, dataset_name
from ldp_core.presentation.tables import Row, published_heading, row
from ldp_core.statistics import published, theory
from ldp_core.types import USUAL_STEP

_HEAD = (
    "% Written by python -m ldp_core compare --latex. No package is needed; \\input this file. A table as wide as the\n"
    "% page: put table for table* where the text has one column. Seed {seed}.\n"
)
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "ε": r"$\varepsilon$",
    "×": r"$\times$",
    "≥": r"$\geq$",
    "–": "--",
} | {letter: f"\\{letter}" for letter in "&%$#_{}"}
_Group = tuple[str, str, float, int, float | str]


def to_latex(result: CompareResult) -> str:
    """Return every cell that has trials: attacks, rules and numbers of clients down, epsilons across.

    Returns floats (``table*``) with a caption and a label, for any LaTeX; ASCII only, one line of comment first.
    """
    parts = []
    for dataset in result.config.datasets:
        for test in TESTS:
            cells = [cell for cell in result.select(dataset=dataset, test=test) if cell.counts.num_trials]
            groups: dict[_Group, dict[float, Row]] = {}
            for entry in map(row, cells):
                strength = entry.strength if has_strength(entry.attack) else 1.0
                name = (entry.attack, entry.rule, strength, entry.clients, entry.server_step)
                groups.setdefault(name, {})[entry.epsilon] = entry
            if groups:
                parts += [_shares(result, dataset, test, groups), _bounds(result, dataset, test, groups)]
    return _HEAD.format(seed=result.config.seed) + "\n".join(parts)


def escaped(text: str) -> str:
    r"""Return a text that LaTeX prints as it is.

    >>> escaped("50 % of loss_change & ε")
    '50 \\% of loss\\_change \\& $\\varepsilon$'
    """
    return "".join(_SPECIAL.get(letter, letter) for letter in text)


def _shares(result: CompareResult, dataset: str, test: str, groups: Mapping[_Group, Mapping[float, Row]]) -> str:
    epsilons = result.config.epsilons
    most = [f"{100 * theory.worst_case_identification(epsilon):.2f}" for epsilon in epsilons]
    caption = (
        f"{_of(dataset, test)}: accuracy of the distinguisher in % with its confidence interval. "
        "The first row is the most that ε-LDP allows. " + _how(result, dataset, groups)
    )
    lines = [_line("upper bound", "", "", most, test)]
    for name, entries in groups.items():
        lines.append(_ours(name, [_cell(entries.get(epsilon), _share) for epsilon in epsilons], test))
        printed = published.IDENTIFICATION.get(name[0], {}) if _comparable(result, dataset, test, name) else {}
        if any(epsilon in printed for epsilon in epsilons):
            values = [f"{100 * printed[epsilon]:.1f}" if epsilon in printed else "--" for epsilon in epsilons]
            lines.append(_line(r"\quad published", "", "", values, test))
    return _float(f"accuracy-{test}-{dataset}", caption, epsilons, lines, test)


def _bounds(result: CompareResult, dataset: str, test: str, groups: Mapping[_Group, Mapping[float, Row]]) -> str:
    epsilons = result.config.epsilons
    caption = (
        f"{_of(dataset, test)}: empirical ε, lower bound (mean point estimate). "
        "Infinite estimates are left out of the mean. " + _how(result, dataset, groups)
    )
    lines = []
    for name, entries in groups.items():
        lines.append(_ours(name, [_cell(entries.get(epsilon), _bound) for epsilon in epsilons], test))
        if (
            published.POINT_AT in epsilons
            and name[0] in published.POINT_EPSILON
            and _comparable(result, dataset, test, name)
        ):
            point = published.POINT_EPSILON[name[0]]
            values = [f"({point:.2f})" if epsilon == published.POINT_AT else "--" for epsilon in epsilons]
            lines.append(_line(r"\quad published", "", "", values, test))
    return _float(f"epsilon-{test}-{dataset}", caption, epsilons, lines, test)


def _comparable(result: CompareResult, dataset: str, test: str, name: _Group) -> bool:
    """Return whether the papers' numbers were measured in this way, on these images."""
    return bool(published_heading(result, dataset)) and test == "white" and name[1:3] == ("cosine", 1.0)


def _of(dataset: str, test: str) -> str:
    return f"{dataset_name(PAPER, dataset)}, {PAPER[test]} test"


def _how(result: CompareResult, dataset: str, groups: Mapping[_Group, Mapping[float, Row]]) -> str:
    config = result.config
    text = (
        f"{config.mechanism}, clipping norm {config.clip_norm:g}, training {config.training}; "
        f"{config.num_measurements:,} measurements of {config.num_trials:,} trials; "
        f"confidence {100 * (1 - config.significance):.6g} % of each number by itself."
    )
    if heading := published_heading(result, dataset):
        text += f" {heading}."
    unfinished = any(not entry.completed for entries in groups.values() for entry in entries.values())
    return text + (" *: not finished, its interval is wider." if unfinished else "")


def _cell(entry: Row | None, text: Callable[[Row], str]) -> str:
    return "--" if entry is None else text(entry) + ("" if entry.completed else "*")


def _share(entry: Row) -> str:
    share = entry.identification
    return f"{100 * share.point:.2f} [{100 * share.lower:.2f}, {100 * share.upper:.2f}]"


def _bound(entry: Row) -> str:
    point = "none"
    if entry.point is not None:
        point = f"{entry.point:.2f}" if entry.point >= 0 else f"$-${-entry.point:.2f}"
    infinite = rf", {entry.point_infinite} $\infty$" if entry.point_infinite else ""
    return f"{entry.lower:.2f} ({point}{infinite})"


def _ours(name: _Group, values: Sequence[str], test: str) -> str:
    attack, rule, strength, clients, step = name
    rule += "" if test == "white" or step == USUAL_STEP else f", step {step}"
    title = attack_name(PAPER, attack) + ("" if strength == 1.0 else f" ×{strength:g}")
    return _line(escaped(title), escaped(rule), f"{clients:,}", values, test)


def _line(title: str, rule: str, clients: str, values: Sequence[str], test: str) -> str:
    return " & ".join([title, rule, *([clients] if test == "black" else []), *values]) + r" \\"


def _float(label: str, caption: str, epsilons: Sequence[float], lines: Sequence[str], test: str) -> str:
    heads = [f"$\\varepsilon = {epsilon:g}$" for epsilon in epsilons]
    columns = "ll" + "r" * (len(epsilons) + (test == "black"))
    caption = escaped(caption)
    parts = [
        r"\begin{table*}",
        r"\centering\footnotesize",
        f"\\caption{{{caption}}}",
        f"\\label{{tab:ldp-{label}}}",
        f"\\begin{{tabular}}{{{columns}}}",
        r"\hline",
        _line("attack", "distinguisher", "clients", heads, test),
        r"\hline",
        *lines,
        r"\hline",
        r"\end{tabular}",
        r"\end{table*}",
    ]
    return "\n".join(parts) + "\n"
