"""On which data a result rests: how many images, their digest, how far the model was trained. No torch."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ldp_core import _validate

FULL_PASSES = 20
"""Passes over the training images at level "full", and the most that level "light" may take."""
LIGHT_ACCURACY = 0.85
"""Level "light" ends after the first pass with at least this share of the held-out images right."""
DARK = 0.25
"""Own images without a pixel as bright are said to be nearly black: a model learns little from them."""
OWN = "own"
"""The data set of the client's own images, whose digest never leaves the device."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


def combined(digests: Iterable[str]) -> str:
    """Return one digest for the four of a data set, each a SHA-256 in 64 hexadecimal digits.

    They are those of the training images, the training labels, the held-out images and the held-out labels, each
    written as an IDX file (see ``datasets.digest``). For MNIST and Fashion-MNIST these are the digests of the four
    unpacked files, so ``sha256sum`` of the files in that order, ``| cut -c1-64 | sha256sum`` gives the same.
    """
    return hashlib.sha256("".join(f"{digest}\n" for digest in digests).encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class KnownImages:
    """Public images that are recognised by their digest; ``whole`` says whether they are all of that data set."""

    dataset: str
    num_training: int
    num_held_out: int
    whole: bool


KNOWN: dict[str, KnownImages] = {
    combined(
        (
            "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
            "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
            "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
            "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
        )
    ): KnownImages("mnist", 60_000, 10_000, whole=True),
    combined(
        (
            "57cc05c587eb89ce11216d3ce30bd3cc072b293cf58040c61baed47242f34fe6",
            "1598fd38e5a6b0e8c00daf6e922c7a4eb1f601fb52898e35d354126248d2e319",
            "1311050d63fd605c7d48a729a00cfe2575e7d59c24a0433871d0199f8b7dc191",
            "ed0a7c091b81c6d7541e7e48ff1d4fda174fd5f769977ad62fa0755b3764bb89",
        )
    ): KnownImages("mnist", 8_000, 2_000, whole=False),
    combined(
        (
            "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
            "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
            "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
            "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
        )
    ): KnownImages("fashion-mnist", 60_000, 10_000, whole=True),
}
"""Digest -> whose images they are.

The files' digests: MNIST's training labels, test images and test labels are of files whose packed form has the MD5 that
torchvision states; that of its training images is the one that independent public lists state beside those three. The
subset is the one that this project's tests use. Fashion-MNIST's files are those of Debian's package.
"""


@dataclass(frozen=True, slots=True)
class DataFacts:
    """What may be published of the data and the training behind a result; raises ``ValueError`` on a contradiction.

    Images held out from training are those from which pairs are made. ``digest`` is a SHA-256 over images and labels,
    64 hexadecimal digits (``datasets.digest``); None for the client's own images, which anyone with a copy could
    recognise by it. ``passes`` are those over the training images that the model took, ``num_right`` the held-out
    images that it classifies right. ``num_labels`` and ``brightest``, the brightest pixel's value in [0, 1], are of the
    client's own images and never kept.
    """

    num_training: int
    num_held_out: int
    digest: str | None
    passes: int
    num_right: int
    num_labels: int | None = field(default=None, compare=False)
    brightest: float = field(default=1.0, compare=False, repr=False)

    def __post_init__(self) -> None:
        _validate.integer("training images", self.num_training, 1, 10**9)
        _validate.integer("held-out images", self.num_held_out, 1, 10**9)
        _validate.integer("passes", self.passes, 0, FULL_PASSES)
        _validate.integer("held-out images classified right", self.num_right, 0, self.num_held_out)
        if self.digest is not None and not (isinstance(self.digest, str) and _DIGEST.fullmatch(self.digest)):
            raise ValueError(f"a digest must be 64 hexadecimal digits, got {str(self.digest)[:80]!r}")
        known = self.known
        if known and (known.num_training, known.num_held_out) != (self.num_training, self.num_held_out):
            raise ValueError(
                f"images with this digest must be {known.num_training:,} and {known.num_held_out:,}, "
                f"got {self.num_training:,} and {self.num_held_out:,}"
            )

    @property
    def accuracy(self) -> float:
        """Share of the held-out images that the trained model classifies right, in [0, 1]."""
        return self.num_right / self.num_held_out

    @property
    def known(self) -> KnownImages | None:
        """Whose images they are, if their digest is a known one."""
        return KNOWN.get(self.digest) if self.digest else None

    def check(self, dataset: str, training: str) -> None:
        """Raise ``ValueError`` if they contradict the data set or the level of training that a result names."""
        if (self.digest is None) != (dataset == OWN):
            raise ValueError(f"images of {dataset} must have {'no' if dataset == OWN else 'a'} digest")
        if self.known and not any(known.dataset == dataset for known in KNOWN.values()):
            raise ValueError(f"images of {dataset} must not have the digest of {self.known_as}, got {self.digest}")
        fewest = {"none": 0, "light": 1, "full": FULL_PASSES}[training]
        most = 0 if training == "none" else FULL_PASSES
        _validate.integer(f"passes of training {training}", self.passes, fewest, most)
        if training == "light" and self.passes < FULL_PASSES and self.accuracy < LIGHT_ACCURACY:
            raise ValueError(
                f"training light must end at {LIGHT_ACCURACY} or after {FULL_PASSES} passes, "
                f"got {self.accuracy:.4f} after {self.passes}"
            )

    def to_dict(self) -> dict[str, object]:
        """Return plain values; "known_as" and "accuracy" follow from the others, so they are not believed."""
        return {
            "training_images": self.num_training,
            "held_out_images": self.num_held_out,
            "sha256": self.digest,
            "known_as": self.known_as,
            "passes": self.passes,
            "held_out_right": self.num_right,
            "accuracy": self.accuracy,
        }

    @classmethod
    def from_dict(cls, values: object) -> DataFacts:
        """Read what ``to_dict`` wrote; raise ``ValueError`` or ``KeyError`` for anything else."""
        if not isinstance(values, dict):
            raise ValueError(f"data must be an object, got {str(values)[:40]!r}")
        names = ("training_images", "held_out_images", "sha256", "passes", "held_out_right")
        return cls(*(values[name] for name in names))

    @property
    def known_as(self) -> str | None:
        """Name whose images they are, as in "mnist" or "subset of mnist"; None if their digest is not known."""
        known = self.known
        if known is None:
            return None
        return known.dataset if known.whole else f"subset of {known.dataset}"

    def doubtful(self, dataset: str) -> bool:
        """Say whether a data set whose images are known by their digest lends its name to images that are not."""
        return self.known is None and any(known.dataset == dataset for known in KNOWN.values())

    def sentence(self, dataset: str, training: str) -> str:
        """Describe the data and the training in one line for a terminal."""
        known = self.known
        if known is None:
            whose = f", not known to be those of {dataset}" if self.doubtful(dataset) else ""
        else:
            whose = f", all of {known.dataset}" if known.whole else f", a subset of {known.dataset}"
        digest = f", SHA-256 {self.digest}" if self.digest else ", no digest of own images"
        if self.num_labels is not None:
            digest = f", {self.num_labels:,} labels{digest}"
        if self.brightest < DARK:
            digest += (
                f", nearly black (the brightest pixel is {self.brightest:.2g} of the range, as where 16 bits hold 12): "
                "bring them to 8 bits"
            )
        return (
            f"Images of {dataset}: {self.num_training:,} for training, {self.num_held_out:,} held out{whose}{digest}; "
            f"training {training}: {self.passes} pass(es), {100 * self.accuracy:.2f} % of the held-out images right"
        )


def read(values: object, dataset: str, training: str) -> DataFacts | None:
    """Read what ``DataFacts.to_dict`` wrote; None, of data that are not known, stays None.

    Raises:
        ValueError, KeyError, TypeError: if they are no such facts or contradict what the result names.
    """
    if values is None:
        return None
    facts = DataFacts.from_dict(values)
    facts.check(dataset, training)
    return facts
