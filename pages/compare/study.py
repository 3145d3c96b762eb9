"""What the page of the comparison states of itself."""

from ldp_core.mechanisms import HONEST
from ldp_core.statistics import theory
from ldp_core.studies.compare import exports
from ldp_core.words import Words
from pages.compare import form
from pages.frame import wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.state.look import once


def _row(t: Words, job: Job) -> Row:
    config, result = job.config, job.result
    attacks = wording.plural(t.CMP_ATTACKS_COUNT, len(config.attacks))
    promise = wording.run_promise(t, *map(theory.worst_case_identification, config.epsilons))
    if not job.finished or result is None:
        return Row(attacks, str(t.HEADLINES["none"]), promise=promise)
    if not any(cell.measurements for cell in result.cells):
        return Row(attacks, str(t.HEADLINES["none"]), t.RUNS_SEE, promise)
    broken = once(job, "rejected", lambda: exports.rejected_cells(result))
    state = "none" if not broken else "demo" if config.mechanism not in HONEST else "above"
    return Row(attacks, str(t.CMP_HEADLINES[state]), t.RUNS_SEE, promise)


PAGE = StudyPage(
    key=form.COMPARISON,
    title="NAV_COMPARE",
    shares=("training", "mechanism", "clip_norm", "confidence", "seed"),
    row=_row,
    files={"table.csv": ("csv", "text/csv", lambda _, job: exports.to_csv(job.result))},
)
