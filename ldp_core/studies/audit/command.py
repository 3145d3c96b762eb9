"""The command ``audit``: one attack at one epsilon."""

import argparse
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from ldp_core import _validate
from ldp_core._validate import limits
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import planned_max_provable, planned_trials_needed, summarize
from ldp_core.mechanisms import DEMONSTRATION, HONEST, LDP_SGD_FAMILY, MECHANISMS, claimed_delta
from ldp_core.studies.audit.configuration import check_config
from ldp_core.terminal.numbers import LABEL_HELP, STEP_HELP, training_help
from ldp_core.terminal.study_command import StudyCommand
from ldp_core.types import BOUNDS, SAMPLINGS, AuditConfig, server_step
from ldp_core.words import attacks, distinguishers, numbers

_EPILOG = Path(__file__).with_name("help.txt").read_text(encoding="utf-8")


class _Audit(StudyCommand):
    def config_of(self, options: argparse.Namespace) -> AuditConfig:
        for option in ("trials", "measurements"):
            _validate.integer(option, getattr(options, option), *limits(AuditConfig, f"num_{option}"))
        _validate.choice("distinguisher", options.distinguisher, DISTINGUISHERS)
        options.bound = (options.bound or DISTINGUISHERS[options.distinguisher].bound).replace("-", "_")
        config: AuditConfig = super().config_of(options)
        check_config(config)
        return config

    def _warnings(self, config: AuditConfig) -> Sequence[str]:
        most = planned_max_provable(config)
        if most >= config.epsilon:
            return ()
        needed = planned_trials_needed(config)
        enough = "no practical number of trials can" if needed is None else f"{needed:,} trials a measurement could"
        return [f"these trials can show at most epsilon {most:.2f}, below the claimed {config.epsilon:g}; {enough}"]

    def _line(self, config: AuditConfig, step: Any) -> str:
        """Describe the state; counts are shown only in a watched run, whose bound allows for looking."""
        text = super()._line(config, step)
        if step.stage != "trials" or not config.watch:
            return text
        summary = summarize(step.result)
        share = summary.identification.point if summary.identification else 0.0
        return f"{text}, right {share:.4f}, epsilon at least {numbers.floored(summary.epsilon.lower, 3)}"


def _rules(view: str) -> str:
    return ", ".join(name for name, rule in DISTINGUISHERS.items() if rule.view == view)


def _explained(view: str) -> str:
    titles = {name: words.title.partition(" (")[0] for name, words in distinguishers("en").items()}
    return ", ".join(f"{name} ({titles[name]})" for name, rule in DISTINGUISHERS.items() if rule.view == view)


def _listed(names: Collection[str], *, turned: bool | None = None) -> str:
    """Name mechanisms with the delta that each claims; with ``turned`` those in ``LDP_SGD_FAMILY``, or the others."""
    mechanisms = [name for name in MECHANISMS if name in names and turned in (None, name in LDP_SGD_FAMILY)]
    return ", ".join(f"{name} (delta {delta:g})" if (delta := claimed_delta(name)) else name for name in mechanisms)


_STRENGTHS = " ".join(f"{name}: {words.strength}" for name, words in attacks("en").items() if words.strength)
COMMAND = _Audit(
    default=AuditConfig("dummy", 1.0, "pooled", 0),
    description="Test one attack at one epsilon: craft pairs of gradients, randomize, guess, count, bound.",
    epilog=_EPILOG,
    told={
        "attack": "",
        "epsilon": "claimed privacy parameter",
        "num_trials": "trials of one measurement, both gradients together",
        "num_measurements": "measurements, each with a pair of its own",
        "dataset": "",
        "training": f"how far the global model is trained: {training_help()}",
        "distinguisher": f"white box: {_explained('white')}; black box: {_rules('black')}",
        "clip_norm": "L2 bound L on a gradient",
        "significance": "of the stated lower bound",
        "bound": "pooled or clopper-pearson; without it, the distinguisher's own",
        "watch": "show counts and bound during the run, and pay for looking",
        "sampling": "projected simulates our own mechanism fast",
        "mechanism": f"{_listed(HONEST, turned=True)}, or for white boxes {_listed(HONEST, turned=False)}; or "
        f"{_listed((DEMONSTRATION,))}: a demonstration that breaks its promise",
        "strength": _STRENGTHS,
        "clients": "clients whose reports the server averages; black box only",
        "radius": "norm of the server's ball, black box only; without it, three times the model's",
        "server_step": f"{STEP_HELP}; black box only",
        "wrong_label": LABEL_HELP,
    },
    known={"attack": ATTACKS, "dataset": DATASETS, "sampling": SAMPLINGS},
    more={
        "bound": {
            "default": None,
            "metavar": "BOUND",
            "choices": [*(name.replace("_", "-") for name in BOUNDS), BOUNDS[1]],
        },
        "server_step": {"type": server_step},
    },
    shared=("seed", "device", "threads", "data_dir", "download", "json", "html", "figures"),
    lines={
        "crafting": "crafting pair {done:,} of {total:,}",
        "trials": "trial {done:,} of {total:,} ({percent} %)",
    },
    cached=True,
)
