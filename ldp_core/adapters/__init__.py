"""Mechanisms of widely used libraries by name, so that ``check opendp-laplace`` needs no code of its own.

One file per library. Importing this package imports none of them: a library is imported when its mechanism is made.
"""

import importlib.util
import textwrap
from dataclasses import dataclass

from ldp_core import _validate
from ldp_core.errors import MechanismUnavailableError


@dataclass(frozen=True, slots=True)
class _Adapter:
    """A row of the catalogue: file and class, required module, what ``pip install`` needs, and what a check tests.

    ``clip_order`` and ``scale``, which makes a report an unbiased estimate of the clipped input, are stated by the
    adapter too.
    """

    place: str
    module: str
    install: str
    tested: str
    clip_order: str = "l2"
    scale: float = 1.0


_OPENDP = ("opendp", "opendp")
_DIFFPRIVLIB = ("diffprivlib", "diffprivlib")
_FLOWER = ("flwr", "--no-deps -r requirements-peers.txt")  # its own pins would replace what the app runs on
_OPACUS = ("opacus", "opacus")
_JAX_PRIVACY = ("jax_privacy", "jax-privacy")
_STEP = "The noise step on one clipped gradient"

_CATALOGUE = {
    "opendp-laplace": _Adapter(
        "opendp:Laplace",
        *_OPENDP,
        f"{_STEP}: OpenDP's make_laplace with the scale that OpenDP finds for two gradients 2 L sqrt(d) apart in L1.",
    ),
    "opendp-gaussian": _Adapter(
        "opendp:Gaussian",
        *_OPENDP,
        f"{_STEP}: OpenDP's make_gaussian with the scale that OpenDP finds, by zCDP, for two gradients 2 L apart.",
    ),
    "diffprivlib-laplace": _Adapter(
        "diffprivlib:Laplace",
        *_DIFFPRIVLIB,
        f"{_STEP}: diffprivlib's Laplace for every entry, told that two gradients are 2 L sqrt(d) apart in L1.",
    ),
    "diffprivlib-gaussian": _Adapter(
        "diffprivlib:Gaussian",
        *_DIFFPRIVLIB,
        f"{_STEP}: diffprivlib's Gaussian, the classic formula for epsilon up to 1, for every entry, told that two "
        "gradients are 2 L apart.",
    ),
    "diffprivlib-gaussian-analytic": _Adapter(
        "diffprivlib:GaussianAnalytic",
        *_DIFFPRIVLIB,
        f"{_STEP}: diffprivlib's GaussianAnalytic for every entry, told that two gradients are 2 L apart.",
    ),
    "flower-local-dp": _Adapter(
        "flower:LocalDp",
        *_FLOWER,
        "Flower's LocalDpMod, clipping and noise, on one update (never zero, where it fails), with sensitivity L as "
        "Flower's explanation has it, though two updates may be 2 L apart.",
    ),
    "flower-local-dp-replacement": _Adapter(
        "flower:LocalDpReplacement",
        *_FLOWER,
        "Flower's LocalDpMod, clipping and noise, on one update (never zero, where it fails), with sensitivity 2 L, "
        "the distance of two updates.",
    ),
    "opacus-gaussian": _Adapter(
        "opacus:Gaussian",
        *_OPACUS,
        f"{_STEP}: clip_and_accumulate and add_noise of Opacus's DPOptimizer, without sampling; Opacus's own epsilon "
        "is for adding or removing an example (distance L), here one gradient replaces another (2 L), and the noise "
        "multiplier is the exact one for that.",
    ),
    "opacus-gaussian-secure": _Adapter(
        "opacus:SecureGaussian",
        *_OPACUS,
        f"{_STEP}: as opacus-gaussian, with DPOptimizer's secure_mode, which is meant to guard the last bits.",
    ),
    "opacus-accountant": _Adapter(
        "opacus:AccountantGaussian",
        *_OPACUS,
        f"{_STEP}: as opacus-gaussian, with the noise multiplier of Opacus's PRV accountant for one step without "
        "sampling, doubled because one gradient replaces another.",
    ),
    "jax-privacy-gaussian": _Adapter(
        "jax_privacy:Gaussian",
        *_JAX_PRIVACY,
        f"{_STEP}: clipped_fun and gaussian_privatizer of JAX Privacy, without sampling, with the noise that "
        "dp-accounting finds for one release at the sensitivity for replacing an example, 2 L.",
    ),
}

NAMES = tuple(_CATALOGUE)
"""What ``find`` knows, in the order in which it is listed."""


def find(name: str) -> str | None:
    """Return the target ``package.module:Name`` of an adapter; None for an unknown name. Nothing is imported.

    Raises ``MechanismUnavailableError`` if its library is not installed; the message says how to install it.
    """
    adapter = _CATALOGUE.get(name)
    if adapter is None:
        return None
    spec = importlib.util.find_spec(adapter.module)
    if spec is None or spec.origin is None:  # without an origin it is only a folder of that name
        raise MechanismUnavailableError(f"{name} needs a library that is not installed: pip install {adapter.install}")
    return f"ldp_core.adapters.{adapter.place}"


def describe(name: str) -> str:
    """Return what a check of an adapter tests, in one sentence; ``ValueError`` if there is none of that name."""
    _validate.choice("adapter", name, NAMES)
    return _CATALOGUE[name].tested


def help_text(width: int = 100) -> str:
    """Return all names with what is tested, in lines of at most ``width`` characters, for a command's help."""
    lines = ["mechanisms of other libraries, by name, where the library is installed:"]
    for name in NAMES:
        indent = " " * 4
        lines += [f"  {name}", *textwrap.wrap(describe(name), width, initial_indent=indent, subsequent_indent=indent)]
    return "\n".join(lines)
