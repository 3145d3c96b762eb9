"""The document of a channel."""

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context, count, exact
from ldp_core.studies.channels.result import ChannelsResult


def parts(result: ChannelsResult, context: Context) -> list[str]:
    """Return the sections that follow the finding."""
    config, fit, words = result.config, result.fit, context.words
    run = words["run_channels"].format(
        channel=words[f"channels_{config.channel}"], dataset=context.dataset(config.dataset), capacity=config.capacity
    )
    numbers = []
    if fit is not None:
        numbers = [
            [words["channels_sigma"], "–" if fit.sigma is None else f"{fit.sigma:.6g}"],
            [words["channels_rank"], f"{count(fit.rank)} / {count(fit.dimension)}"],
            [words["channels_wiener"], f"{fit.wiener_error_per_pixel:.6f}"],
            [words["channels_water"], f"{fit.water_filling:.6f}"],
            [words["channels_floor"].format(components=fit.floor_components), f"{fit.gaussian_floor:.6f}"],
        ]
        if fit.diagonal_capacity is not None:
            numbers.append([words["channels_diagonal"], f"{fit.diagonal_capacity:.2f}"])
        for rounds, told in zip(config.rounds, fit.rounds, strict=True):
            numbers.append([words["channels_after"].format(rounds=rounds), f"{told:.2f}"])
    for name, error in (("channels_real", result.real_error), ("channels_gaussian", result.gaussian_error)):
        if error is not None and error.lower is not None:
            numbers.append([words[name], f"{error.point:.6f} ({error.lower:.6f}–{error.upper:.6f})"])
    if result.accuracy is not None:
        for name, shares in (
            ("channels_plain", result.accuracy.plain),
            ("channels_fresh", result.accuracy.fresh),
            ("channels_once", result.accuracy.once),
        ):
            numbers.append([words[name], context.listed([f"{100 * share:.1f}" for share in shares])])
    rows = [
        (words["recon_a_protection"], words[f"channels_{config.channel}"]),
        (words["channels_a_capacity"], exact(config.capacity)),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["recon_a_pictures"], count(config.pictures)),
        (words["recon_a_candidates"], count(result.candidates)),
    ]
    if config.channel == "personalized":
        rows.append((words["channels_a_importance"], exact(config.importance)))
    return [
        page.section(words["run"], page.paragraph(run)),
        context.table_section("numbers", "", [words["recon_quantity"], words["recon_value"]], numbers),
        context.limits("limits_channels"),
        context.assumed(rows, result),
        context.repeat(record.command(config), (config.dataset,)),
    ]  # fmt: skip
