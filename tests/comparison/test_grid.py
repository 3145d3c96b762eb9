"""Which cells a comparison has, in which order, and what it refuses."""

import itertools

import pytest

from ldp_core.adversaries import ADVERSARIES, ATTACKS, has_strength
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.sweep import PAPER, CompareConfig, CompareResult
from ldp_core.game.sweep import test_of as view_of
from ldp_core.types import AuditConfig, AuditResult, MeasurementResult, PairGeometry, TrialCounts


def grid(**changes: object) -> CompareConfig:
    return CompareConfig(**({"attacks": ("dummy",), "epsilons": (1.0,), "seed": 7} | changes))  # type: ignore[arg-type]


def names(configs: object, *fields: str) -> list[tuple[object, ...]]:
    return [tuple(getattr(config, field) for field in fields) for config in configs]  # type: ignore[attr-defined]


# Which cells there are.


def test_the_attacks_are_the_registered_ones_in_their_order() -> None:
    assert tuple(ADVERSARIES) == ATTACKS


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


def test_the_papers_rules_are_theirs() -> None:
    cells = grid(attacks=ATTACKS, tests=("black",)).cells()
    assert names(cells, "attack", "distinguisher") == [
        ("benign", "loss-change"),
        ("input-perturbation", "loss-fall"),
        ("label-flip", "loss-fall"),
        ("parameter-retrogression", "loss-fall"),
        ("gradient-flip", "loss-fall"),
        ("collusion", "loss-fall"),
        ("dummy", "sign-sum"),
    ]


def test_a_rule_asked_for_by_name_and_as_the_papers_is_one_cell() -> None:
    config = grid(attacks=("dummy", "benign"), tests=("black",), black_rules=(PAPER, "sign-sum", "loss-fall"))
    assert names(config.cells(), "attack", "distinguisher") == [
        ("dummy", "sign-sum"), ("benign", "loss-change"), ("dummy", "loss-fall"), ("benign", "loss-fall"),
    ]  # fmt: skip
    assert names((cell for cell, _ in config.skipped()), "attack", "distinguisher") == [("benign", "sign-sum")]


def test_no_two_cells_are_alike() -> None:
    config = grid(
        attacks=ATTACKS, tests=("white", "black"), white_rules=("cosine", "selective"), clients=(1, 2),
        black_rules=(PAPER, *(name for name, rule in DISTINGUISHERS.items() if rule.view == "black")),
        strengths=(1.0, 2.0), datasets=("digits", "mnist"), epsilons=(1.0, 2.0),
    )  # fmt: skip
    everything = [*config.cells(), *(cell for cell, _ in config.skipped())]
    assert len(set(everything)) == len(everything)


def test_what_means_nothing_is_skipped_with_its_reason() -> None:
    config = grid(
        attacks=("benign", "collusion"), tests=("black",), clients=(1, 2), epsilons=(1.0, 2.0),
        black_rules=("update-inversion", "sign-sum", "loss-change"),
    )  # fmt: skip
    found = [(cell.attack, cell.distinguisher, cell.clients, cell.epsilon, why) for cell, why in config.skipped()]
    one = "can compute one report back, not a sum of several"
    signs = "counts signs, which says something about a constant dummy gradient only"
    change = "compares the losses of two honest images, and this attack has only one"
    assert found == [
        (attack, rule, clients, epsilon, why)
        for attack, rule, clients, why in (
            ("benign", "sign-sum", 1, signs),
            ("collusion", "sign-sum", 1, signs),
            ("collusion", "loss-change", 1, change),
            ("benign", "update-inversion", 2, one),
            ("collusion", "update-inversion", 2, one),
            ("benign", "sign-sum", 2, signs),
            ("collusion", "sign-sum", 2, signs),
            ("collusion", "loss-change", 2, change),
        )
        for epsilon in (1.0, 2.0)
    ]
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


def test_only_attacks_that_have_a_strength_get_several() -> None:
    cells = grid(attacks=ATTACKS, strengths=(0.5, 2.0)).cells()
    found = {attack: [cell.strength for cell in cells if cell.attack == attack] for attack in ATTACKS}
    assert found == {attack: [0.5, 2.0] if has_strength(attack) else [1.0] for attack in ATTACKS}


def test_white_cells_have_one_client_and_no_ball() -> None:
    config = grid(tests=("white", "black"), black_rules=("loss-fall",), clients=(2, 10, 1000), radius=5.0)
    assert names(config.cells(), "distinguisher", "clients", "radius") == [
        ("cosine", 1, None), ("loss-fall", 2, 5.0), ("loss-fall", 10, 5.0), ("loss-fall", 1000, 5.0),
    ]  # fmt: skip
    assert config.skipped() == ()


def test_the_test_of_a_rule_is_its_view() -> None:
    assert {name: view_of(name) for name in DISTINGUISHERS} == {
        "cosine": "white", "selective": "white", "loss-fall": "black", "loss-change": "black", "sign-sum": "black",
        "signed-loss": "black", "update-inversion": "black", "sum-inversion": "black",
    }  # fmt: skip


