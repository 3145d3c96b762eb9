"""What replies of an app show, and an app of Flower's older interface in a process of its own."""

from pathlib import Path

import numpy as np
import pytest

from ldp_core.checking.apps.judge import Rule, bare_columns, gaussian_lower, repeats_p
from ldp_core.cli import main

TOML = """\
[tool.flwr.app.components]
serverapp = "small_app:server"
clientapp = "small_app:client"
"""
APP = """\
import numpy as np
from flwr.client import NumPyClient
from flwr.clientapp import ClientApp
from flwr.common import ndarrays_to_parameters
from flwr.server import ServerAppComponents, ServerConfig
from flwr.server.strategy import FedAvg
from flwr.serverapp import ServerApp
START
class Client(NumPyClient):
    def __init__(self, partition): self.partition = partition
    def fit(self, parameters, config):
        return [parameters[0] + self.partition * WEIGHT + np.random.normal(size=3)], 5, METRICS
def server_fn(context):
    first = ndarrays_to_parameters([np.zeros(3)])
    return ServerAppComponents(strategy=FedAvg(initial_parameters=first), config=ServerConfig(num_rounds=1))
server = ServerApp(server_fn=server_fn)
client = ClientApp(lambda context: Client(context.node_config["partition-id"]).to_client())
"""


def test_columns_repeats_and_a_sum_tell_liars_and_no_honest_one() -> None:
    random = np.random.default_rng(3)
    first, second = random.normal(size=(2, 50, 4))
    assert bare_columns(first, second) == ()
    first[:, 2], second[:, 2] = 1.0, 2.0
    assert bare_columns(first, second) == (2,)
    assert repeats_p([random.normal(size=(50, 4)) for _ in range(3)], 0) > 1e-4
    same = random.normal(size=(50, 4))
    assert repeats_p([same, same, same], 0) < 1e-6
    for apart, told in ((0.0, False), (1.0, True)):
        learned, judged = random.normal(size=(2, 2, 2_000, 4)) + apart * np.array([1, 0]).reshape(1, 2, 1, 1)
        rule = Rule.of(*learned, lambda counts: gaussian_lower(counts, 1e-9))
        assert (gaussian_lower(rule.counts(*judged), 1e-9) > 0.5) is told


@pytest.mark.parametrize(
    ("start", "weight", "metrics", "code"),
    [
        ("", 0.0, "{}", 0),
        ("", 0.0, "{'loss': float(self.partition)}", 1),
        ("np.random.seed(42)", 0.0, "{}", 1),
        ("", 3.0, "{}", 1),
        ("raise KeyError", 0.0, "{}", 2),
    ],
)
def test_an_app_is_checked_where_it_stands(tmp_path: Path, start: str, weight: float, metrics: str, code: int) -> None:
    pytest.importorskip("flwr")
    (tmp_path / "pyproject.toml").write_text(TOML)
    app = APP.replace("START", start).replace("WEIGHT", str(weight)).replace("METRICS", metrics)
    (tmp_path / "small_app.py").write_text(app)
    assert main(["check-flower", str(tmp_path), "--epsilon", "1", "--replies", "1000"]) == code


def test_a_word_that_is_nearly_always_true_is_no_evidence_against_a_large_claim(tmp_path: Path) -> None:
    """Randomized response with ε = 8 errs once in 2,981 replies: fifty alike are what such a claim allows."""
    pytest.importorskip("flwr")
    (tmp_path / "pyproject.toml").write_text(TOML)
    coin = "{'yes': float(self.partition if np.random.rand() < .9997 else 1 - self.partition)}"
    app = APP.replace("START", "").replace("WEIGHT", "0.0").replace("METRICS", coin)
    (tmp_path / "small_app.py").write_text(app)
    assert main(["check-flower", str(tmp_path), "--epsilon", "8.2", "--replies", "1000"]) == 0
    assert main(["check-flower", str(tmp_path), "--epsilon", "1", "--replies", "1000"]) == 1
