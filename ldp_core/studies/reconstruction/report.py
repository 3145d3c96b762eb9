"""What an attacker rebuilt or named, beside what nobody exceeds."""

import math
from collections.abc import Mapping

from ldp_core.channels import CHANNELS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.presentation.channels import importance_rows
from ldp_core.presentation.documents.context import WORDS
from ldp_core.presentation.report import Report, Section, Table, Teller, count
from ldp_core.reconstructions import LOCAL_STEPS, RECONSTRUCTIONS
from ldp_core.statistics import information, theory
from ldp_core.studies.reading import Estimate
from ldp_core.studies.reconstruction.chart import curves, reconstruction_alt, reconstruction_chart
from ldp_core.studies.reconstruction.result import ReconstructionConfig, ReconstructionResult, ReportsResult

Words = Mapping[str, str]
_OPTIMIZERS = ("inversion", "model-inversion")


def report(result: ReconstructionResult, tell: Teller) -> Report:
    """Tell what was reached with each number of reports."""
    config, lines = result.config, curves(result)
    ran = tell(
        "run_reconstruction",
        attacker=tell(f"recon_{config.attacker}"),
        protection=protection(config, tell),
        dataset=tell.dataset(config.dataset),
        pictures=tell.plural("recon_pictures", result.results[0].pictures),
    )
    charts = [] if lines is None else [tell.chart("reconstruction", reconstruction_chart, reconstruction_alt, lines)]
    assumed = [
        (tell("reconstruction_a_attacker"), tell(f"recon_{config.attacker}")),
        (tell("reconstruction_a_protection"), protection(config, tell)),
        (tell("recon_a_blind"), f"{100 * result.blind:.1f}"),
        *importance_rows(config.importance_map, config.maps, tell),
    ]
    return Report(
        _sentences(result, tell),
        ran,
        [Section(tell("charts"), charts), Section(tell("numbers"), [_table(result, tell)])],
        bool(result.above_limit),
        assumed,
        _unused(config),
    )


def _unused(config: ReconstructionConfig) -> list[str]:
    """Return the settings that this attacker and this protection had no use for."""
    used = {
        "epsilon": config.protection in MECHANISMS,
        "capacity": config.protection in CHANNELS,
        "importance": config.protection in CHANNELS and CHANNELS[config.protection].paints,
        "importance_map": False,  # told in words
        "noise": config.protection == "gaussian",
        "keep": config.protection == "top-k",
        "candidates": config.attacker == "identify",
        "local_rate": config.local_steps > 1,
        "steps": config.attacker in _OPTIMIZERS,
        "restarts": config.attacker == "inversion",
        "optimizer": config.attacker == "inversion",
    }
    return ["attacker", "protection", *(name for name, is_used in used.items() if not is_used)]


def _table(result: ReconstructionResult, tell: Teller) -> Table:
    important = ["important"] if result.config.maps else []
    names = ("reports_head", "mse", *important, "ssim", "top1", "label", "named_head", "limit")
    rows = []
    for entry in result.results:
        least = result.limits_of(entry.reports).least
        rows.append(
            [
                count(entry.reports), _shown(entry.mse, 4), *(_shown(entry.important_mse, 4) for _ in important),
                _shown(entry.ssim, 2), _shown(entry.top1, 2),
                _shown(entry.label_right, 2), _shown(entry.identified, 3),
                "–" if least is None or entry.right is None else f"{least:.4f}",
            ]
        )  # fmt: skip
    if result.baselines["mean"] is not None:
        rows.append([tell("recon_mean_picture"), f"{result.baselines['mean']:.4f}", *["–"] * (len(names) - 2)])
    return Table(tell("numbers"), [tell(f"recon_{name}") for name in names], rows, tell("recon_numbers"))


def _shown(interval: Estimate | None, digits: int) -> str:
    if interval is None:
        return "–"
    if interval.lower is None or interval.upper is None:
        return f"{interval.point:.{digits}f}"
    return f"{interval.point:.{digits}f} ({interval.lower:.{digits}f}–{interval.upper:.{digits}f})"


def doubling_sentence(epsilon: float, candidates: int, words: Words = WORDS) -> str:
    """Return what one report of LDP-SGD does to a blind guess among N pictures, and how far the limit reaches.

    >>> doubling_sentence(1.0, 1000).partition(".")[0]
    'Among 1,000 pictures a blind guess is right in 0'
    """
    limit = information.doubling_limit(epsilon, 1, candidates)
    return words["recon_doubling"].format(
        candidates=f"{candidates:,}",
        blind=100.0 / candidates,
        one=100.0 * limit,
        enough=f"{reports_without_limit(epsilon, candidates):,}",
    )


