"""The document of a reconstruction."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ldp_core import record
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.figures import ENGLISH, inline, paper
from ldp_core.presentation.report import count, exact
from ldp_core.studies.reconstruction import told
from ldp_core.studies.reconstruction.chart import reconstruction_alt, reconstruction_chart
from ldp_core.studies.reconstruction.result import Interval, ReconstructionResult


def save(result: ReconstructionResult, folder: Path, words: Mapping[str, str] = ENGLISH) -> list[Path]:
    """Save the chart of a result, if it has one, and return the files."""
    lines = told.curves(result)
    if lines is None:
        return []
    return paper.save_chart(partial(reconstruction_chart, lines), folder, "reconstruction", words=words)


def parts(result: ReconstructionResult, context: Context) -> list[str]:
    """Return the sections that follow the finding."""
    config, words = result.config, context.words
    run = words["run_reconstruction"].format(
        attacker=words[f"recon_{config.attacker}"],
        protection=told.protection(config, words),
        dataset=context.dataset(config.dataset),
        pictures=context.several("recon_pictures", result.results[0].pictures),
    )
    stopped = "" if result.completed else words["stopped_study"]
    lines = told.curves(result)
    drawn = []
    if lines is not None:
        alt = reconstruction_alt(lines, context.chart_words)
        chart = inline.chart("reconstruction", partial(reconstruction_chart, lines), alt, context.chart_words)
        drawn.append(page.figure(words["chart_reconstruction"], chart.svg, words["note_reconstruction"]))
    rows = [
        (words["recon_a_attacker"], words[f"recon_{config.attacker}"]),
        (words["recon_a_protection"], told.protection(config, words)),
        (words["a_epsilon"], exact(config.epsilon)),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["recon_a_batch"], count(config.batch)),
        (words["recon_a_local_steps"], count(config.local_steps)),
        (words["recon_a_training"], words[f"training_{config.training}"]),
        (words["a_pictures"], count(config.pictures)),
        (words["a_candidates"], count(config.candidates)),
        (words["a_public"], count(config.public)),
        (words["recon_a_blind"], f"{100 * result.blind:.1f}"),
    ]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["charts"], page.charts(drawn)),
        _numbers(result, context),
        context.limits("limits_reconstruction"),
        context.assumed(rows, result),
        context.repeat(record.command(config), (config.dataset,)),
    ]  # fmt: skip


def _numbers(result: ReconstructionResult, context: Context) -> str:
    words = context.words
    head = [
        *(words[name] for name in ("recon_reports_head", "recon_mse", "recon_ssim", "recon_top1", "recon_label")),
        *(words[name] for name in ("recon_named_head", "recon_limit")),
    ]
    rows = []
    for entry in result.results:
        here = result.limits_of(entry.reports)
        known = [one for one in (here.doubling, here.fano, here.general) if one is not None]
        rows.append(
            [
                count(entry.reports), _shown(entry.mse, 4), _shown(entry.ssim, 2), _shown(entry.top1, 2),
                _shown(entry.label_right, 2), _shown(entry.identified, 3),
                f"{min(known):.4f}" if known and entry.right is not None else "–",
            ]
        )  # fmt: skip
    if result.baselines["mean"] is not None:
        rows.append([words["recon_mean_picture"], f"{result.baselines['mean']:.4f}", *["–"] * 5])
    return context.table_section("numbers", words["recon_numbers"], head, rows)


def _shown(interval: Interval | None, digits: int) -> str:
    if interval is None:
        return "–"
    if interval.lower is None or interval.upper is None:
        return f"{interval.point:.{digits}f}"
    return f"{interval.point:.{digits}f} ({interval.lower:.{digits}f}–{interval.upper:.{digits}f})"
