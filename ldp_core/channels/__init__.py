"""Channels of the information-theoretic defence: noise on the picture, before the gradient.

Their setting is a capacity C in nats, of Gaussian data with the pictures' covariance; they promise no epsilon. The
covariance must come from public pictures: noise that is fitted to a client's own pictures leaks it.
"""

from ldp_core.channels.goals import check_goal, goal_of, goal_text, kept_by
from ldp_core.channels.importance import (
    EYES,
    check_map,
    importance_levels,
    importance_weights,
    is_even,
    is_map,
    read_map,
    squares_of,
)
from ldp_core.channels.pictures import Channel, Fit, Fitted, Natural, Personalized, White

__all__ = [
    "CHANNELS",
    "EYES",
    "Channel",
    "Fit",
    "Fitted",
    "check_goal",
    "check_map",
    "goal_of",
    "goal_text",
    "importance_levels",
    "importance_weights",
    "is_even",
    "is_map",
    "kept_by",
    "read_map",
    "squares_of",
]

_ALL: tuple[Channel, ...] = (Natural(), White(), Personalized())
CHANNELS: dict[str, Channel] = {channel.name: channel for channel in _ALL}
"""Name -> channel."""
