"""What is advised after a test: a test that comes closer, and nothing that leads nowhere."""

from dataclasses import replace

import pytest

from ldp_core.adversaries import ADVERSARIES
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game import advice
from ldp_core.game.summary import planned_max_provable, sees_report
from ldp_core.mechanisms import MECHANISMS
from ldp_core.statistics import theory
from ldp_core.types import AuditConfig


def config(attack: str = "benign", rule: str = "cosine", epsilon: float = 1.0, **options: object) -> AuditConfig:
    return AuditConfig(
        attack=attack, epsilon=epsilon, bound=DISTINGUISHERS[rule].bound, seed=1, distinguisher=rule,
        **options,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.parametrize("attack", list(ADVERSARIES))
@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@pytest.mark.parametrize("black", [False, True])
def test_ever_stronger_tests_come_to_an_end_at_the_worst_case(attack: str, mechanism: str, black: bool) -> None:
    current = config(attack, ADVERSARIES[attack].paper_rule if black else "cosine", mechanism=mechanism, strength=0.5)
    steps = 0
    while (further := advice.stronger(current)) is not None:
        assert further != current
        assert further.bound == DISTINGUISHERS[further.distinguisher].bound
        assert not DISTINGUISHERS[further.distinguisher].objection(further.attack, further.clients)
        assert (further.epsilon, further.mechanism) == (current.epsilon, mechanism)
        current, steps = further, steps + 1
        assert steps < 5
    assert (current.attack, current.strength, current.distinguisher) == ("dummy", 1.0, "cosine")
    assert sees_report(current)
    law = theory.cosine_identification(1.0, 180.0, current.strength, current.strength, 1.0)
    assert law == pytest.approx(theory.worst_case_identification(1.0))


def test_a_longer_test_can_show_what_is_claimed() -> None:
    short = config(epsilon=8.0, num_trials=10, watch=True)
    longer = advice.longer(short)
    assert longer is not None
    assert planned_max_provable(short) < 8.0 <= planned_max_provable(longer)
    assert advice.longer(replace(short, epsilon=30.0)) is None
