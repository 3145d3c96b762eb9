"""Who got past the detectors, what they refused, and that epsilon stays what it is."""

from ldp_core.adversaries import ATTACKS
from ldp_core.detectors import DETECTORS
from ldp_core.presentation.report import Report, Section, Table, Teller, count, exact
from ldp_core.studies.detect.chart import Tried, tried_alt, tried_chart
from ldp_core.studies.detect.result import ADAPTIVE, DetectResult

HONEST = "benign"
"""The attack whose updates are ordinary ones: what is refused of it is a false alarm."""


def report(result: DetectResult, tell: Teller) -> Report:
    """Tell what became of each attack."""
    config, tried = result.config, _tried(result, tell)
    rate = f"{100 * config.false_alarm:g}"
    dataset = tell.dataset(config.dataset)
    ran = tell("run_detect", pairs=count(config.pairs), passes=result.passes, rate=rate, dataset=dataset)
    charts = [tell.chart("detectors", tried_chart, tried_alt, tried, 100 * result.promise)] if tried else []
    left, refusals = _tables(result, tell)
    sections = [Section(tell("charts"), charts), Section(tell("detect_left"), [left])]
    sections.append(Section(tell("detect_each"), [refusals]))
    attacks = tell.listed([tell(f"detect_{attack}") for attack in config.attacks])
    assumed = [(tell("a_attacks"), attacks), (tell("detect_a_rate"), rate)]
    return Report(_sentences(result, tell), ran, sections, assumed=assumed, unused=("attacks", "false_alarm"))


def _sentences(result: DetectResult, tell: Teller) -> list[str]:
    """Return who was refused and who was not, and that epsilon stays what it is; none before an attack is done."""
    if not result.rows:
        return []
    adaptive = [row for row in result.rows if row.attack in ADAPTIVE]
    honest = [row for row in result.rows if row.attack == HONEST]
    plain = [row for row in result.rows if row.attack in ATTACKS and row.attack != HONEST]
    sentences = []
    for name, rows in (("plain", plain), ("false", honest)):
        if rows:
            pairs, passed = sum(row.pairs for row in rows), sum(row.passed for row in rows)
            sentences.append(tell(f"detect_{name}", refused=count(pairs - passed), pairs=count(pairs)))
    refused, updates = result.joint
    if updates:
        share = f"{100 * refused / updates:.0f}"
        sentences.append(tell("detect_joint", share=share, refused=count(refused), updates=count(updates)))
    if adaptive:
        pairs, passed = sum(row.pairs for row in adaptive), sum(row.passed for row in adaptive)
        sentences.append(tell("detect_adaptive", passed=count(passed), pairs=count(pairs)))
    rights = [(row, right) for row in result.rows if (right := row.right(result.config.significance)) is not None]
    if rights:
        row, right = max(rights, key=lambda pair: pair[1].point)
        point, lower, upper = (f"{share:.1f}" for share in right.of_100.values())
        values = {"right": point, "lower": lower, "upper": upper, "promise": f"{100 * result.promise:.1f}"}
        sentences.append(tell("detect_best", attack=tell(f"detect_{row.attack}"), **values))
    return [*sentences, tell("detect_hygiene", epsilon=exact(result.config.epsilon))]


def _tables(result: DetectResult, tell: Teller) -> tuple[Table, Table]:
    """Return what is left of each attack, and what each detector refused of 100."""
    level, names, left = result.config.significance, ("attack", "refused", "right", "without"), []
    for row in result.rows:
        share, right, all_ = row.share_refused(level), row.right(level), row.unguarded
        caught, kept = "–", tell("detect_nothing")
        if share is not None:
            ends = {name: f"{end:.0f}" for name, end in share.of_100.items() if name != "point"}
            caught = tell("detect_share", refused=row.pairs - row.passed, pairs=row.pairs, **ends)
        if right is not None:
            kept = tell("trust_interval", **{name: f"{end:.1f}" for name, end in right.of_100.items()})
        without = f"{100 * all_.num_right / all_.num_trials:.1f}" if all_.num_trials else "–"
        left.append([tell(f"detect_{row.attack}"), caught, kept, without])
    named = [(tell("detect_honest", passes=row.passes), row.refused) for row in result.honest]
    named += [(tell(f"detect_{row.attack}"), row.refused) for row in result.rows]
    body = []
    for name, refused in named:
        shares = {
            refusal.detector: f"{100 * refusal.refused / refusal.looked:.0f}" for refusal in refused if refusal.looked
        }
        body.append([name, *(shares.get(detector, "–") for detector in DETECTORS)])
    head = [tell("detect_head_what"), *(tell(f"detector_{name}") for name in DETECTORS)]
    return (
        Table(tell("detect_left"), [tell(f"detect_head_{name}") for name in names], left, tell("detect_left_note")),
        Table(tell("detect_each"), head, body, tell("detect_note")),
    )


def _tried(result: DetectResult, tell: Teller) -> list[Tried]:
    """Return what became of each attack of which a pair could be made."""
    level, attacks = result.config.significance, []
    for row in result.rows:
        share, right = row.share_refused(level), row.right(level)
        if share is not None:
            kind = "honest" if row.attack == HONEST else "adaptive" if row.attack in ADAPTIVE else "plain"
            name, refused = tell(f"detect_{row.attack}"), row.pairs - row.passed
            attacks.append(Tried(name, kind, row.pairs, refused, share.of_100, right.of_100 if right else None))
    return attacks
