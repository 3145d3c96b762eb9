"""The command ``trust``: what an attacker sees of one client's report behind a shuffler or in a sum."""

from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.statistics.views import OTHERS, VIEWS
from ldp_core.studies.trust.config import RULES, TrustConfig
from ldp_core.terminal.numbers import training_help
from ldp_core.terminal.study_command import StudyCommand
from ldp_core.types import SAMPLINGS

_EPILOG = """\
A game: one of n clients sends one of two updates, by a fair coin; the others send theirs; the attacker sees the report,
all n reports in random order, or their sum, and guesses which update it was. Real clients lie between two ends: others
whose updates have nothing to do with the pair (uniform), and others who all send the first update (agree). n counts
honest clients: reports that the attacker wrote hide nobody.

exit codes:
  0  the bound is not above the promise, which does not prove it
  1  it is: the randomizer, or whoever shuffles, does not do what was said
  2  wrong usage, or the environment failed

fields of --json (schema ldp-trust/1):
  schema                    "ldp-trust/1"
  config                    every setting that the counts depend on, next to data, device and versions
  data                      the images and the training behind the pair, as in audit
  pair                      angle_degrees, norm_first, norm_second, description
  dimension                 length of an update
  counts                    first_as_first, first_as_second, second_as_first, second_as_second
  identification            share of right guesses: point, lower, upper
  expected_identification   share by the exact law of the rule that was played; null where none is known
  epsilon.lower             lower bound on the epsilon of what the attacker sees, at delta (pooled)
  epsilon.point             biased upwards; never read it alone; null where it is not finite
  epsilon.expected          exact epsilon at delta of this view and this pair; null where none is known
  epsilon.promise           amplified.clones; the claimed epsilon in the local view and for a local delta above 0
  amplified                 the shuffled epsilon at delta of every randomizer with local delta 0: clones (computed),
                            feldman_2021 and feldman_2023 (closed forms; the local epsilon where they do not apply)
  views[]                   every view at both ends for this pair: view, others, identification, epsilon
  rejected                  whether epsilon.lower is above epsilon.promise
  promise_identification, promise_strength   what the promise is worth by itself, as in audit --help
  completed, seconds, seed, device, versions   how to read and repeat it
"""
COMMAND = StudyCommand(
    default=TrustConfig("dummy", 4.0, 0),
    description="Guess which of two updates one client sent, from its report, a shuffled list, or a sum.",
    epilog=_EPILOG,
    told={
        "view": "what the attacker sees",
        "others": "what the other clients send",
        "clients": "clients, the tested one included",
        "sybils": "how many of them are the attacker's own, and hide nobody",
        "attack": "",
        "epsilon": "local",
        "games": "games",
        "delta": "of the shuffled promise and of the bound",
        "rule": "the likelihood, or the papers' cosine of the sum",
        "sampling": "full builds every report",
        "mechanism": "of every client",
        "dataset": "",
        "training": f"how far the global model is trained: {training_help()}",
        "strength": "of an attack that has one, as in audit",
        "clip_norm": "L2 bound L on a gradient",
        "significance": "of the stated bound and range",
    },
    known={
        "view": VIEWS, "others": OTHERS, "attack": ATTACKS, "rule": RULES, "sampling": SAMPLINGS,
        "mechanism": MECHANISMS, "dataset": DATASETS,
    },
    shared=("seed", "threads", "data_dir", "download", "json", "html", "figures"),
    helps={"device": "of full games: cpu, cuda (the first card), one card as in cuda:1, or auto"},
    lines={"crafting": "crafting the pair", "trials": "game {done:,} of {total:,}"},
    cached=True,
)  # fmt: skip
