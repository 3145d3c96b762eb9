"""What the page of the test states of itself."""

from collections.abc import Callable

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import summarize
from ldp_core.presentation import figures
from ldp_core.types import AuditResult
from ldp_core.words import Words
from pages.audit import next_test, stage, words
from pages.frame import wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.state import viewed


def _sentences(t: Words, job: Job) -> list[str]:
    """Return what stands in the verdict's box on screen; what was expected stays there."""
    verdict = words.verdict(t, job.result)
    told = [verdict.headline, verdict.strength, verdict.seen, verdict.epsilon, verdict.meaning, verdict.stopped]
    if note := words.selective_note(t, job.result):
        told.append(t.SPACE.join((note, t.SELECTIVE_TRY_FILE)))
    told += [step.sentence for step in verdict.steps]
    return [sentence for sentence in told if sentence]


def _row(t: Words, job: Job) -> Row:
    result: AuditResult | None = job.result
    what = t.FIGURES[f"name_{job.config.attack}"]
    if result is None or not job.finished:
        return Row(what, str(t.HEADLINES["none"]))
    headline = str(words.verdict(t, result).headline)
    if not result.counts.num_trials or DISTINGUISHERS[result.config.distinguisher].cautious:
        return Row(what, headline)
    summary = summarize(result)
    found = summary.identification
    assert found is not None
    share = wording.run_share(t, (found.point, found.lower, found.upper))
    promise = wording.run_promise(t, summary.theory_identification)
    return Row(what, headline, share, promise, drawn=True)


def _drawn(draw: Callable[..., str]) -> Callable[[Words, Job], str]:
    return lambda t, job: figures.standalone_svg(draw(job.config.epsilon, job.result, words=t.FIGURES))


PAGE = StudyPage(
    key=viewed.JOB,
    title="NAV_AUDIT",
    shares=("epsilon", "training", "dataset", "mechanism", "clip_norm", "confidence", "seed"),
    row=_row,
    sentences=_sentences,
    opened=next_test.follow,
    lands=True,
    stage=stage.going,
    files={
        "shares.svg": ("svg", "image/svg+xml", _drawn(figures.stage_share_svg)),
        "epsilon.svg": ("svg", "image/svg+xml", _drawn(figures.stage_epsilon_svg)),
    },
)
