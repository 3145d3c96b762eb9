"""The stage: one line of verdict, the grid of right guesses, and the two charts, drawn alike before and after a run."""

import html
from collections.abc import Sequence
from functools import lru_cache

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import judged_share
from ldp_core.mechanisms import HONEST
from ldp_core.presentation import figures
from ldp_core.statistics import theory
from ldp_core.types import AuditConfig, AuditResult
from ldp_core.words import Words
from pages.audit import next_test
from pages.audit import words as audit_words
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state import prepared
from pages.widgets import hand, inputs, pictures, views

_NAMED = 6
"""Earlier runs that are named beside the charts; the others say their name where the pointer is."""
HAND = "stage"
"""The part of the stage that follows the slider of ε while it is held, before a run."""


def before(t: Words, epsilon: float, seen: Sequence[Job], plan: str) -> str:
    """Return the stage without a run, which follows the slider of ε while it is held.

    ``seen``: this visit's runs; ``plan``: what a run would take.
    """
    steps = inputs.epsilon_steps(epsilon)
    earlier = _results(seen)
    frames = [_allowed(t, step, earlier, plan) if earlier else _empty(t, step, plan) for step in steps]
    hand.follow(inputs.EPSILON, HAND, {HAND: frames})
    return f'<div data-hand="{HAND}">{frames[steps.index(epsilon)]}</div>'


def still() -> str:
    """Return no stage, and let nothing follow the slider; what was there keeps its place."""
    hand.follow(inputs.EPSILON, HAND, {})
    return ""


@lru_cache(maxsize=64)
def _empty(t: Words, epsilon: float, plan: str) -> str:
    return _allowed(t, epsilon, (), plan)


def _allowed(t: Words, epsilon: float, earlier: Sequence[AuditResult], plan: str) -> str:
    """Return what the promise allows at an ε, with what earlier runs found."""
    line = f'<div class="ldp-verdict"><p>{terms.bold(wording.promise_sentence(t, epsilon))} {plan}</p>'
    line += f"{views.worth(t, [epsilon])}</div>"
    return _stage(t, line, epsilon, None, earlier, theory.worst_case_identification(epsilon), "")


def going(t: Words, job: Job, seen: Sequence[Job], text: str, share: float) -> str:
    """Return the stage of a run on its way; see ``StudyPage.stage``."""
    done = f"{100 * share:.0f}"
    bar = f'<div role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="{done}"'
    bar += f' aria-label="{html.escape(text)}"><div style="width:{done}%"></div></div>'
    finding = audit_words.live(t, job.result) if job.result is not None else ""
    paragraph = " · ".join([html.escape(text), *([terms.bold(finding)] if finding else [])])
    line = f'<div class="ldp-verdict ldp-going"><p>{paragraph}</p>{bar}</div>'
    return _with(t, line, job, seen)


def after(t: Words, job: Job, seen: Sequence[Job], setting: AuditConfig | None = None) -> str:
    """Return the stage of a run that has ended; pale, and with a ring at the new ε, where something else is set now."""
    state, headline, finding = "none", t.HEADLINES["none"], ""
    if job.result is not None and job.result.counts.num_trials:
        state, headline, finding = audit_words.in_a_line(t, job.result)
    finding = f"{t.STAGE_PREPARED}{t.SPACE}{finding}" if job.id == prepared.ID else finding
    icon = pictures.uri(views.icon(state).encode(), "svg+xml")
    line = (
        f'<div class="ldp-verdict" data-state="{state}" role="status"><img src="{icon}" alt="">'
        f"<p><b>{html.escape(headline)}</b> {terms.bold(html.escape(finding))}</p>"
        f"{'' if state == 'above' else views.worth(t, [job.config.epsilon])}</div>"
    )
    if setting is None or not next_test.differs(setting, job.config):
        return _with(t, line, job, seen)
    chosen = setting.epsilon if setting.epsilon != job.config.epsilon else None
    return f'<div class="ldp-pale">{_with(t, line, job, seen, chosen)}</div>'


def _with(t: Words, line: str, job: Job, seen: Sequence[Job], chosen: float | None = None) -> str:
    """Return the stage with what a run has counted, and a ring at the ε that is set by now."""
    epsilon, result = job.config.epsilon, job.result
    share = None if result is None or not result.counts.num_trials else judged_share(result)
    earlier = _results([other for other in seen if other is not job])
    if share is None:
        return _stage(t, line, epsilon, None, earlier, theory.worst_case_identification(epsilon), "")
    abstains = DISTINGUISHERS[job.config.distinguisher].abstains
    sentences = [
        (t.STAGE_RIGHT_SELECTIVE if abstains else t.STAGE_RIGHT).format(share=figures.stage_found(epsilon, share.point))
    ]
    guess = None if abstains else job.expected
    sentences += [] if guess is None else [t.STAGE_GUESSED.format(expected=guess)]
    named = earlier[: -1 - _NAMED : -1]
    caption = "<br>".join(
        [
            *map(html.escape, sentences),
            *(_before(t, previous, epsilon) for previous in named),
            *[t.STAGE_CHANCE] * _above(named),
        ]
    )
    return _stage(t, line, epsilon, result, earlier, share.point, caption, chosen, guess)


def _above(results: Sequence[AuditResult]) -> bool:
    """Return whether a run of what keeps its promise counted more right guesses than ε allows in the long run."""
    kept = [result for result in results if result.config.mechanism in HONEST]
    shares = [(judged_share(result), theory.worst_case_identification(result.config.epsilon)) for result in kept]
    return any(share is not None and share.point > limit for share, limit in shares)


def _before(t: Words, result: AuditResult, epsilon: float) -> str:
    """Return what an earlier run found, in the same number as the one on the stage, as HTML with its mark."""
    share = judged_share(result)
    number = "–" if share is None else figures.stage_found(result.config.epsilon, share.point)
    attack = audit_words.named(t, result.config)
    form = t.STAGE_EARLIER_SAME if result.config.epsilon == epsilon else t.STAGE_EARLIER
    sentence = html.escape(form.format(attack=attack, epsilon=wording.number(result.config.epsilon), share=number))
    colour = figures.attack_style(result.config.attack)[0]
    return f'<i style="background:{colour}"></i> {sentence}'


def _results(seen: Sequence[Job]) -> list[AuditResult]:
    """Return what the tests among some runs have found."""
    results = [job.result for job in seen if job.kind == "audit" and job.finished and job.result is not None]
    return [result for result in results if result.counts.num_trials]


def _stage(
    t: Words, line: str, epsilon: float, result: AuditResult | None, earlier: Sequence[AuditResult], share: float,
    caption: str, chosen: float | None = None, guess: int | None = None,
) -> str:  # fmt: skip
    right = pictures.whole_of_100(share)
    grid = pictures.uri(pictures.icon_array_svg(right).encode(), "svg+xml")
    alt = t.STAGE_GRID_ALT.format(right=right)
    charts = (
        (t.STAGE_SHARE, figures.stage_share_svg(epsilon, result, earlier, t.FIGURES, chosen, guess)),
        (t.STAGE_EPSILON, figures.stage_epsilon_svg(epsilon, result, earlier, t.FIGURES, chosen)),
    )
    drawn = "".join(f"<figure><b>{title}</b>{svg}</figure>" for title, svg in charts)
    return (
        f'<div class="ldp-stage">{line}<div class="ldp-charts"><figure class="ldp-grid"><img src="{grid}" alt="{alt}">'
        f"<figcaption>{caption}</figcaption></figure>{drawn}</div></div>"
    )
