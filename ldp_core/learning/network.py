"""The sizes of the clients' network, without torch: ``models.ThreeLayerCnn`` builds it.

Source: Matsumoto et al. 2022, arXiv:2206.09122, Table 2; the paddings 3 and 1 are our reading.
"""

FIRST, SECOND, HIDDEN = 16, 32, 32
"""Channels of the two convolutions (kernels of 8 and 4, strides of 2, each halved by pooling), and hidden units."""


def side_after_convolutions(size: int) -> int:
    """Return height and width of what the two convolutions make of an image of this height and width.

    >>> side_after_convolutions(28), side_after_convolutions(32)
    (1, 2)
    """
    side = ((size + 2 * 3 - 8) // 2 + 1) // 2
    return ((side + 2 * 1 - 4) // 2 + 1) // 2


def update_length(channels: int, size: int, num_classes: int) -> int:
    """Return the number d of the network's parameters, the length of an update, for images 28 or 32 pixels wide.

    >>> update_length(1, 28, 10)
    10650
    """
    flat = SECOND * side_after_convolutions(size) ** 2
    convolutions = FIRST * (channels * 8 * 8 + 1) + SECOND * (FIRST * 4 * 4 + 1)
    return convolutions + HIDDEN * (flat + 1) + num_classes * (HIDDEN + 1)
