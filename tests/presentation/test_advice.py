"""What is advised after a test: a test that comes closer, and nothing that leads nowhere."""

from dataclasses import replace

import pytest

from ldp_core.adversaries import ADVERSARIES
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game import advice
from ldp_core.game.summary import STATES, planned_max_provable, sees_report, summarize
from ldp_core.mechanisms import MECHANISMS
from ldp_core.statistics import theory
from ldp_core.types import AuditConfig, AuditResult, MeasurementResult, PairGeometry, TrialCounts


def config(attack: str = "benign", rule: str = "cosine", epsilon: float = 1.0, **options: object) -> AuditConfig:
    return AuditConfig(
        attack=attack, epsilon=epsilon, bound=DISTINGUISHERS[rule].bound, seed=1, distinguisher=rule,
        **options,  # type: ignore[arg-type]
    )  # fmt: skip


def result(counts: tuple[int, int, int, int], **options: object) -> AuditResult:
    given = replace(config(**options), num_trials=max(1, sum(counts)), num_measurements=1)  # type: ignore[arg-type]
    pair = PairGeometry(90.0, 1.0, 1.0, "test")
    return AuditResult(given, (MeasurementResult(pair, TrialCounts(*counts), None),), True, 1.0, "cpu", {})


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


def test_each_state_leads_somewhere_else() -> None:
    cases = {
        "above": result((4_250, 750, 750, 4_250)),
        "too_few": result((10, 0, 0, 10), epsilon=8.0),
        "coin": result((5_000, 5_000, 5_000, 5_000)),
        "at": result((3_655, 1_345, 1_345, 3_655)),
        "below": result((2_900, 2_100, 2_100, 2_900)),
    }
    assert set(cases) == set(STATES)
    found = {state: advice.actions(case) for state, case in cases.items()}
    for state, actions in found.items():
        assert summarize(cases[state]).state == state
        assert actions
        assert set(actions) <= set(advice.ACTIONS)
    assert len(set(found.values())) == len(found)
    assert advice.actions(result((0, 0, 0, 0))) == ("again",)
    assert advice.actions(result((4_250, 750, 750, 4_250), mechanism="overclaiming")) == ("honest", "vendor")
    assert "stronger" not in advice.actions(result((2_900, 2_100, 2_100, 2_900), attack="dummy"))
