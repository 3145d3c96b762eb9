"""Channels of the information-theoretic defence: noise on the picture, before the gradient.

Their setting is a capacity C in nats, of Gaussian data with the pictures' covariance; they promise no epsilon. The
covariance must come from public pictures: noise that is fitted to a client's own pictures leaks it.
"""

from ldp_core.channels.pictures import Channel, Fitted, Natural, Personalized, White, square_importance

__all__ = ["CHANNELS", "Channel", "Fitted", "square_importance"]

_ALL: tuple[Channel, ...] = (Natural(), White(), Personalized())
CHANNELS: dict[str, Channel] = {channel.name: channel for channel in _ALL}
"""Name -> channel."""
