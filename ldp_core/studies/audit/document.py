"""The report of one test."""

from ldp_core import reports
from ldp_core.adversaries import has_strength, has_wrong_label
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import AuditSummary, summarize
from ldp_core.game.sweep import test_of
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context, floor
from ldp_core.presentation.figures import inline
from ldp_core.presentation.report import count, exact
from ldp_core.types import AuditResult

_COUNTS = ("first_as_first", "first_as_second", "second_as_first", "second_as_second")


def parts(result: AuditResult, context: Context) -> list[str]:
    """Return the sections that follow the verdict."""
    config, words = result.config, context.words
    summary = summarize(result)
    run = words["run_audit"].format(
        trials=count(summary.counts.num_trials),
        pairs=context.several("pairs", len(result.measurements)),
        attack=context.attack(config.attack),
        sees=words[f"sees_{test_of(config.distinguisher)}"],
        rule=words[f"rule_{config.distinguisher}"],
        epsilon=exact(config.epsilon),
        dataset=context.dataset(config.dataset),
    )
    stopped = "" if result.completed else words["stopped"]
    return [
        page.section(words["run"], page.paragraph(run), page.paragraph(stopped)),
        page.section(words["numbers"], context.facts(_numbers(result, summary, context))),
        page.section(words["charts"], _charts(result, context)),
        page.section(words["images"], _images(context)),
        context.limits("limits_audit"),
        _counts(result, summary, context),
        _assumed(result, summary, context),
        context.repeat(reports.command(config, result.device), (config.dataset,)),
    ]


def _numbers(result: AuditResult, summary: AuditSummary, context: Context) -> list[tuple[str, str]]:
    words, share, epsilon = context.words, summary.identification, summary.epsilon
    rows, digits = [], _digits(summary)
    if share is not None:
        point, lower, upper = (context.of_hundred(value, digits) for value in (share.point, share.lower, share.upper))
        rows.append((words["right"], words["range"].format(point=point, lower=lower, upper=upper)))
    rows += [
        (words["allowed"], context.of_hundred(summary.theory_identification, digits)),
        (words["coin"], "50"),
        (words["law"], context.of_hundred(summary.expected_identification, digits)),
    ]
    if DISTINGUISHERS[result.config.distinguisher].cautious:
        missed = summary.counts.false_negative_rate
        rows += [
            (words["spoken_second"], context.of_hundred(None if missed is None else 1.0 - missed)),
            (words["spoken_first"], context.of_hundred(summary.counts.false_positive_rate)),
        ]
    return [
        *rows,
        (words["claimed"], exact(summary.theory_epsilon)),
        (words["lower"], floor(epsilon.lower)),
        (words["point"], words["no_estimate"] if epsilon.point is None else f"{epsilon.point:.3f}"),
        (words["provable"], floor(epsilon.max_provable)),
    ]


def _digits(summary: AuditSummary) -> int:
    """Return one decimal for the shares of 100, as on the page, unless rounding would hide what they tell apart."""
    share, limit = summary.identification, summary.theory_identification
    if share is None:
        return 1
    written = [round(100 * value, 1) for value in (share.lower, share.upper, limit)]
    apart = (share.lower > limit, share.upper < limit) == (written[0] > written[2], written[1] < written[2])
    return 1 if apart and written[0] < written[1] and max(written[1:]) < 100 else 2


def _by_chance(summary: AuditSummary) -> bool:
    """Return whether chance can explain how far the counted share is from the predicted one."""
    share, law = summary.identification, summary.expected_identification
    return share is not None and law is not None and law != share.point and share.lower <= law <= share.upper


def _charts(result: AuditResult, context: Context) -> str:
    words, confidence = context.words, exact(100 * (1 - result.config.significance))
    return page.charts(
        [
            page.figure(
                words[f"chart_{chart.name}"], chart.svg, words[f"note_{chart.name}"].format(confidence=confidence)
            )
            for chart in inline.audit_charts(result, context.chart_words)
        ]
    )


def _images(context: Context) -> str:
    words, blocks = context.words, []
    for number, images in enumerate(context.images, start=1):
        shown = "".join(
            page.picture(image, words["image_alt"].format(side=side, number=number))
            for side, image in zip("AB", images, strict=False)
        )
        blocks.append(page.block(f"{words['pair']} {number}", shown))
    return page.pairs(blocks)


def _counts(result: AuditResult, summary: AuditSummary, context: Context) -> str:
    words = context.words
    head = [words[name] for name in ("pair", "angle", "first_norm", "second_norm", *_COUNTS, "right", "law")]
    rows = []
    for number, item in enumerate(result.measurements, start=1):
        pair, counts = item.pair, item.counts
        if not counts.num_trials:
            continue
        place = (f"{pair.angle_degrees:.1f}°", f"{pair.norm_first:.4g}", f"{pair.norm_second:.4g}")
        told = (count(getattr(counts, name)) for name in _COUNTS)
        right = context.of_hundred(counts.num_right / counts.num_trials)
        rows.append([str(number), *place, *told, right, context.of_hundred(item.expected_identification)])
    if rows:
        told = (count(getattr(summary.counts, name)) for name in _COUNTS)
        right = context.of_hundred(summary.counts.num_right / summary.counts.num_trials)
        rows.append([words["all"], "", "", "", *told, right, context.of_hundred(summary.expected_identification)])
    return context.table_section("counts", words["law_chance"] if _by_chance(summary) else "", head, rows)


def _assumed(result: AuditResult, summary: AuditSummary, context: Context) -> str:
    config, words = result.config, context.words
    black = test_of(config.distinguisher) == "black"
    radius = words["radius_usual"] if config.radius is None else exact(config.radius)
    rows = [
        (words["a_epsilon"], exact(config.epsilon)),
        (words["a_delta"], exact(summary.theory_delta) if summary.theory_delta else words["delta_zero"]),
        (words["a_prior"], words["prior_coin"]),
        (words["a_confidence"], f"{exact(100 * (1 - config.significance))} %"),
        (words["a_bound"], words[f"bound_{config.bound}"]),
        (words["a_clip_norm"], exact(config.clip_norm)),
        (words["a_mechanism"], words[f"mechanism_{config.mechanism}"]),
        (words["a_attack"], context.attack(config.attack)),
        *([(words["a_strength"], exact(config.strength))] if has_strength(config.attack) else []),
        (words["a_sees"], words["sees_black" if black else "sees_white"]),
        (words["a_rule"], words[f"rule_{config.distinguisher}"]),
        *(
            [
                (words["a_clients"], count(config.clients)),
                (words["a_radius"], radius),
                (words["a_server_step"], context.server_step(config.server_step)),
            ]
            if black
            else []
        ),
        *(
            [(words["a_wrong_label"], words[f"wrong_label_{config.wrong_label}"])]
            if has_wrong_label(config.attack)
            else []
        ),
        (words["a_dataset"], context.dataset(config.dataset)),
        (words["a_training"], words[f"training_{config.training}"]),
        *context.basis([(config.dataset, result.data)]),
        (words["a_sampling"], words[f"sampling_{config.sampling}"]),
        (words["a_trials"], count(config.num_trials)),
        (words["a_measurements"], count(config.num_measurements)),
        (words["a_watch"], words["yes" if config.watch else "no"]),
    ]
    return context.assumed(rows, result)