def times_of_one_report(epsilon: float) -> str:
    """Return the most by which one report multiplies the chance of a blind guess, rounded up to a tenth."""
    return f"{math.ceil(20.0 * theory.worst_case_identification(epsilon) - 1e-9) / 10.0:.1f}"


def reports_without_limit(epsilon: float, candidates: int) -> int:
    """Return the smallest n with (2c)^n >= N.

    >>> reports_without_limit(1.0, 1000)
    19
    """
    return math.ceil(math.log(candidates) / math.log1p(math.tanh(epsilon / 2)))


def title(protection: str, words: Words = WORDS) -> str:
    """Return the name of a protection without its settings."""
    if protection in MECHANISMS:
        return words[f"mechanism_{protection}"]
    return words[f"channels_{protection}" if protection in CHANNELS else f"recon_title_{protection}"]


def protection(config: ReconstructionConfig, tell: Teller) -> str:
    """Return what protects the update, in words."""
    name = config.protection
    if name in MECHANISMS and (name != "gaussian" or config.noise is None):
        return tell("recon_with_mechanism", mechanism=tell(f"mechanism_{name}"), epsilon=config.epsilon)
    if name in CHANNELS:
        return tell("recon_with_channel", channel=tell(f"channels_{name}"), capacity=config.capacity)
    return tell(f"recon_with_{name}", keep=100 * config.keep, noise=config.noise)


def _sentences(result: ReconstructionResult, tell: Teller) -> list[str]:
    """Return the finding, the verdict first."""
    last, config = result.results[-1], result.config
    if not last.pictures:
        return []
    sentences: list[str] = []
    if result.above_limit:
        reports = tell.listed([_reports(count, tell) for count in result.above_limit])
        sentences.append(tell("recon_disproved", epsilon=config.epsilon, reports=reports))
    sentences.append(_finding(result, last, tell))
    if config.protection == "clip":
        sentences.append(tell("recon_clip_alone"))
    if config.limited:
        sentences.append(doubling_sentence(config.epsilon, config.candidates, tell.words))
    needed = [
        knowledge
        for knowledge in RECONSTRUCTIONS[config.attacker].knows
        if knowledge != LOCAL_STEPS or config.local_steps > 1
    ]
    sentences.append(tell("recon_knows", known=tell.listed([tell(f"recon_knows_{knowledge}") for knowledge in needed])))
    if last.reports:
        sentences.append(tell("recon_assumed"))
    sentences.append(tell("recon_better"))
    return sentences


def needed(result: ReconstructionResult) -> tuple[int, float]:
    """Return the fewest reports from which 95 of 100 pictures were named, or the most that were tried, with the share.

    ``result``: of ``identify``.
    """
    named = [(entry.reports, entry.right / entry.pictures) for entry in result.results if entry.right is not None]
    return next((pair for pair in named if pair[1] >= theory.NEARLY_SURE), named[-1])


def named_from(result: ReconstructionResult, reports: int) -> float:
    """Return the share of pictures named from so many reports, or from the largest smaller number that was tried."""
    tried = [entry for entry in result.results if entry.right is not None and entry.reports <= reports]
    return (tried[-1].right or 0) / tried[-1].pictures


def _finding(result: ReconstructionResult, last: ReportsResult, tell: Teller) -> str:
    reports, candidates = _reports(last.reports, tell), result.config.candidates
    if last.right is not None:
        times = _times(last.identified, tell)
        return tell("recon_named", reports=reports, candidates=f"{candidates:,}", times=times, blind=100 / candidates)
    error = last.mse.point if last.mse else 0.0
    if last.reports == 0:
        return tell("recon_asked", error=error)
    mean = result.baselines["mean"] or 0.0
    times = _times(last.top1, tell)
    return tell("recon_rebuilt", reports=reports, times=times, error=error, mean=mean)


def _times(interval: Estimate | None, tell: Teller) -> str:
    assert interval is not None
    if interval.lower is None or interval.upper is None:
        return tell("recon_times_one", point=100 * interval.point)
    low, high = 100 * interval.lower, 100 * interval.upper
    return tell("recon_times", point=100 * interval.point, lower=low, upper=high)


def _reports(number: int, tell: Teller) -> str:
    return tell("recon_one_report") if number == 1 else tell("recon_reports", count=f"{number:,}")
