"""What the page of the test states of itself."""

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import summarize
from ldp_core.presentation import figures
from ldp_core.types import AuditResult
from ldp_core.words import Words
from pages.audit import next_test, stage, words
from pages.frame import wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.state import current_run
from pages.widgets import told


def _sentences(t: Words, job: Job) -> list[str]:
    """Return what was found and what a client can do; what was expected stays on the screen."""
    sentences = [*told.report(t, job.result).sentences]
    if note := words.selective_note(t, job.result):
        sentences.append(t.SPACE.join((note, t.SELECTIVE_TRY_FILE)))
    return [*sentences, *(step.sentence for step in words.next_steps(t, job.result))]


def _row(t: Words, job: Job) -> Row:
    result: AuditResult | None = job.result
    attack = t.FIGURES[f"name_{job.config.attack}"]
    if result is None or not job.finished:
        return Row(attack, str(t.HEADLINES["none"]))
    headline = words.headline(t, result)
    if not result.counts.num_trials or DISTINGUISHERS[result.config.distinguisher].abstains:
        return Row(attack, headline)
    summary = summarize(result)
    identification = summary.identification
    assert identification is not None
    share = wording.run_share(t, (identification.point, identification.lower, identification.upper))
    promise = wording.run_promise(t, summary.theory_identification)
    return Row(attack, headline, share, promise, drawn=True)


def _charts(t: Words, job: Job) -> dict[str, str]:
    drawn = {"shares": figures.stage_share_svg, "epsilon": figures.stage_epsilon_svg}
    return {name: draw(job.config.epsilon, job.result, words=t.FIGURES) for name, draw in drawn.items()}


PAGE = StudyPage(
    key=current_run.JOB,
    title="NAV_AUDIT",
    shares=("epsilon", "training", "dataset", "mechanism", "clip_norm", "confidence", "seed"),
    row=_row,
    sentences=_sentences,
    opened=next_test.follow,
    lands=True,
    stage=stage.going,
    charts=_charts,
)
