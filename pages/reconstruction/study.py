"""Any attacker against any protection, as a run."""

from typing import Any

import streamlit as st

from ldp_core import workload
from ldp_core.datasets.own import LEAST_IMAGES
from ldp_core.reconstructions import RECONSTRUCTIONS
from ldp_core.studies import study_of
from ldp_core.studies.reconstruction import report
from ldp_core.studies.reconstruction.result import PROTECTIONS, ReconstructionConfig
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms
from pages.jobs.job import Job
from pages.registry import StudyPage, plain_row
from pages.state.current_run import Start
from pages.widgets import inputs, sources, stage, start, views

JOB = "rebuilt"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show the settings of a run beside its result."""
    job = stage.in_view(t, manager, "reconstruction", JOB)
    with st.expander(t.PICTURE_MEASURE, expanded=job is not None, key="measure"):
        left, right = st.columns([4, 8], gap="large")
        with left:
            _settings(t, manager, job)
        with right:
            if job is not None:
                stage.run(t, manager, job)
            else:
                terms.prose(t, t.PICTURE_MEASURE_NOTE, small=True)


def _settings(t: Words, manager: jobs.JobManager, job: Job | None) -> None:
    problem, config, source = "", None, dict[str, Any]()
    try:
        attackers = {name: t.REPORT[f"recon_{name}"] for name in RECONSTRUCTIONS}
        attacker = inputs.select(t.PICTURE_ATTACKER, "attacker", attackers, t.PICTURE_ATTACKER_HELP, "identify")
        protections = {name: report.title(name, t.REPORT) for name in PROTECTIONS}
        protection = inputs.select(
            t.PICTURE_PROTECTION, "protection", protections, t.PICTURE_PROTECTION_HELP, "ldp-sgd"
        )
        reports = inputs.numbers(
            t, t.PICTURE_COUNTS, "counts", "1, 10, 100, 1000", int, t.PICTURE_COUNTS_HELP
        )  # fmt: skip
        count = inputs.of_field(t, t.PICTURE_COUNT, ReconstructionConfig, "pictures", t.PICTURE_COUNT_HELP, 50)
        dataset = inputs.select(t.DATASET, "rebuilt_dataset", inputs.titles(t.DATASETS), t.DATASET_HELP)
        candidates = ReconstructionConfig().candidates
        if dataset == "own" and attacker == "identify":
            text = t.PICTURE_CANDIDATES_HELP
            candidates = inputs.of_field(
                t, t.PICTURE_CANDIDATES, ReconstructionConfig, "candidates", text, LEAST_IMAGES
            )
        source = sources.images_from(t, (dataset,), "rebuilt_")
        training = inputs.select(t.TRAINING, "rebuilt_training", t.TRAININGS, t.TRAINING_HELP, "none")
        config = ReconstructionConfig(
            attacker, inputs.fresh_or_given(t), dataset, training, protection,
            inputs.epsilon_value(), reports, count, candidates,
        )  # fmt: skip
        study_of(config).check_size(config)
    except (ValueError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    label = t.PICTURE_RUN if job is None else t.PICTURE_AGAIN
    begin = Start(config, **source, key=JOB) if config else None
    start.button(t, manager, begin, label, "run_rebuilt", problem=problem, width="stretch")


_ROW = plain_row(lambda t, job: str(t.REPORT[f"recon_{job.config.attacker}"]))
PAGE = StudyPage(key=JOB, title="NAV_PICTURE", shares=("epsilon",), row=_ROW)
