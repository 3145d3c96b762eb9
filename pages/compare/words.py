"""Turns a comparison into sentences and rows of text."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.sweep import PAPER, CompareConfig, CompareResult
from ldp_core.mechanisms import HONEST
from ldp_core.presentation import tables
from ldp_core.presentation.tables import ClientsRow, PublishedRow, Row, View
from ldp_core.statistics import theory
from ldp_core.studies.compare import exports
from ldp_core.studies.compare.report import findings
from ldp_core.words import Words
from pages.frame import wording
from pages.widgets import told


@dataclass(frozen=True, slots=True)
class Finding:
    """What stands in the box of a comparison: "above", "none" or "demo", and Markdown: first what was counted."""

    state: str
    headline: str
    sentences: tuple[str, ...]


def name(t: Words, attack: str) -> str:
    return str(t.FIGURES[f"name_{attack}"])


def rule_note(t: Words, rule: str, attacks: Sequence[str], clients: Sequence[int]) -> tuple[bool, str]:
    """Return whether a rule means something here, and what it must know or why it is not offered."""
    if rule == PAPER:
        return True, str(t.CMP_PAPER_ACCESS)
    words, objection = t.DISTINGUISHERS[rule], DISTINGUISHERS[rule].objection
    reasons = {(attack, many): objection(attack, many) for attack in attacks for many in clients}
    knows, text = t.CMP_KNOWS.format(access=words.access), words.objection
    if not any(reasons.values()):
        return True, knows
    if all(reasons.values()):
        return False, t.CMP_RULE_OFF.format(reason=text)
    if rule == "update-inversion":
        return True, f"{knows}{t.SPACE}{t.CMP_RULE_PARTLY_CLIENTS.format(reason=text)}"
    fits = [attack for attack in attacks if not all(reasons[attack, many] for many in clients)]
    without = [attack for attack in attacks if attack not in fits]
    template, named = (t.CMP_RULE_ONLY, fits) if len(fits) < len(without) else (t.CMP_RULE_PARTLY, without)
    names = t.COMMA.join(name(t, attack_name) for attack_name in named)
    return True, f"{knows}{t.SPACE}{template.format(attacks=names, reason=text)}"


def finding(t: Words, result: CompareResult, dataset: str, epsilon: float, view: View) -> Finding | None:
    """Return the verdict over all cells, and which attack came closest at one ε; None before the first count."""
    if not any(cell.counts.num_trials for cell in result.cells):
        return None
    config, broken = result.config, exports.rejected_cells(result)
    verdict, *others = findings(result, told.teller(t), dataset, epsilon, view)
    if not broken:
        if "selective" not in config.white_rules or "white" not in config.tests:
            link = f"/audit?distinguisher=selective&attack=benign&lang={t.LANGUAGE_CODE}"
            verdict = f"{verdict}{t.SPACE}{t.CMP_OWN_PROMISE.format(link=link)}"
        return Finding("none", t.CMP_HEADLINES["none"], (*others, verdict, _next(t, result, dataset, epsilon, view)))
    state, todo = ("above", t.CMP_ABOVE_TODO) if config.mechanism in HONEST else ("demo", t.CMP_DEMO_TODO)
    return Finding(state, t.CMP_HEADLINES[state], (*others, verdict, todo))


def _next(t: Words, result: CompareResult, dataset: str, epsilon: float, view: View) -> str:
    """Return what a client can do where no promise is broken: with links that are set up for it."""
    rows = tables.attacks_at(result, dataset, epsilon, view)
    row = max(rows, key=lambda row: row.lower, default=None)
    closest = {"attack": row.attack, "distinguisher": row.rule} if row is not None else {}
    queries = ({"epsilon": f"{epsilon:g}", "lang": t.LANGUAGE_CODE} | more for more in (closest, {}))
    alone, check = (f"/{page}?{urlencode(query)}" for page, query in zip(("audit", "check"), queries, strict=True))
    reports = wording.plural(t.REPORTS_COUNT, theory.rounds_until(epsilon, 0.95))
    return str(t.CMP_NEXT.format(alone=alone, check=check, epsilon=wording.number(epsilon), reports=reports))


def statistics(t: Words, result: CompareResult) -> tuple[str, ...]:
    """Return what is behind the verdict, for those who want to know how sure it is."""
    counted = sum(cell.counts.num_trials > 0 for cell in result.cells)
    confidence = wording.number(100.0 * (1.0 - result.config.significance))
    return t.CMP_SURE.format(cells=wording.count(counted), confidence=confidence), t.CMP_SHARED


def rows_of(t: Words, rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """Return cells as a table of texts; the estimate never stands without the bound."""
    return [
        (
            name(t, row.attack),
            t.CMP_TEST_SHORT[row.test],
            t.FIGURES[f"by_{row.rule}"],
            wording.count(row.clients),
            wording.number(row.strength),
            wording.number(row.epsilon),
            f"{100 * row.identification.point:.2f}",
            f"{100 * row.identification.lower:.2f}–{100 * row.identification.upper:.2f}",
            "–" if row.expected is None else f"{100 * row.expected:.2f}",
            wording.floor_number(row.lower),
            _estimate(row),
            wording.count(row.trials),
        )
        for row in rows
    ]


def published_rows(t: Words, rows: Sequence[PublishedRow]) -> list[tuple[str, ...]]:
    """Return our shares beside the papers' as a table of texts."""
    return [
        (
            t.ATTACKS[item.row.attack].title,
            wording.number(item.row.epsilon),
            f"{100 * item.row.identification.point:.2f}",
            f"{100 * item.published:.1f}",
            f"{item.difference:+.2f}",
            f"{item.error:.2f}",
            t.CMP_PAPERS_LUCK if item.explained else t.SEMICOLON.join(t.CMP_REASONS[reason] for reason in item.reasons),
        )
        for item in rows
    ]


def clients_rows(t: Words, rows: Sequence[ClientsRow]) -> list[tuple[str, ...]]:
    """Return the black-box cells by their clients as a table of texts."""
    return [
        (
            name(t, item.row.attack),
            t.FIGURES[f"by_{item.row.rule}"],
            wording.number(item.row.epsilon),
            wording.count(item.row.clients),
            step(t, item.row.server_step),
            _estimate(item.row),
            wording.floor_number(item.row.lower),
            f"{100 * item.row.identification.point:.2f}",
            "–" if item.published is None else f"{item.published:.2f}",
        )
        for item in rows
    ]


def step(t: Words, server_step: float | str) -> str:
    """Return a server's step as a word or a number."""
    named = isinstance(server_step, str)
    return str(t.FIGURES[f"step_{server_step}"] if named else wording.number(float(server_step)))


def basis(t: Words, config: CompareConfig) -> str:
    """Return what stands behind every mark of a chart."""
    return str(
        t.CMP_BASIS.format(
            measurements=wording.plural(t.CMP_BASIS_PAIRS, config.num_measurements),
            trials=wording.count(config.num_trials),
            confidence=wording.number(100.0 * (1.0 - config.significance)),
        )
    )


def _estimate(row: Row) -> str:
    return "–" if row.point is None else f"{row.point:.2f}"
