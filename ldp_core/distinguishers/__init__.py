"""Step 3: distinguishers guess which gradient a report came from."""

from ldp_core.distinguishers.white_box import CosineSimilarity, Selective

DISTINGUISHERS: dict[str, type[CosineSimilarity] | type[Selective]] = {
    CosineSimilarity.name: CosineSimilarity,
    Selective.name: Selective,
}
