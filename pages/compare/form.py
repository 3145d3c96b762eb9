"""The settings of a comparison, and the button that starts it."""

from typing import Any

import streamlit as st

from ldp_core import workload
from ldp_core.adversaries import ADVERSARIES, ATTACKS, has_strength, has_wrong_label
from ldp_core.distinguishers import DISTINGUISHERS, LINEAR
from ldp_core.game.sweep import PAPER, TESTS, CompareConfig
from ldp_core.mechanisms import LDP_SGD_FAMILY
from ldp_core.studies import study_of
from ldp_core.types import USUAL_STEP, AuditConfig, server_step
from ldp_core.words import Words
from pages import jobs, registry
from pages.compare import words as compare_words
from pages.frame import wording
from pages.jobs.job import Job
from pages.state.current_run import Start
from pages.state.settings import Setting
from pages.widgets import inputs, sources, stage, views

COMPARISON = "comparison"
_TRUST = "trust"
BLACK = (PAPER, *(name for name, rule in DISTINGUISHERS.items() if rule.view == "black"))


def show(t: Words, manager: jobs.JobManager, job: Job | None) -> CompareConfig | None:
    """Show the bar: the settings most often changed, all others over the page, and the button; return what is set."""
    bar = stage.bar(t, (3, 3.4, 2))
    begin, problem = _choose(t, bar)
    line, config = "", begin.config if begin is not None else None
    if config is not None:
        line, problem = _plan(t, manager, config)
    stage.action(t, manager, job, begin, t.CMP_RUN, "run_compare", bar, problem, line)
    return config


def _choose(t: Words, bar: stage.Bar) -> tuple[Start | None, str]:
    """Return the run that is set, None where that cannot be run, and why."""
    problems: list[str] = []
    with bar.controls[0]:
        text = inputs.epsilon_help(t.CMP_EPSILONS_HELP)
        values: dict[str, Any] = {
            "epsilons": _listed(t, problems, t.CMP_EPSILONS, "epsilons", "0.5, 1, 2, 4", float, text)
        }
    with bar.controls[1]:
        values["datasets"] = _datasets(t)
    with bar.controls[2]:
        values["num_trials"] = inputs.of_field(
            t, t.TRIALS, AuditConfig, "num_trials", t.CMP_TRIALS_HELP, 2_000, held_as="trials compared"
        )
    with bar.more:
        left, middle, right = st.columns([5, 4, 4], gap="large")
    with left:
        attacks = _attacks(t)
    with middle:
        values |= _what_it_sees(t, attacks, problems)
    with right:
        values["num_measurements"] = inputs.of_field(
            t, t.MEASUREMENTS, AuditConfig, "num_measurements", t.MEASUREMENTS_HELP, 3, held_as="measurements compared"
        )
        values["training"] = inputs.select(t.TRAINING, "training", t.TRAININGS, t.TRAINING_HELP, "light")
        source = sources.images_from(t, values["datasets"])
        values |= inputs.precision(t)
        if any(map(has_strength, attacks)):
            descriptions = [
                f"{t.ATTACKS[name].title}{t.COLON}{t.ATTACKS[name].strength}" for name in filter(has_strength, attacks)
            ]
            text = "\n\n".join([*descriptions, t.CMP_STRENGTHS_HELP])
            values["strengths"] = _listed(t, problems, t.CMP_STRENGTHS, "strengths", "1", float, text)
        if any(map(has_wrong_label, attacks)):
            values["wrong_label"] = inputs.select(t.WRONG_LABEL, "wrong_label", t.WRONG_LABELS, t.WRONG_LABEL_HELP)
        shared = inputs.titles({name: t.MECHANISMS[name] for name in LDP_SGD_FAMILY})
        values["mechanism"] = inputs.select(t.MECHANISM, "mechanism", shared, t.MECHANISM_HELP)
    chosen = {t.CMP_NO_ATTACK: attacks, t.CMP_NO_TEST: values["tests"], t.CMP_NO_DATA: values["datasets"]}
    problems += [text for text, names in chosen.items() if not names]
    if problems:
        return None, problems[0]
    try:
        config = CompareConfig(attacks=attacks, curves=True, watch=True, **values)
    except ValueError as error:
        return None, wording.failure(t, str(error))
    return Start(config, **source, key=COMPARISON), ""


