"""The exceptions whose text is written for the person at the screen.

A wrong argument is a ``ValueError`` ("epsilon must be ..., got ..."); everything else that a
caller can cause is an ``LdpCoreError``. Pages and the command line show the sentence of these
two families; any other exception is a bug.
"""


class LdpCoreError(Exception):
    """Something outside the arguments went wrong, and the message says what to do."""


class DatasetUnavailableError(LdpCoreError):
    """A data set is missing, damaged or could not be downloaded."""


class CacheError(LdpCoreError):
    """A kept file (trained model or finished result) could not be read back."""


class DeviceUnavailableError(LdpCoreError):
    """The requested device does not exist on this machine."""


class HaltedError(LdpCoreError):
    """Whoever asked for this does not want it any more."""


class MechanismContractError(LdpCoreError):
    """A mechanism returned something that is not a batch of reports."""


class UnsupportedCombinationError(LdpCoreError):
    """The chosen parts are each right but do not work together.

    ``sentence``: what does not fit; ``reason``: "rule" (a distinguisher that means nothing against the attack or in the
    round), "simulation" (one that projected sampling does not serve), "mechanism" (a mechanism that the other parts do
    not fit), or "".
    """

    def __init__(self, sentence: str, reason: str = "") -> None:
        super().__init__(sentence)
        self.reason = reason


class StoreError(LdpCoreError):
    """The file that keeps a comparison's results cannot be used."""


class StoreDamagedError(StoreError):
    """That file is damaged: no retry will help, and it cannot be mended."""


class BackendUnavailableError(LdpCoreError):
    """The processes or the cluster that should do the work cannot be reached."""


class MechanismUnavailableError(LdpCoreError):
    """A mechanism of somebody else's cannot be started, or does not answer any more."""


class ChallengeError(LdpCoreError):
    """A challenge's key, or the responses to it, cannot be used.

    Args:
        message: what is wrong; it may quote the file.
        reason: "rows" (too few or too many, with the numbers ``got`` and ``needed``), "another" (they answer another
            challenge), of replies "shapes" (they differ), "finite" (``got`` numbers are not), "large" (``got`` numbers,
            ``most`` are judged), "unknown" (a public name is of no column) or "nothing" (all are public), or "" for
            anything else.
        values: numbers of the reason.
    """

    def __init__(self, message: str, reason: str = "", **values: int) -> None:
        super().__init__(message)
        self.reason, self.values = reason, values
