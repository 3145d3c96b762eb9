"""The command ``trust``: what an attacker sees of one client's report behind a shuffler or in a sum."""

from pathlib import Path

from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.statistics.views import OTHERS, VIEWS
from ldp_core.studies.trust.config import RULES, TrustConfig
from ldp_core.terminal.numbers import training_help
from ldp_core.terminal.study_command import StudyCommand
from ldp_core.types import SAMPLINGS

_EPILOG = Path(__file__).with_name("help.txt").read_text(encoding="utf-8")
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
