"""The family of mechanisms in a test of one attack: its delta, its law where one is known, and what it does not fit."""

from pathlib import Path

import pytest

from ldp_core.cache import Cache
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.game.summary import summarize
from ldp_core.game.sweep import CompareConfig
from ldp_core.mechanisms import MECHANISMS, TURNED
from ldp_core.reports import from_json, to_dict, to_json
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.studies import STUDIES
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import audit
from ldp_core.studies.compare.run import compare
from ldp_core.studies.compare.store import Store
from ldp_core.types import AuditConfig, AuditResult


def config_of(mechanism: str, **changes: object) -> AuditConfig:
    options: dict[str, object] = {"epsilon": 2.0, "training": "none", "num_trials": 1_500, "num_measurements": 1}
    return make_config(**options | {"attack": "dummy", "seed": 7, "mechanism": mechanism} | changes)  # type: ignore[arg-type]


def finished(config: AuditConfig, cache: Cache) -> AuditResult:
    *_, last = audit(config, cache, threads=1)
    return last.result


@pytest.mark.few(4)
@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("distinguisher", ["cosine", "selective"])
def test_an_audit_takes_each_mechanism_with_its_delta_and_a_law_only_where_it_holds(
    tmp_path_factory: pytest.TempPathFactory, name: str, distinguisher: str
) -> None:
    result = finished(config_of(name, distinguisher=distinguisher), Cache(tmp_path_factory.getbasetemp() / "family"))
    summary = summarize(result)
    assert result.completed
    assert (summary.expected_identification is not None) == (name in TURNED)
    assert summary.theory_delta == (1e-5 if name == "gaussian" else 0.0)
    assert summary.theory_identification == worst_case_identification(2.0, summary.theory_delta)
    assert to_dict(result)["summary"]["theory"]["delta"] == summary.theory_delta
    assert ("1e-05" in STUDIES["audit"].text(result)) == (name == "gaussian")
    assert ("not known" in STUDIES["audit"].text(result)) == (name not in TURNED)
    assert from_json(to_json(result)) == result
    assert (summary.verdict == "claim_rejected") == (name == "overclaiming")


@pytest.mark.parametrize("name", sorted(set(MECHANISMS) - set(TURNED)))
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sampling": "projected"}, "^projected sampling needs"),
        ({"distinguisher": "signed-loss"}, "^signed-loss needs"),
    ],
)
def test_what_needs_ldp_sgd_s_noise_says_so(name: str, changes: dict[str, object], words: str) -> None:
    with pytest.raises(
        UnsupportedCombinationError, match=words + f" a mechanism whose noise is LDP-SGD's .* got {name}$"
    ):
        config_of(name, **changes)


def test_a_comparison_refuses_what_cannot_share_its_noise(tmp_path: Path) -> None:
    for name in sorted(set(MECHANISMS) - set(TURNED)):
        config = CompareConfig(("dummy",), (1.0,), 0, mechanism=name)
        with pytest.raises(UnsupportedCombinationError, match=f"a comparison needs a mechanism .* got {name}$"):
            next(compare(config, Cache(tmp_path), Store(tmp_path / "x.sqlite")))
