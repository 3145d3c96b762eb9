"""The plain arrays behind every chart and table of a comparison: the result first, the picture second.

Both drawing libraries, the pages and the command line read these; nothing here draws.
"""

from ldp_core.presentation.tables._cells import (
    Row,
    View,
    attacks_at,
    attacks_of,
    chosen,
    curves_of,
    datasets_at,
    identification_table,
    row,
)
from ldp_core.presentation.tables._pairs import (
    NormEffect,
    PairPoint,
    full_length,
    norm_effect,
    pair_points,
    piled,
    place,
    predicted,
    reach,
    worst,
)
from ldp_core.presentation.tables._published import (
    REASONS,
    SIGNIFICANCE,
    ClientsRow,
    PublishedRow,
    clients_table,
    images_of,
    published_heading,
    published_table,
)
from ldp_core.presentation.tables._text import clients_text, identification_text, published_text
from ldp_core.presentation.tables._tradeoff import Tradeoff, allowed_region, tradeoff, tradeoffs
