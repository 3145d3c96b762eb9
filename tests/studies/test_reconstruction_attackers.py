"""What each attacker reaches, on the built-in digits and, where they are there, on real MNIST pictures."""

import gc
import itertools
import math
import weakref
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.stats import chi2, fisher_exact
from torch import Tensor
from torch.func import functional_call
from torch.nn.functional import cross_entropy

from ldp_core import record
from ldp_core.cache import Cache
from ldp_core.channels import CHANNELS
from ldp_core.datasets import load_dataset
from ldp_core.game.setup import Prepared, ended, prepare
from ldp_core.learning.gradients import clipped, gradients_of, updates_of
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS, LdpSgd
from ldp_core.presentation.documents.context import WORDS
from ldp_core.randomness.streams import stream_generator
from ldp_core.reconstructions import RECONSTRUCTIONS, Knowledge, Rebuilt
from ldp_core.reconstructions import inversion as inverting
from ldp_core.reconstructions._parts import LOCAL_STEPS, mse, seen_by, ssim
from ldp_core.reconstructions.identify import by_reports
from ldp_core.reconstructions.inversion import VARIATION, Inversion, by_biases, labels_of, loss_and_slope
from ldp_core.reconstructions.linear import Linear
from ldp_core.reconstructions.peel import Peel
from ldp_core.statistics import information
from ldp_core.studies import STUDIES
from ldp_core.studies.channels.result import ChannelsConfig
from ldp_core.studies.channels.run import channels, covariance_of, fitted, levels_of
from ldp_core.studies.reconstruction import chart, demo, report
from ldp_core.studies.reconstruction.demo import RebuildDemo
from ldp_core.studies.reconstruction.quality import Quality
from ldp_core.studies.reconstruction.result import (
    PROTECTIONS,
    ReconstructionConfig,
    ReconstructionResult,
    ReportsResult,
    measured,
    nearest_measured,
)
from ldp_core.studies.reconstruction.run import reconstruct
from ldp_core.studies.reconstruction.sender import Sender, know
from tests.helpers.binomial import LEVEL, accepts, at_most
from tests.helpers.marks import encoded
from tests.helpers.words import report_of, teller
from tests.learning.test_datasets_torchvision import some_photographs, write_cifar10


def known(dataset: str, training: str, data_dir: Path | None = None, public: int = 2_000) -> tuple[Prepared, Knowledge]:
    ready = ended(prepare(lambda *_: None, dataset, training, Cache(), data_dir=data_dir))
    config = ReconstructionConfig(attacker="peel", dataset=dataset, training=training, protection="clip", public=public)
    knowledge, _ = know(config, ready.data, ready.model)
    return ready, knowledge


def peeled(ready: Prepared, knowledge: Knowledge, pictures: int, factor: float) -> tuple[Tensor, Tensor, Tensor]:
    """Return labels that are right, the errors of the scales, and decibels inside what the network sees."""
    images, labels = ready.data.images[:pictures], ready.data.labels[:pictures]
    updates = gradients_of(ready.model, images, labels)
    lengths = updates.norm(dim=1)
    bound = float(lengths.min()) * factor
    found = Peel().rebuild(knowledge, clipped(updates, bound), 0.0, 1, torch.Generator())
    part = (..., *(2 * [slice(0, round(float(seen_by(ready.model, images).sum()) ** 0.5))]))
    errors = mse(found.images[:, 0][part], images[part])
    return found.labels[:, 0] == labels, (found.scales * lengths / bound - 1.0).abs(), -10.0 * errors.log10()


@pytest.fixture(scope="module")
def digits() -> tuple[Prepared, Knowledge]:
    return known("digits", "none", public=1_000)


def test_peel_reads_label_length_and_picture_from_a_shortened_update(digits: tuple[Prepared, Knowledge]) -> None:
    right, scales, decibels = peeled(*digits, 2, 0.01)
    assert right.all()
    assert scales.max() < 1e-3
    assert decibels.median() >= 25.0


