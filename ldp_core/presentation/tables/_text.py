"""Tables as aligned plain text, for the command line."""

from collections.abc import Sequence

from ldp_core.presentation.tables._cells import Row
from ldp_core.presentation.tables._published import REASONS, SIGNIFICANCE, ClientsRow, PublishedRow
from ldp_core.statistics import published, theory


def identification_text(rows: Sequence[Row]) -> str:
    """Return [J] Table 1 of our own numbers: attacks down, epsilons across, the promise first, in % with intervals.

    ``rows``: from ``identification_table``.
    """
    epsilons = sorted({row.epsilon for row in rows})
    table = [["right guesses in %", *(f"eps {epsilon:g}" for epsilon in epsilons)]]
    table.append(["the promise", *(f"{100 * theory.worst_case_identification(epsilon):.2f}" for epsilon in epsilons)])
    for attack in dict.fromkeys(row.attack for row in rows):
        cells = {row.epsilon: row for row in rows if row.attack == attack}
        table.append([attack, *(_share(cells[epsilon]) if epsilon in cells else "-" for epsilon in epsilons)])
    return _aligned(table) + _unfinished(rows)


def clients_text(rows: Sequence[ClientsRow]) -> str:
    """Return [M] Table 3: one line for each number of clients, with the printed estimate where there is one.

    ``rows``: from ``clients_table``.
    """
    head = "attack,rule,strength,eps,step,clients,estimate,at least,right guesses in %,crowd law,short by"
    table = [head.split(",")]
    if beside := any(item.published is not None for item in rows):
        table[0] += ["published", "explained"]
    for item in rows:
        row = item.row
        table.append(
            [
                *(row.attack, row.rule, f"{row.strength:g}", f"{row.epsilon:g}", _step(row), str(row.clients)),
                *(_estimate(row), f"{row.lower:.2f}", _share(row)),
                "-" if item.crowd is None else f"{100 * item.crowd:.2f}",
                "-" if item.shortfall is None else f"{item.shortfall:+.2f}",
            ]
        )
        if beside:
            table[-1].append("-" if item.published is None else f"{item.published:.2f}")
            table[-1].append({None: "-", True: "yes", False: "no"}[item.explained])
    text = _aligned(table) + _unfinished([item.row for item in rows])
    if any(item.crowd is not None for item in rows):
        text += (
            "\nCrowd law: what sum-inversion would reach against a flipped pair if the other clients' gradients were "
            "orthogonal to it.\nReal clients of one task point in similar directions.\n"
        )
    text += (
        "\nStep: how far one report alone moves the model, in norms of the model sent. A long one (unbiased: 3.75) "
        "hides the report from rules\nthat look at losses; an ordinary server's short one hands it on.\n"
    )
    for verb, judged in (("explains", True), ("does not explain", False)):
        cells: dict[tuple[str, float], list[str]] = {}
        for item in rows:
            if item.explained is judged:
                cells.setdefault((_step(item.row), item.row.epsilon), []).append(f"{item.published:.2f}")
        text += "".join(
            f"A step of {step} at epsilon {epsilon:g} {verb} the published {', '.join(printed)}.\n"
            for (step, epsilon), printed in cells.items()
        )
    reasons = dict.fromkeys(reason for item in rows for reason in item.reasons)
    if reasons:
        text += "\nNo match with the published estimates is claimed:\n"
        text += "\n".join(f"- {REASONS[reason]}" for reason in reasons) + "\n"
    return text


def published_text(rows: Sequence[PublishedRow]) -> str:
    """Return our shares beside [J] Table 1, with what the differences are worth. ``rows``: from ``published_table``."""
    head = ("attack", "eps", "ours %", "published %", "difference", "sampling error", "explained", "exact law %")
    table = [[*head, "estimate", "published"]]
    for item in rows:
        row = item.row
        table.append(
            [
                *(row.attack, f"{row.epsilon:g}", f"{100 * row.identification.point:.2f}{_mark(row)}"),
                *(f"{100 * item.published:.1f}", f"{item.difference:+.2f}", f"{item.error:.2f}"),
                "yes" if item.explained else "no",
                "-" if row.expected is None else f"{100 * row.expected:.2f}",
                _estimate(row),
                "-" if item.published_point is None else f"{item.published_point:.2f}",
            ]
        )
    trials = published.NUM_MEASUREMENTS * published.NUM_TRIALS
    text = _aligned(table) + _unfinished([item.row for item in rows])
    text += (
        f"\nDifferences in points. The sampling error counts {trials:,} trials of theirs, ours, and the rounding of "
        f"the printed number;\nby chance alone at most {100 * SIGNIFICANCE:g} of 100 such tables have any "
        "unexplained difference.\n"
    )
    if any(item.row.attack == "gradient-flip" and item.published_point is not None for item in rows):
        text += "The printed estimate 3.99 for gradient-flip does not fit its printed 93.6 %, which stand for 2.68.\n"
    for reasons in dict.fromkeys(item.reasons for item in rows if item.reasons):
        who = ", ".join(f"{item.row.attack} at {item.row.epsilon:g}" for item in rows if item.reasons == reasons)
        text += f"no ({who}): {'; '.join(REASONS[reason] for reason in reasons)}.\n"
    return text


def _share(row: Row) -> str:
    share = row.identification
    return f"{100 * share.point:.2f} ({100 * share.lower:.2f} to {100 * share.upper:.2f}){_mark(row)}"


def _step(row: Row) -> str:
    return row.server_step if isinstance(row.server_step, str) else f"{row.server_step:g}"


def _mark(row: Row) -> str:
    return "" if row.completed else "*"


def _estimate(row: Row) -> str:
    text = "none" if row.point is None else f"{row.point:.2f}"
    return f"{text}, {row.point_infinite} infinite" if row.point_infinite else text


def _unfinished(rows: Sequence[Row]) -> str:
    return "" if all(row.completed for row in rows) else "* not finished; its interval is wider\n"


def _aligned(table: Sequence[Sequence[str]]) -> str:
    """Return lines with the first column flush left and the others flush right."""
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    lines = (
        "  ".join(
            text.ljust(width) if column == 0 else text.rjust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in table
    )
    return "\n".join(line.rstrip() for line in lines) + "\n"
