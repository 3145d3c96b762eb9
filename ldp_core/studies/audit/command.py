"""The command ``audit``: one attack at one epsilon."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from typing import Any

from ldp_core import _validate
from ldp_core._validate import limits
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import planned_max_provable, planned_trials_needed, summarize
from ldp_core.mechanisms import DEMONSTRATION, HONEST, MECHANISMS, TURNED, claimed_delta
from ldp_core.studies.audit.configuration import check_config
from ldp_core.terminal.numbers import LABEL_HELP, STEP_HELP, training_help
from ldp_core.terminal.study_command import OWN_DATA_DIR, StudyCommand
from ldp_core.types import BOUNDS, SAMPLINGS, AuditConfig, server_step
from ldp_core.words import attacks, distinguishers, numbers

_EPILOG = """\
exit codes:
  0  the claim was not rejected, which does not prove it
  1  it was rejected
  2  wrong usage, or the environment failed

Progress goes to standard error, the result to standard output. Ctrl-C ends the run and prints what was counted so far.
Wrong options and places that take no files are refused before anything is loaded. Files are written before the result
is printed, so they are complete even if nobody reads standard output (exit code 2 then; a rejection stays 1).

The same seed, settings and data give the same counts on the same kind of device with the same versions, whatever the
number of threads. The last line of the summary repeats the run. A whole number may be written 1e4.

fields of --json (schema ldp-audit/1):
  schema                         "ldp-audit/1"
  config                         every setting that the counts depend on, next to data, device and versions
  data                           the data behind the result (null in results that do not record it)
  data.training_images           number of images that the model was trained on
  data.held_out_images           number of images that pairs are made from
  data.sha256                    digest of images and labels; null for your own images
  data.known_as                  mnist, subset of mnist or fashion-mnist, recognized by that digest; else null
  data.passes                    passes of the training over the images
  data.held_out_right            held-out images that the trained model gets right
  data.accuracy                  their share
  measurements[]                 one entry for each pair
  measurements[].pair            angle_degrees, norm_first, norm_second, description
  measurements[].counts          first_as_first, first_as_second, second_as_first, second_as_second
  measurements[].expected_identification   share of right guesses by the exact law; null where none is known
  summary.counts                 of all measurements together
  summary.bound                  which bound epsilon.lower is: pooled or clopper_pearson, with _anytime if the run
                                 was stopped
  summary.bound_significance     its share of the significance
  summary.identification         share of right guesses: point, lower, upper
  summary.epsilon                empirical epsilon
  summary.epsilon.point          mean over measurements; biased upwards
  summary.epsilon.point_infinite measurements without a finite estimate
  summary.epsilon.lower          lower bound, which decides the verdict
  summary.epsilon.upper          upper end of the interval for this attack, not for the mechanism
  summary.epsilon.max_provable   what an attacker who is never wrong would show with these trials
  summary.theory                 what the claim allows: identification, epsilon, delta
  summary.expected_identification   mean over trials of the exact law of LDP-SGD for the measured angles and norms
  verdict                        claim_rejected or claim_not_rejected
  promise_identification         how often the best attacker may be right about one report, whatever was found
  promise_strength               how strong the promise is by that: strong (as at epsilon up to 0.5), fair (up to 1),
                                 weak (up to 2), very_weak (up to 4) or hardly_any
  state                          above, too_few, coin, at or below
  completed, seconds, seed, device, versions   how to read and repeat it
"""


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
    """Name mechanisms with the delta that each claims; only those that are, or are not, in ``TURNED`` where it says."""
    found = [name for name in MECHANISMS if name in names and turned in (None, name in TURNED)]
    return ", ".join(f"{name} (delta {delta:g})" if (delta := claimed_delta(name)) else name for name in found)


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
    shared=("seed", "device", "threads", "download", "json", "html", "figures"),
    helps={"data_dir": OWN_DATA_DIR},
    lines={
        "crafting": "crafting pair {done:,} of {total:,}",
        "trials": "trial {done:,} of {total:,} ({percent} %)",
    },
    cached=True,
)
