"""Which cells a comparison has, in which order, and what it refuses."""

import itertools

import pytest

from ldp_core.game.sweep import CompareConfig
from ldp_core.types import AuditConfig


def grid(**changes: object) -> CompareConfig:
    return CompareConfig(**({"attacks": ("dummy",), "epsilons": (1.0,), "seed": 7} | changes))  # type: ignore[arg-type]


def names(configs: object, *fields: str) -> list[tuple[object, ...]]:
    return [tuple(getattr(config, field) for field in fields) for config in configs]  # type: ignore[attr-defined]


# Which cells there are.


def test_the_order_is_data_set_then_test_then_attack_then_epsilon() -> None:
    config = grid(
        attacks=("label-flip", "benign"), epsilons=(2.0, 0.5), tests=("black", "white"), datasets=("mnist", "digits"),
        clients=(4, 1), black_rules=("signed-loss",),
    )  # fmt: skip
    rounds = [("cosine", 1), ("signed-loss", 4), ("signed-loss", 1)]
    assert names(config.cells(), "dataset", "distinguisher", "clients", "attack", "epsilon") == [
        (dataset, rule, clients, attack, epsilon)
        for dataset, (rule, clients), attack, epsilon in itertools.product(
            ("mnist", "digits"), rounds, ("label-flip", "benign"), (2.0, 0.5)
        )
    ]
    assert config.skipped() == ()


def test_a_cell_is_the_audit_with_the_same_settings() -> None:
    config = grid(
        tests=("white", "black"), black_rules=("loss-fall",), clients=(3,), strengths=(0.5,), mechanism="overclaiming",
        training="full", num_trials=12, num_measurements=3, significance=0.01, clip_norm=2.0, radius=9.0,
        datasets=("svhn",), epsilons=(4,),
    )  # fmt: skip
    shared = {
        "attack": "dummy", "epsilon": 4.0, "seed": 7, "mechanism": "overclaiming", "training": "full",
        "num_trials": 12, "num_measurements": 3, "significance": 0.01, "clip_norm": 2.0, "dataset": "svhn",
        "strength": 0.5,
    }  # fmt: skip
    assert config.cells() == (
        AuditConfig(**shared, bound="pooled", distinguisher="cosine"),  # type: ignore[arg-type]
        AuditConfig(  # type: ignore[arg-type]
            **shared, bound="clopper_pearson", distinguisher="loss-fall", clients=3, radius=9.0
        ),
    )


def test_what_means_nothing_is_skipped_with_its_reason() -> None:
    config = grid(
        attacks=("benign", "collusion"), tests=("black",), clients=(1, 2), epsilons=(1.0, 2.0),
        black_rules=("update-inversion", "sign-sum", "loss-change"),
    )  # fmt: skip
    assert all(why for _, why in config.skipped())
    assert len(config.skipped()) == 2 * 8
    assert names(config.cells(), "attack", "distinguisher", "clients", "epsilon") == [
        (attack, rule, clients, epsilon)
        for attack, rule, clients in (
            ("benign", "update-inversion", 1),
            ("collusion", "update-inversion", 1),
            ("benign", "loss-change", 1),
            ("benign", "loss-change", 2),
        )
        for epsilon in (1.0, 2.0)
    ]


# What is refused.


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"attacks": ("dummy", "dummy")}, r"^attacks must .* none twice, got \('dummy', 'dummy'\)$"),
        ({"attacks": "dummy"}, r"^attacks must be a list"),
        ({"tests": ()}, r"^tests must be a list of at least one value"),
        ({"black_rules": ("cosine",)}, r"^black_rules must be one of paper, loss-fall, .*, got 'cosine'$"),
        ({"epsilons": (float("nan"),)}, r"^epsilon must be a number from 0\.01 to 30, got nan$"),
        ({"clients": (1, 1001)}, r"^clients must be a whole number from 1 to 1000, got 1001$"),
        ({"datasets": ("No Such",)}, r"^dataset must be a word of small letters"),
        (
            {"attacks": ("benign", "collusion"), "tests": ("black",), "black_rules": ("sign-sum",)},
            r"^a comparison must have at least one cell, got none, because no rule fits these attacks$",
        ),
    ],
)
def test_a_wrong_setting_is_refused_in_one_sentence(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        grid(**changes)
