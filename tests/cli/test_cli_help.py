"""What ``--help`` says after the options is so: fields, names, options and the protocol of programs."""

import re
from typing import Any

from ldp_core.facts import DataFacts
from ldp_core.reports import to_dict
from ldp_core.studies.audit import command as _audit
from ldp_core.studies.check import command as _check
from ldp_core.studies.compare import command as _compare
from ldp_core.types import AuditConfig, AuditResult, MeasurementResult, PairGeometry, TrialCounts

EPILOGS = {"audit": _audit.COMMAND.epilog, "compare": _compare.COMMAND.epilog, "check": _check.epilog()}


def audited() -> dict[str, Any]:
    config = AuditConfig(attack="dummy", epsilon=1.0, bound="pooled", seed=7, num_trials=8, num_measurements=1)
    measured = MeasurementResult(PairGeometry(180.0, 1.0, 1.0, "pair"), TrialCounts(3, 1, 1, 3), 0.73)
    data = DataFacts(1_000, 797, "0" * 64, 3, 700)
    return to_dict(AuditResult(config, (measured,), True, 0.0, "cpu", {}, data))


def documented_fields() -> list[str]:
    lines = EPILOGS["audit"].partition("fields of --json")[2].splitlines()[1:]
    cells = [re.split(r" {2,}|(?<=infinite) ", line[2:])[0] for line in lines if re.match("  [a-z]", line)]
    return [name for cell in cells for name in cell.split(", ")]


def test_the_help_of_audit_names_every_field_that_is_written_and_no_other() -> None:
    report = audited()
    fields = documented_fields()
    assert {name.partition(".")[0].removesuffix("[]") for name in fields} == set(report)
    for whole in ("data", "summary"):
        named = {name.split(".")[1] for name in fields if name.startswith(f"{whole}.")}
        assert named == set(report[whole])
    for name in fields:
        value: Any = report
        for part in name.split("."):
            assert part.removesuffix("[]") in value, name
            value = value[part.removesuffix("[]")]
            value = value[0] if part.endswith("[]") else value
    words = set(re.findall("[a-z_]+", EPILOGS["audit"]))
    (measurement,) = report["measurements"]
    assert {*measurement["pair"], *measurement["counts"], *report["summary"]["identification"]} <= words
    assert {*report["summary"]["epsilon"], *report["summary"]["theory"]} <= words