def _attacks(t: Words) -> tuple[str, ...]:
    st.markdown(f"**{t.CMP_ATTACKS}**", help=t.CMP_ATTACKS_HELP)

    def box(name: str, tick: inputs.Tick) -> bool:
        words, rule = t.ATTACKS[name], t.FIGURES[f"by_{ADVERSARIES[name].paper_rule}"]
        ticked = tick(words.title)
        st.caption(t.CMP_CONTROL.format(crafter=words.device, server=words.server, rule=rule))
        return ticked

    with st.container(gap="xsmall", key="boxes_attacks"):
        return inputs.tick_boxes("attacks", ATTACKS, ATTACKS, box)


def _what_it_sees(t: Words, attacks: tuple[str, ...], problems: list[str]) -> dict[str, Any]:
    """Show the two tests, with the rules and, for the black box, the round."""
    values: dict[str, Any] = {}
    st.markdown(f"**{t.CMP_TESTS}**")

    def test(name: str, tick: inputs.Tick) -> bool:
        label, caption = t.CMP_TEST_NAMES[name]
        ticked = tick(label)
        st.caption(caption)
        if name == "black" and _TRUST in registry.pages():
            st.caption(t.CMP_BLACK_SUM)
            st.page_link(registry.script(_TRUST), label=t.NAV_TRUST)
        if ticked and name == "white":
            values["white_rules"] = _rules(t, "white_rules", LINEAR, ("cosine",), attacks, (1,), problems)
        if ticked and name == "black":
            clients = _listed(t, problems, t.CMP_CLIENTS, "clients", "1", int, t.CMP_CLIENTS_HELP)
            values["clients"] = clients
            values["black_rules"] = _rules(t, "black_rules", BLACK, (PAPER,), attacks, clients, problems)
            values["server_steps"] = _listed(
                t, problems, t.CMP_STEPS, "server_steps", f"{USUAL_STEP:g}", server_step, t.SERVER_STEP_HELP
            )
            values["radius"] = inputs.radius(t)
        return ticked

    values["tests"] = inputs.tick_boxes("tests", TESTS, ("white",), test)
    return values


def _rules(
    t: Words,
    key: str,
    options: tuple[str, ...],
    default: tuple[str, ...],
    attacks: tuple[str, ...],
    clients: tuple[int, ...],
    problems: list[str],
) -> tuple[str, ...]:
    """Show rules with what each must know; one that means nothing for these attacks is grey, with the reason."""

    def box(name: str, tick: inputs.Tick) -> bool:
        fits, note = compare_words.rule_note(t, name, attacks, clients)
        label = t.CMP_PAPER_RULE if name == PAPER else t.DISTINGUISHERS[name].title
        ticked = tick(label, disabled=not fits)
        st.caption(note)
        return ticked and fits

    with st.container(border=True, gap="xsmall", key=f"boxes_{key}"):
        st.markdown(f"**{t.CMP_RULES}**")
        chosen = inputs.tick_boxes(key, options, default, box)
    if not chosen:
        problems.append(t.CMP_NO_RULE)
    return chosen


def _datasets(t: Words) -> tuple[str, ...]:
    """Show the data sets; their names are in the URL."""
    names = inputs.titles(t.DATASETS)
    options = list(names)

    def show(value: list[str], **bound: Any) -> None:
        st.multiselect(
            t.CMP_DATASETS, options, value, format_func=names.__getitem__, help=t.DATASET_HELP, wrap=True, **bound
        )

    def known(text: str) -> list[str]:
        return [name for name in dict.fromkeys(text.split(",")) if name in options] or ["digits"]

    return tuple(Setting("datasets", ["digits"], known, lambda held: isinstance(held, list), ",".join).show(show))


def _listed(t: Words, problems: list[str], label: str, key: str, default: str, kind: Any, text: str) -> tuple[Any, ...]:
    try:
        return inputs.numbers(t, label, key, default, kind, text)
    except ValueError as error:
        problems.append(str(error))
        return (kind(default.split(",")[0]),)


def _plan(t: Words, manager: jobs.JobManager, config: CompareConfig) -> tuple[str, str]:
    """Return what a run does and takes, and why it cannot be begun."""
    seconds = study_of(config).seconds(config, manager.values_per_second)
    cells = wording.plural(t.CMP_PLAN_CELLS, len(config.cells()))
    line = t.CMP_PLAN.format(cells=cells, seconds=wording.duration(t, seconds))
    try:
        study_of(config).check_size(config)
    except workload.TooLargeError as error:
        return line, views.problem_sentence(t, error)
    return line, ""
