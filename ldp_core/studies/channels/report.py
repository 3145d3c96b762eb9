"""What a channel leaves, costs and leaks."""

from ldp_core.channels import CHANNELS
from ldp_core.presentation.channels import goal_sentence, importance_rows
from ldp_core.presentation.report import Numbers, Report, Section, Teller, count
from ldp_core.studies.channels.result import ChannelsResult, Fit
from ldp_core.studies.reading import Estimate


def report(result: ChannelsResult, tell: Teller) -> Report:
    """Tell how often a noisy picture was found, and what the covariance says of any channel of this capacity."""
    config, fit, interval = result.config, result.fit, result.found
    sentences, numbers = list[str](), list[tuple[str, str]]()
    if fit is not None:
        numbers = _fitted(fit, config.rounds, tell)
    if fit is not None and interval is not None:
        point, lower, upper = (100 * share for share in interval)
        left = tell("channels_left", capacity=fit.capacity, share=100 * fit.share_of_variance)
        sentences = [
            tell("channels_found", candidates=result.candidates, point=point, lower=lower, upper=upper),
            f"{left} {tell('channels_model')}",
        ]
        if config.goal:
            sentences.insert(0, goal_sentence(config.goal, fit.capacity, fit.sigma, config.rounds[-1], tell))
        if len(fit.rounds) > 1:
            values = {"rounds": config.rounds[-1], "told": fit.rounds[-1], "once": fit.capacity}
            sentences.append(tell("channels_rounds", **values))
        sentences.append(tell("channels_public"))
    numbers += [
        (tell(f"channels_{name}"), _ranged(error))
        for name, error in (("real", result.real_error), ("gaussian", result.gaussian_error))
        if error is not None and error.lower is not None
    ]
    if result.accuracy is not None:
        for name in ("plain", "fresh", "once"):
            shares = [f"{100 * share:.1f}" for share in getattr(result.accuracy, name)]
            numbers.append((tell(f"channels_{name}"), tell.listed(shares)))
    channel, dataset = tell(f"channels_{config.channel}"), tell.dataset(config.dataset)
    return Report(
        sentences,
        tell("run_channels", channel=channel, dataset=dataset, capacity=fit.capacity if fit else config.capacity),
        [Section(tell("numbers"), [Numbers(numbers)])],
        assumed=[
            (tell("a_candidates"), count(result.candidates)),
            *importance_rows(config.importance_map, config.maps, tell),
        ],
        unused=(
            *("candidates", "importance_map", "capacity" if config.goal else "goal"),
            *(() if CHANNELS[config.channel].paints else ("importance",)),
        ),
    )


def _fitted(fit: Fit, rounds: tuple[int, ...], tell: Teller) -> list[tuple[str, str]]:
    """Return what follows from the covariance alone."""
    numbers = [
        (tell("channels_sigma"), "–" if fit.sigma is None else f"{fit.sigma:.6g}"),
        (tell("channels_rank"), f"{count(fit.rank)} / {count(fit.dimension)}"),
        (tell("channels_wiener"), f"{fit.wiener_error_per_pixel:.6f}"),
        *([] if fit.important_error is None else [(tell("channels_important"), f"{fit.important_error:.6f}")]),
        (tell("channels_water"), f"{fit.water_filling:.6f}"),
        (tell("channels_floor", components=fit.floor_components), f"{fit.gaussian_floor:.6f}"),
    ]
    if fit.diagonal_capacity is not None:
        numbers.append((tell("channels_diagonal"), f"{fit.diagonal_capacity:.2f}"))
    capacities = zip(rounds, fit.rounds, strict=True)
    return numbers + [(tell("channels_after", rounds=number), f"{capacity:.2f}") for number, capacity in capacities]


def _ranged(error: Estimate) -> str:
    return f"{error.point:.6f} ({error.lower:.6f}–{error.upper:.6f})"
