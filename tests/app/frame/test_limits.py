"""No run is too large, none is forgotten, and each one comes in its turn."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from ldp_core import workload
from ldp_core.checking.claims import CheckConfig
from ldp_core.game.sweep import CompareConfig
from ldp_core.studies import STUDIES, study_of
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.capacity.result import CapacityConfig
from ldp_core.studies.central.result import CentralConfig
from ldp_core.studies.check import workload as check_plan
from ldp_core.studies.plane.config import PlaneConfig
from ldp_core.studies.reading import ToldStudy
from ldp_core.studies.reconstruction.result import ReconstructionConfig
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.utility.result import UtilityConfig
from ldp_core.study import Study
from ldp_core.types import AuditConfig
from pages import jobs, registry
from pages.jobs.job import Job
from pages.widgets import views
from tests.app.conftest import SMALL, OpenPage
from tests.app.frame.test_jobs import until
from tests.app.test_compare import FEW
from tests.app.test_pages import slow
from tests.helpers.patience import PATIENCE
from tests.helpers.words import LANGUAGES
from tests.helpers.words import en as t
from tests.presentation.test_takeaway import WRITERS

TEST = make_config(
    significance=0.05, watch=True, seed=1, attack="dummy", epsilon=1.0, num_trials=200, num_measurements=2,
    training="none",
)  # fmt: skip
MOST = {
    "digits": (18_348_623, 12_519),
    "cifar10": (12_484_394, 8_454),
    "own": (4_107_619, 2_752),
}
"""Data set -> the most guesses of a test, or of a comparison with one white cell, and clients of a training of 1,000
rounds at one ε: 2 × 10¹¹ by 10,650 numbers, 15,770, or for own images the most that they can have, 48,440; plus 250,
and times 1.5 × 1,000."""


def audited(dataset: str, size: int) -> AuditConfig:
    return replace(TEST, dataset=dataset, num_trials=size, num_measurements=1)


def compared(dataset: str, size: int) -> CompareConfig:
    return CompareConfig(("dummy",), (1.0,), 1, datasets=(dataset,), num_trials=size, num_measurements=1)


def trained(dataset: str, size: int) -> UtilityConfig:
    return UtilityConfig(epsilons=(1.0,), seed=1, dataset=dataset, clients=size, rounds=1_000)


SIZES: dict[str, tuple[Callable[[int], Any], int]] = {
    "audit": (partial(audited, "digits"), 18_348_623),
    "compare": (partial(compared, "digits"), 18_348_623),
    "utility": (partial(trained, "digits"), 12_519),
    "check": (
        lambda size: CheckConfig("ldp-sgd", 1.0, 1, reports=size, dimension=100),
        check_plan.MOST_VALUES // 100,
    ),
    "reconstruction": (lambda size: ReconstructionConfig("half-space", reports=(size,), pictures=20), 989_991),
    "plane": (lambda size: PlaneConfig(points=("sgd", "clip"), members=size, passes=500), 2_972),
    "capacity": (
        lambda size: CapacityConfig(parts=("inversion",), capacities=tuple(map(float, range(1, 9))), passes=size),
        82,
    ),
    "central": (lambda size: CentralConfig("static-poison", 1, games=size, threshold_games=100), 215_660),
    "trust": (lambda size: TrustConfig("gradient-flip", 1.0, 1, sampling="full", clients=10, games=size), 1_877_934),
}
"""A configuration by its size, and the largest size that a page runs."""


def hold(manager: jobs.JobManager) -> Job:
    """Keep the worker busy until its job is cancelled."""
    real = manager.run["audit"]
    manager.run["audit"] = slow
    job = manager.submit(TEST)
    until(lambda: job.state == "running")
    manager.run["audit"] = real
    return job


@pytest.mark.parametrize("kind", SIZES)
def test_the_largest_run_is_taken_and_one_more_is_refused_with_its_sentence(kind: str) -> None:
    manager = jobs.manager()
    hold(manager)
    make, most = SIZES[kind]
    assert manager.submit(make(most)).state == "queued"
    with pytest.raises(workload.TooLargeError) as refused:
        manager.submit(make(most + 1))
    assert refused.value.kind == kind
    for texts in LANGUAGES.values():
        sentence = views.problem_sentence(texts, refused.value)
        assert f"{refused.value.limit:,}" in sentence
        assert f"{refused.value.asked:,}" in sentence


@pytest.mark.parametrize("dataset", MOST)
def test_the_limit_counts_the_numbers_of_the_data_set_s_updates(dataset: str) -> None:
    guesses, clients = MOST[dataset]
    makers: dict[Callable[[str, int], Any], int] = {audited: guesses, compared: guesses, trained: clients}
    for make, most in makers.items():
        config = make(dataset, most)
        check_size = study_of(config).check_size
        check_size(config)
        with pytest.raises(workload.TooLargeError):
            check_size(make(dataset, most + 1))


def test_every_kind_has_a_limit_or_nothing_to_limit() -> None:
    sizes = [(study, type(study).check_size, getattr(type(study), "values", None)) for study in STUDIES.values()]
    none = (Study.check_size, ToldStudy.check_size), (None, ToldStudy.values)
    unlimited = {study.name for study, check, values in sizes if check in none[0] and values in none[1]}
    small = {"path", "glimpse", "detect"}  # at most 20 pairs at 21 levels, one picture, always the same sizes
    small.add("reproduce")  # shown as it was prepared; no page begins a run
    no_page_runs_it = set(STUDIES) - set(registry.pages())
    assert unlimited <= small | no_page_runs_it, "a page needs a limit, or a reason why it has none"
    assert set(STUDIES) - unlimited <= set(SIZES), "a new study: SIZES needs its largest run"


@pytest.mark.parametrize(
    ("page", "button"), [("audit", "run"), ("compare", "run_compare"), ("utility", "run_cost"), ("check", "run")]
)
def test_a_full_queue_is_one_sentence_on_every_page(open_page: OpenPage, page: str, button: str) -> None:
    manager = jobs.manager()
    hold(manager)
    for _ in range(jobs.MAX_WAITING):
        manager.submit(TEST)
    at = open_page(page, **(FEW if page == "compare" else {} if page == "check" else SMALL))
    at.button(key=button).click().run()
    assert [error.value for error in at.error] == [t.QUEUE_FULL]
    assert not at.exception
    assert str(jobs.MAX_WAITING) in t.QUEUE_FULL


def test_a_closed_tab_frees_what_waits_and_what_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.jobs.job.GRACE_SECONDS", 0.2)
    manager = jobs.manager()
    running = hold(manager)
    mine = [running, *(manager.submit(TEST) for _ in range(3))]
    other = manager.submit(TEST)
    for job in mine:
        manager.attach(job, "tab")
    manager.attach(other, "other tab")
    jobs._release("tab")
    assert other.ended.wait(PATIENCE)
    assert other.state == "done"
    assert {job.state for job in mine} == {"cancelled"}
    assert all(job.ended.is_set() for job in mine)


@pytest.mark.parametrize("dataset", ["digits", "own"])
def test_a_simulated_guess_counts_as_100_numbers_whatever_the_images(dataset: str) -> None:
    config = replace(TEST, sampling="projected", dataset=dataset, num_trials=10**9)
    study_of(config).check_size(replace(config, num_measurements=2))
    with pytest.raises(workload.TooLargeError) as refused:
        study_of(config).check_size(replace(config, num_measurements=3))
    assert (refused.value.limit, refused.value.asked) == (2 * 10**9, 3 * 10**9)
    assert "48,440" not in views.problem_sentence(t, refused.value)


def test_a_large_run_from_a_file_is_not_repeated(open_page: OpenPage) -> None:
    result = WRITERS["audit"][0]()
    job = Job("f" * 32, replace(result.config, num_trials=10**9), state="done", result=result, opened=True)
    job.ended.set()
    jobs.manager()._jobs[job.id] = job
    at = open_page("compare", **FEW)
    at.session_state["runs"] = [job.id]
    at.run()
    at.button(key="same_seed").click().run()
    (error,) = at.error
    assert error.value.startswith(t.TOO_LARGE["audit"].partition("{")[0])
    assert at.session_state["runs"] == [job.id]
