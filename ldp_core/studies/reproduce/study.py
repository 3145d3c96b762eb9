"""The papers beside this tool: what every study states of itself."""

from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.reproduce.result import ReproduceResult


class Reproduce(KeptStudy):
    """Every figure, table, formula and claim of the papers, beside what is found here."""

    result = ReproduceResult
    holds = "items"
    formats = ("svg", "pdf")