def test_peel_finds_nothing_in_noise(digits: tuple[Prepared, Knowledge]) -> None:
    """A liar: with other numbers than those sent, the same measure says so."""
    ready, knowledge = digits
    images, labels = ready.data.images[:1], ready.data.labels[:1]
    updates = gradients_of(ready.model, images, labels)
    noise = torch.empty_like(updates).normal_(generator=torch.Generator().manual_seed(0))
    found = Peel().rebuild(knowledge, updates + 0.3 * noise * updates.std(), 0.0, 1, torch.Generator())
    assert (-10.0 * mse(found.images[:, 0], images).log10()).median() < 15.0


def test_what_is_kept_of_public_pictures_goes_with_them(digits: tuple[Prepared, Knowledge]) -> None:
    """Fits are kept by what they were made of: one that holds it would stay for ever."""
    held = replace(digits[1])
    update, gone = held.gradients[:1], weakref.ref(held)
    for name in ("linear", "peel"):
        RECONSTRUCTIONS[name].rebuild(held, update, 0.0, 1, torch.Generator())
    labels_of(held, update, 0.0, 1)
    del held
    gc.collect()
    assert gone() is None


def test_inversion_explains_an_update_and_leaves_what_is_not_seen_in_one_shade(
    digits: tuple[Prepared, Knowledge],
) -> None:
    ready, knowledge = digits
    images, labels = ready.data.images[:1], ready.data.labels[:1]
    update = gradients_of(ready.model, images, labels)
    found = Inversion(40, 2).rebuild(knowledge, update, 0.0, 1, torch.Generator().manual_seed(1))
    assert int(found.labels) == int(labels)
    blind = found.images[0, 0][..., ~seen_by(ready.model, images)]
    assert (blind == blind[..., :1]).all()
    start = torch.rand(1, 1, 28, 28, generator=torch.Generator().manual_seed(1))
    losses = [
        float(loss_and_slope(ready.model, one, labels, update[0], 1)[0])
        for one in (found.images[0], start, 1.0 - images)
    ]
    assert losses[0] < 0.5 * min(losses[1:])


@pytest.mark.few(1)
@pytest.mark.parametrize("batch", [1, 4])
def test_labels_are_read_from_noise_as_well_as_the_linear_attacker_reads_them(batch: int) -> None:
    """After training, the biases alone say next to nothing; what was sent without noise says it exactly."""
    (ready, _), games = known("digits", "light"), 200 // batch
    config = ReconstructionConfig("inversion", protection="gaussian", noise=0.2, public=1_000, batch=batch)
    knowledge, sender = know(config, ready.data, ready.model)
    chosen = torch.randint(len(ready.data.labels), (games, batch), generator=torch.Generator().manual_seed(1))
    images, truth = ready.data.images[chosen], ready.data.labels[chosen].sort(dim=1).values
    clean = sender.clean(
        torch.stack([sender.update(*pair) for pair in zip(images, ready.data.labels[chosen], strict=True)])
    )
    noise = sender.noise(1, clean.shape[1])
    seen = clean + noise**0.5 * torch.empty_like(clean).normal_(generator=torch.Generator().manual_seed(2))
    found, naive = labels_of(knowledge, seen, noise, batch), by_biases(seen[:, -10:], batch)
    right, blind = ((found == truth).sum().item(), (naive == truth).sum().item())
    assert right > blind
    assert fisher_exact([[right, 200 - right], [blind, 200 - blind]]).pvalue < LEVEL
    exact = labels_of(knowledge, clean, noise, batch)
    assert torch.equal(exact, by_biases(clean[:, -10:], batch))
    if batch == 1:
        assert torch.equal(found, Linear().rebuild(knowledge, seen, noise, 1, torch.Generator()).labels)
        assert torch.equal(exact, truth)


def walked(model: ThreeLayerCnn, images: Tensor, labels: Tensor, steps: int, rate: float) -> Tensor:
    """Return how far a client moves in a plain loop of autograd, over rate and steps; differentiable by the images."""
    begun = {name: value.detach().double().requires_grad_() for name, value in model.named_parameters()}
    now = begun
    for _ in range(steps):
        loss = cross_entropy(functional_call(model, now, (images,)), labels)
        slopes = torch.autograd.grad(loss, list(now.values()), create_graph=True)
        now = {name: value - rate * slope for (name, value), slope in zip(now.items(), slopes, strict=True)}
    return torch.cat([(begun[name] - value).flatten() for name, value in now.items()]) / (rate * steps)