# What is refused.


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"attacks": ()}, r"^attacks must be a list of at least one value and none twice, got \(\)$"),
        ({"attacks": ("dummy", "dummy")}, r"^attacks must .* none twice, got \('dummy', 'dummy'\)$"),
        ({"attacks": ("ddos",)}, r"^attacks must be one of benign, .*, got 'ddos'$"),
        ({"attacks": "dummy"}, r"^attacks must be a list"),
        ({"tests": ("grey",)}, r"^tests must be one of white, black, got 'grey'$"),
        ({"tests": ()}, r"^tests must be a list of at least one value"),
        ({"white_rules": ("sign-sum",)}, r"^white_rules must be one of cosine, selective, got 'sign-sum'$"),
        ({"white_rules": ("paper",)}, r"^white_rules must be one of cosine, selective, got 'paper'$"),
        ({"black_rules": ("cosine",)}, r"^black_rules must be one of paper, loss-fall, .*, got 'cosine'$"),
        ({"black_rules": ("paper", "paper")}, r"^black_rules must be a list"),
        ({"epsilons": ()}, r"^epsilons must be a list"),
        ({"epsilons": (1, 1.0)}, r"^epsilons must be a list of at least one value and none twice"),
        ({"epsilons": (0.0,)}, r"^epsilon must be a number from 0\.01 to 30, got 0\.0$"),
        ({"epsilons": (1.0, 31.0)}, r"^epsilon must be a number from 0\.01 to 30, got 31\.0$"),
        ({"epsilons": (float("nan"),)}, r"^epsilon must be a number from 0\.01 to 30, got nan$"),
        ({"epsilons": (float("inf"),)}, r"^epsilon must be a number from 0\.01 to 30, got inf$"),
        ({"tests": ("black",), "clients": (0,)}, r"^clients must be a whole number from 1 to 1000, got 0$"),
        ({"tests": ("black",), "clients": (1, 1001)}, r"^clients must be a whole number from 1 to 1000, got 1001$"),
        ({"tests": ("black",), "clients": (1.5,)}, r"^clients must be a whole number from 1 to 1000, got 1\.5$"),
        ({"clients": (0,)}, r"^clients must be a whole number from 1 to 1000, got 0$"),
        ({"clients": (2, 2)}, r"^clients must be a list"),
        ({"clients": ()}, r"^clients must be a list"),
        ({"strengths": (0.0,)}, r"^strength must be a number from 1e-06 to 1000, got 0\.0$"),
        ({"attacks": ("benign",), "strengths": (-1.0,)}, r"^strength must be a number from 1e-06 to 1000, got -1\.0$"),
        ({"strengths": (1.0, 1)}, r"^strengths must be a list"),
        ({"radius": -1.0}, r"^radius must be a number from 1e-06 to 1e\+09, got -1\.0$"),
        ({"datasets": ()}, r"^datasets must be a list"),
        ({"datasets": ("No Such",)}, r"^dataset must be a word of small letters"),
        ({"mechanism": "No Such"}, r"^mechanism must be a word of small letters"),
        ({"curves": 1}, r"^curves must be one of False, True, got 1$"),
        ({"training": "hard"}, r"^training must be one of none, light, full, got 'hard'$"),
        ({"seed": -1}, r"^seed must be a whole number from 0 to \d+, got -1$"),
        ({"num_trials": 0}, r"^num_trials must be a whole number from 1 to 1000000000, got 0$"),
        ({"num_measurements": 1001}, r"^num_measurements must be a whole number from 1 to 1000, got 1001$"),
        ({"significance": 0.0}, r"^significance must be a number from 1e-09 to 0\.5, got 0\.0$"),
        ({"clip_norm": 0.0}, r"^clip_norm must be a number"),
        (
            {"attacks": ("benign", "collusion"), "tests": ("black",), "black_rules": ("sign-sum",)},
            r"^a comparison must have at least one cell, got none, because no rule fits these attacks$",
        ),
    ],
)
def test_a_wrong_setting_is_refused_in_one_sentence(changes: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        grid(**changes)


# What a result gives out.


def made(**changes: object) -> CompareResult:
    config = grid(num_trials=4, num_measurements=3, **changes)
    item = MeasurementResult(PairGeometry(90.0, 1.0, 1.0, "test"), TrialCounts(1, 1, 1, 1), 0.5)
    cells = tuple(AuditResult(cell, (item, item), False, 1.0, "cpu", {}) for cell in config.cells())
    return CompareResult(config, cells, 1.0, ((0, 2),) * len(cells))


def test_measurements_come_with_their_numbers_also_with_gaps() -> None:
    result = made(epsilons=(1.0, 2.0))
    assert [(config.epsilon, number) for config, number, _ in result.measured()] == [
        (1.0, 0),
        (1.0, 2),
        (2.0, 0),
        (2.0, 2),
    ]
    plain = CompareResult(result.config, result.cells)
    assert [number for _, number, _ in plain.measured()] == [0, 1, 0, 1]
    assert not result.completed


def test_cells_are_selected_by_their_settings() -> None:
    result = made(tests=("white", "black"), attacks=("dummy", "benign"), epsilons=(1.0, 2.0))
    assert names((cell.config for cell in result.select(test="black", epsilon=2.0)), "attack", "distinguisher") == [
        ("dummy", "sign-sum"), ("benign", "loss-change"),
    ]  # fmt: skip
    assert len(result.select(attack="dummy")) == 4
    assert result.select(test="white", attack="collusion") == ()
    assert result.select() == result.cells
