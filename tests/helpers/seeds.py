"""Fixed randomness."""

from torch import Generator


def gen(seed: int = 0) -> Generator:
    return Generator().manual_seed(seed)