def roughness(images: Tensor) -> Tensor:
    return images.diff(dim=-2).abs().mean() + images.diff(dim=-1).abs().mean()


@pytest.mark.parametrize(("steps", "batch"), [(2, 1), (5, 3)])
def test_the_true_pictures_explain_an_update_of_several_steps_and_others_are_moved_as_a_plain_loop_says(
    digits: tuple[Prepared, Knowledge], steps: int, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In double precision: with the true pictures nothing but roughness is left; one step less leaves more."""
    ready, _ = digits
    model = ThreeLayerCnn(1, 28, 10, torch.Generator().manual_seed(1)).double()
    images, labels = ready.data.images[:batch].double(), ready.data.labels[:batch]
    update = walked(model, images, labels, steps, 0.3).detach()
    others = torch.rand(2, *images.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    monkeypatch.setattr(inverting, "_AT_ONCE", 2 * steps * batch)  # two restarts at a time, and one that is left
    attacker, together = Inversion(local_steps=steps, local_rate=0.3), torch.stack((images, *others)).flatten(0, 1)
    losses, slopes = attacker._loss_and_slope(model, together, labels, update)
    assert float(losses[0]) == pytest.approx(VARIATION * float(roughness(images)), abs=1e-12)
    short, _ = loss_and_slope(model, images, labels, update, 1, steps - 1, 0.3)
    assert float(short[0] - losses[0]) > 1e-4
    for loss, slope, start in zip(losses[1:], slopes[batch:].split(batch), others, strict=True):
        varied = start.clone().requires_grad_()
        sent = walked(model, varied, labels, steps, 0.3)
        missed = 1.0 - torch.cosine_similarity(sent, update, dim=0) + VARIATION * roughness(varied)
        assert float(loss) == pytest.approx(float(missed.detach()), abs=1e-12)
        assert torch.allclose(slope, torch.autograd.grad(missed, [varied])[0], rtol=1e-9, atol=1e-15)


def run(**settings: object) -> ReconstructionResult:
    data_dir = settings.pop("data_dir", None)
    config = ReconstructionConfig(**settings)  # type: ignore[arg-type]
    return [progress.result for progress in reconstruct(config, data_dir=data_dir)][-1]  # type: ignore[arg-type]


def test_the_linear_attacker_is_never_worse_than_the_mean_picture() -> None:
    result = run(attacker="linear", dataset="digits", reports=(1, 10_000), public=1_000, pictures=60, seed=1)
    mean, class_mean = result.baselines["mean"], result.baselines["class_mean"]
    one, many = (entry.mse.point for entry in result.results if entry.mse)
    assert one <= 1.02 * mean
    assert many < class_mean


@pytest.mark.parametrize("noise", [None, 0.5])
def test_gaussian_noise_is_the_shelf_s_mechanism_unless_a_multiplier_is_given(noise: float | None) -> None:
    """Its strength, as a server with the formula finds it, and its name in the result."""
    config = ReconstructionConfig(protection="gaussian", epsilon=4.0, clip_norm=0.5, noise=noise)
    deviation = MECHANISMS["gaussian"](4.0, 0.5).noise_deviation if noise is None else noise * 0.5  # type: ignore[attr-defined]
    model = ThreeLayerCnn(1, 28, 10, torch.Generator().manual_seed(1))
    sender = Sender(config, model, torch.zeros(2, 1, 28, 28))
    assert sender.noise(4, 10_650) == pytest.approx(deviation**2 / 4)
    seen = sender.observe(torch.zeros(10_650), torch.zeros(0), torch.zeros(0), (1, 4), 3, 0)
    for sent, wanted in zip(seen, (deviation, deviation / 2), strict=True):
        total = float((sent.double() / wanted).square().sum())
        assert min(chi2.cdf(total, 10_650), chi2.sf(total, 10_650)) > LEVEL / 2
    assert ("ε = 4" in report.protection(config, teller())) is (noise is None)
    assert ("z = 0.5" in report.protection(config, teller())) is (noise is not None)


def test_a_map_of_importance_says_which_pixels_get_more_noise_and_the_report_names_its_size_alone() -> None:
    """In pixels whose squares are white the noise is 50 times as strong; a run without a map has no row."""
    drawn, model = "90/00", ThreeLayerCnn(1, 28, 10, torch.Generator().manual_seed(1))
    public = torch.rand(40, 1, 28, 28, generator=torch.Generator().manual_seed(2))
    config = ReconstructionConfig("linear", protection="personalized", importance_map=drawn)
    channel = Sender(config, model, public).channel
    variance = (channel.factor**2).reshape(28, 28)
    assert variance[:14, :14] == pytest.approx(50.0 * variance[20, 20])
    assert np.ptp(variance[14:]) == np.ptp(variance[:14, 14:]) == 0.0
    for protection, given in (("personalized", drawn), ("ldp-sgd", drawn), ("ldp-sgd", None)):
        found = run(attacker="linear", protection=protection, importance_map=given, **FEW)
        assumed = dict(teller().assumed(report_of(found), "reconstruction", found, ("digits",)))
        rows = ["a picture of 2 × 2 pixels"] if given else []
        assert [value for name, value in assumed.items() if name == "Important pixels"] == rows
        assert drawn not in assumed.values()
        assert (f"--importance-map {drawn}" in record.command(found.config)) is (given is not None)
        (table,) = report_of(found).sections[1].parts
        assert {len(row) for row in table.rows} == {len(table.head)}
        assert (WORDS["recon_important"] in table.head) is (given is not None)
        assert (found.results[0].important_mse is None) is (given is None)
        assert record.from_json(record.to_json(found), ReconstructionResult) == found


def test_an_error_counts_as_much_as_its_pixel_is_important(digits: tuple[Prepared, Knowledge]) -> None:
    """Wrong by 1 on the left half and by 2 on the right, of which a third is important: (9 * 1 + 3 * 4) / 12."""
    ready, _ = digits
    config = ReconstructionConfig("identify", reports=(1,), pictures=1, importance_map="93/00")
    quality = Quality(config, ready.data, ready.model)
    errors = torch.ones(1, 1, 28, 28)
    errors[..., 14:] = 2.0
    quality.of_candidate(0, torch.cat((torch.zeros(1, 1, 28, 28), errors)), torch.zeros(2), 1, 0)
    assert quality.values["important_mse"][0] == pytest.approx([(9 * 1 + 3 * 4) / 12])
    assert quality.values["mse"][0] == pytest.approx([2.5])


FEW: dict[str, Any] = {
    "pictures": 1, "public": 100, "candidates": 20, "steps": 2, "restarts": 1, "reports": (1, 2), "seed": 1,
}  # fmt: skip


@pytest.mark.few(2)
@pytest.mark.parametrize("attacker", RECONSTRUCTIONS)
def test_an_attacker_takes_every_protection_or_says_in_one_sentence_why_not(attacker: str) -> None:
    taken = {"half-space": LDP_SGD_FAMILY, "peel": ("none", "clip")}.get(attacker, PROTECTIONS)
    training = "light" if attacker == "model-inversion" else "none"
    known = {"candidates": "all pictures that it could be", "public": "public pictures", "model": "the model"}
    for protection in PROTECTIONS:
        if protection not in taken:
            with pytest.raises(ValueError, match=r"^(protection must be one of|peel takes a plain or clipped)[^\n]+$"):
                run(attacker=attacker, protection=protection, **FEW)
            continue
        found = run(attacker=attacker, protection=protection, training=training, **FEW)
        assert found.completed
        assert all(entry.label_right is not None for entry in found.results)
        said = " ".join(report_of(found).sentences)
        assert "local steps" not in said
        for one in RECONSTRUCTIONS[attacker].knows:
            assert one == LOCAL_STEPS or known[one] in said


@pytest.mark.few(2)
@pytest.mark.parametrize("attacker", ["inversion", "linear", "half-space", "identify", "peel"])
def test_updates_of_several_steps_are_attacked(attacker: str) -> None:
    protection = "none" if attacker == "peel" else "ldp-sgd"
    found = run(attacker=attacker, protection=protection, local_steps=3, **FEW)
    assert found.completed
    said = "how many local steps the client takes and at which learning rate" in " ".join(report_of(found).sentences)
    assert said is (attacker != "peel")


def test_updates_of_many_pictures_are_those_of_each_and_a_linear_attacker_fits_to_them() -> None:
    """Against the plain loop over steps; a fit to single gradients misses more than twice as much here."""
    data = load_dataset("digits")
    model = ThreeLayerCnn(1, 28, 10, torch.Generator().manual_seed(1))
    sender = Sender(ReconstructionConfig("linear", local_steps=4, local_rate=0.3), model, data.train_images)
    images, labels = data.train_images[:3], data.train_labels[:3]
    alone = torch.stack([sender.update(images[[one]], labels[[one]]) for one in range(3)])
    together = updates_of(model, images, labels, 4, 0.3)
    assert torch.allclose(together, alone, atol=1e-6)
    assert not torch.allclose(together, gradients_of(model, images, labels), atol=1e-4)
    settings = {"attacker": "linear", "protection": "none", "local_steps": 5, "public": 500, "pictures": 20, "seed": 3}
    found = run(**settings)
    mean = found.baselines["mean"]
    assert found.results[0].mse.point < 0.5 * mean


@pytest.mark.parametrize("batch", [1, 3])
def test_a_channel_s_pictures_go_through_all_local_steps(batch: int) -> None:
    """So little noise that the update is the plain one; the gradient of one step is another."""
    model, data = ThreeLayerCnn(1, 28, 10, torch.Generator().manual_seed(1)), load_dataset("digits")
    settings = {"protection": "natural", "capacity": 1e4, "batch": batch, "local_steps": 4, "local_rate": 0.5}
    sender = Sender(ReconstructionConfig("inversion", **settings), model, data.train_images)
    images, labels = data.images[:batch], data.labels[:batch]
    plain = sender.update(images, labels)
    seen = sender.observe(plain, images, labels, (1, 3), 1, 0)
    assert torch.allclose(seen, plain, atol=1e-4)
    assert not torch.allclose(seen, gradients_of(model, images, labels).mean(dim=0), atol=1e-2)


def test_text_says_of_which_area_each_number_is(digits: tuple[Prepared, Knowledge]) -> None:
    """Wrong by 1 where the network sees nothing, right elsewhere: the whole picture errs, and the part is the same."""
    ready, _ = digits
    config = ReconstructionConfig("linear", reports=(1,), pictures=1)
    quality = Quality(config, ready.data, ready.model)
    image, label = ready.data.images[:1], ready.data.labels[:1]
    blind = (~quality.seen).float()
    found = Rebuilt((image + blind).unsqueeze(0), label.unsqueeze(0))
    quality.of_batch(0, found, 0, image, label, torch.tensor([0]))
    empty = ReconstructionResult(
        config, (ReportsResult(1, 0),), dict.fromkeys(("mean", "class_mean")), 0, 0.0, False, 0.0, {"torch": "2"}
    )
    result = quality.result(empty, 1, 1)
    (one,) = result.results
    assert one.mse.point == pytest.approx(float(blind.mean()))
    assert one.ssim.point == pytest.approx(1.0)
    assert one.top1.point == 1.0
    assert WORDS["recon_numbers"] in STUDIES["reconstruction"].text(result)


def test_similarity_is_that_of_a_plain_loop_over_windows() -> None:
    """Wang et al. 2004, Eq. 13, window by window; a shifted picture is less similar."""
    one, other = torch.rand(2, 1, 2, 14, 13, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    line = [math.exp(-((place - 5) ** 2) / 4.5) for place in range(11)]
    weights = torch.tensor([[a * b for b in line] for a in line], dtype=torch.float64)
    weights /= weights.sum()
    found = []
    for layer, row, column in itertools.product(range(2), range(4), range(3)):
        x, y = (image[0, layer, row : row + 11, column : column + 11] for image in (one, other))
        mean_x, mean_y = float((weights * x).sum()), float((weights * y).sum())
        var_x, var_y = float((weights * (x - mean_x) ** 2).sum()), float((weights * (y - mean_y) ** 2).sum())
        both = float((weights * (x - mean_x) * (y - mean_y)).sum())
        found.append(
            (2 * mean_x * mean_y + 1e-4) * (2 * both + 9e-4)
            / ((mean_x**2 + mean_y**2 + 1e-4) * (var_x + var_y + 9e-4))
        )  # fmt: skip
    assert float(ssim(one, other)[0]) == pytest.approx(sum(found) / len(found), abs=1e-12)
    assert float(ssim(one, one)[0]) == pytest.approx(1.0, abs=1e-12)


def test_a_batch_is_taken_apart_or_refused_in_one_sentence() -> None:
    found = run(attacker="inversion", protection="none", batch=64, **FEW)
    assert found.completed
    for attacker in ("linear", "half-space", "identify", "peel"):
        with pytest.raises(ValueError, match=rf"^batch must be 1 for {attacker}, which rebuilds one picture, got 2$"):
            ReconstructionConfig(attacker, batch=2)


@pytest.mark.few(2)
@pytest.mark.parametrize("attacker", ["identify", "linear", "half-space", "inversion", "model-inversion"])
def test_photographs_in_colour_are_attacked(attacker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_cifar10(tmp_path, some_photographs(), monkeypatch)
    settings = {"dataset": "cifar10", "data_dir": tmp_path} | FEW
    training = "light" if attacker == "model-inversion" else "none"
    assert run(attacker=attacker, training=training, **settings).completed
    with pytest.raises(ValueError, match=r"^peel takes pictures of 28 x 28 pixels: [^\n]+$"):
        run(attacker="peel", protection="none", **settings)


def test_natural_noise_on_mnist(data_dir: Path) -> None:
    covariance = covariance_of(load_dataset("mnist", data_dir).train_images)
    fit = CHANNELS["natural"].fit(covariance, 100.0)
    assert fit.sigma == pytest.approx(0.273, abs=0.002)
    eigenvalues = information.eigenvalues_of(covariance)
    assert abs(information.capacity(eigenvalues, fit.sigma**2) - 100.0) < 1e-6


def named(span: tuple[Tensor, Tensor], dimension: int, reports: int, games: int, seed: int, peek: float = 0.0) -> int:
    """Return in how many games the victim is named; ``peek`` of them by a liar who was told."""
    right = 0
    for game in range(games):
        generator = stream_generator(seed, game, 0, 7)
        victim = int(torch.randint(len(span[1]), (1,), generator=generator))
        guesses, _, _ = by_reports(LdpSgd(1.0, 1.0), span, victim, dimension, (reports,), generator)
        told = float(torch.rand(1, generator=generator)) < peek
        right += told or guesses[0] == victim
    return right


def orthogonal(candidates: int) -> tuple[Tensor, Tensor]:
    """Return candidates with nothing in common, the easiest to tell apart."""
    return torch.eye(candidates, dtype=torch.float64), torch.full((candidates,), 2.0, dtype=torch.float64)


def test_identification_keeps_the_limit_and_a_liar_does_not() -> None:
    limit = information.doubling_limit(1.0, 3, 50)
    assert at_most(named(orthogonal(50), 400, 3, 500, 1), 500, limit)
    assert not at_most(named(orthogonal(50), 400, 3, 500, 1, peek=0.3), 500, limit)


def test_two_opposite_candidates_reach_the_limit() -> None:
    """With two updates on one line the limit is met exactly: an attacker who loses anything is found."""
    units = torch.tensor([[1.0], [-1.0]], dtype=torch.float64)
    span = units, torch.full((2,), 2.0, dtype=torch.float64)
    share = information.doubling_limit(1.0, 1, 2)
    assert accepts(named(span, 400, 1, 800, 1), 800, share)
    assert not accepts(named(span, 400, 1, 800, 1, peek=0.6), 800, share)


@pytest.fixture(scope="module")
def scene() -> RebuildDemo:
    return RebuildDemo.of("digits", "none", Cache())


def test_what_was_measured_in_advance_holds_the_limit_and_repeats_itself() -> None:
    found = measured()
    assert sorted(found) == [0.5, 1.0, 4.0, 8.0]
    for epsilon, result in found.items():
        assert result.completed
        assert result.above_limit == ()
        assert f"--epsilon {epsilon:g}" in record.command(result.config) or epsilon == 1.0
        assert chart.curves(result) is not None


def test_a_liar_above_the_limit_is_found() -> None:
    result = measured()[0.5]
    first = replace(result.results[0], right=6)
    liar = replace(result, results=(first, *result.results[1:]))
    assert liar.above_limit == (1,)
    assert replace(liar, config=replace(liar.config, significance=1e-6)).above_limit == ()
    assert "--confidence 0.999999" in record.command(replace(liar.config, significance=1e-6))


def test_the_headline_s_attacker_is_the_one_of_the_chart() -> None:
    """The fewest reports from which 95 of 100 pictures are named, where so many are."""
    for epsilon, result in measured().items():
        reports, share = report.needed(result)
        named = {entry.reports: entry.right / entry.pictures for entry in result.results if entry.right is not None}
        assert named[reports] == share
        enough = [count for count, found in named.items() if found >= 0.95]
        assert reports == min(enough, default=max(named))
        assert nearest_measured(epsilon + 0.01)[0] == epsilon


def test_the_game_keeps_its_limit_and_many_reports_show_the_picture(scene: RebuildDemo) -> None:
    rounds = [scene.play(1.0, 1, seed) for seed in range(40)]
    assert at_most(sum(one.right for one in rounds), 40, 0.00146)
    many = sum(scene.play(8.0, 1_000, seed).right for seed in range(10))
    assert many >= 7
    assert not at_most(many, 10, 0.00146), "who sees many reports would be above the limit of one"


def test_an_own_picture_of_one_shade_is_read_and_one_without_update_gets_one_sentence(
    scene: RebuildDemo, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = encoded(np.zeros((28, 28), dtype=np.uint8))
    black = scene.choose_own(picture, None, 0)
    assert black.exact.label == black.label
    assert black.exact.error < 1e-6
    assert black.exact.found
    real = demo.gradients_of
    monkeypatch.setattr(demo, "gradients_of", lambda *given: 0.0 * real(*given))
    with pytest.raises(ValueError, match="must not be zero"):
        scene.choose_own(picture, None, 0)
    with pytest.raises(ValueError, match="must not be zero"):
        scene.choose(0, 0)


@pytest.mark.parametrize(
    "name", ["natural", *(pytest.param(name, marks=pytest.mark.nightly) for name in ("white", "personalized"))]
)
def test_a_channel_s_numbers_are_those_of_the_command(scene: RebuildDemo, name: str) -> None:
    """What the page says of a channel, against the study."""
    config = ChannelsConfig(name, capacity=40.0, rounds=(1, demo.ROUNDS), pictures=2)
    image, levels = scene.choose(3, 0).image, levels_of(config, scene.data.train_images)
    shown = scene.channel(config, partial(fitted, config, scene.data), levels, image, 0)
    *_, last = channels(config)
    fit = last.result.fit
    assert (shown.expected, shown.water_filling) == pytest.approx((fit.wiener_error_per_pixel, fit.water_filling))
    assert (shown.capacity, shown.told) == pytest.approx((fit.capacity, fit.rounds[1]))
    assert (shown.sigma, shown.important) == (fit.sigma, fit.important_error)
    assert shown.water_filling < shown.expected


@pytest.mark.parametrize("name", ["natural", "white", "personalized"])
def test_the_nearest_candidate_is_the_likeliest(name: str) -> None:
    """Against the Gaussian density computed with the pseudo-inverse of the noise's covariance."""
    generator = np.random.default_rng(1)
    mixing = generator.normal(size=(6, 6))
    fit = CHANNELS[name].fit(mixing @ mixing.T, 2.0, np.array([1.0, 5.0, 1.0, 2.0, 1.0, 1.0]))
    candidates = generator.normal(size=(40, 6)) @ mixing.T
    sent = fit.add_to(candidates[:20], generator.normal(size=(20, 6)))
    precision = np.linalg.pinv(fit.noise)
    rest = sent[:, None] - candidates[None]
    squares = np.einsum("nci,ij,ncj->nc", rest, precision, rest)
    assert fit.nearest(sent, candidates).tolist() == squares.argmin(axis=1).tolist()
