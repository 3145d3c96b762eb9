"""The English of the papers for figures in print: empirical epsilon, privacy budget, distinguisher."""

from collections.abc import Mapping
from types import MappingProxyType

from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.words import figures_of_the_papers, paper_names

PAPER: dict[str, str] = ENGLISH | figures_of_the_papers() | paper_names()
"""Words of figures in the papers' English; what is not named here has the same words as ``ENGLISH``."""
WORDINGS: Mapping[str, Mapping[str, str]] = MappingProxyType({"plain": ENGLISH, "paper": PAPER})
"""Choices of the command line: name -> words."""
