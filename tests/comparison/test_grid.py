"""Which cells a comparison has, in which order, and what it refuses."""

from ldp_core.game.sweep import CompareConfig


def grid(**changes: object) -> CompareConfig:
    return CompareConfig(**({"attacks": ("dummy",), "epsilons": (1.0,), "seed": 7} | changes))  # type: ignore[arg-type]


def names(configs: object, *fields: str) -> list[tuple[object, ...]]:
    return [tuple(getattr(config, field) for field in fields) for config in configs]  # type: ignore[attr-defined]


# Which cells there are.


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
