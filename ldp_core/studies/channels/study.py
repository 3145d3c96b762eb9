"""Channels on pictures: what every study states of itself."""

from ldp_core.studies.channels.result import ChannelsResult
from ldp_core.studies.reading import KeptStudy


class Channels(KeptStudy):
    """Noise on pictures as strong as a capacity allows: what it leaves, costs and leaks."""

    result = ChannelsResult
    timed = "channel"
    holds = "fit"
