"""Step 6: draw. Results and plain numbers become chart specifications; every chart has a text that states its finding.

Colours: blue is right, vermillion wrong, grey a coin; the promise is dashed in black, on a white line that shows on
dark pages only. An attack has one colour and one marker everywhere. Backgrounds are transparent and texts take the
page's colour. Words come in as a mapping, so that another language can bring its own.

``single`` draws one run and ``check`` one check; ``comparison``, ``details``, ``mapping``, ``overlay``, ``tradeoffs``
and ``utility`` draw many; ``story_drawn`` and ``story_promise``, which
draw plain SVG, and ``story`` and ``story_space`` explain the promise without any run.
``paper`` draws the same arrays for print; nothing here imports it, because it needs matplotlib.
"""

from ldp_core.figures._styles import COIN, RIGHT, WRONG, attack_style
from ldp_core.figures._words import ENGLISH, attack_name, dataset_name, pair_name
from ldp_core.figures._words_paper import WORDINGS
from ldp_core.figures.check import check_alt, check_figure
from ldp_core.figures.comparison import (
    attacks_alt,
    attacks_figure,
    curves_alt,
    curves_figure,
    datasets_alt,
    datasets_figure,
    shares_alt,
    shares_figure,
)
from ldp_core.figures.details import (
    clients_alt,
    clients_figure,
    norms_alt,
    norms_figure,
    published_alt,
    published_figure,
)
from ldp_core.figures.mapping import map_alt, map_figure
from ldp_core.figures.overlay import overlay_alt, overlay_figure
from ldp_core.figures.single import (
    epsilon_alt,
    epsilon_figure,
    identification_alt,
    identification_figure,
    theory_alt,
    theory_figure,
)
from ldp_core.figures.story import (
    half_circle_alt,
    in_hundreds,
    of_100,
    opens,
    share_alt,
    share_of_100,
    update_pixels,
)
from ldp_core.figures.story_drawn import game_alt, game_svg, half_circle_svg, posterior_alt, posterior_svg, share_svg
from ldp_core.figures.story_promise import promise_svg, rounds_alt, rounds_svg
from ldp_core.figures.story_space import sphere_alt, sphere_figure
from ldp_core.figures.tradeoffs import tradeoff_alt, tradeoff_figure
from ldp_core.figures.utility import utility_alt, utility_figure

__all__ = [
    "COIN",
    "ENGLISH",
    "RIGHT",
    "WORDINGS",
    "WRONG",
    "attack_name",
    "attack_style",
    "attacks_alt",
    "attacks_figure",
    "check_alt",
    "check_figure",
    "clients_alt",
    "clients_figure",
    "curves_alt",
    "curves_figure",
    "dataset_name",
    "datasets_alt",
    "datasets_figure",
    "epsilon_alt",
    "epsilon_figure",
    "game_alt",
    "game_svg",
    "half_circle_alt",
    "half_circle_svg",
    "identification_alt",
    "identification_figure",
    "in_hundreds",
    "map_alt",
    "map_figure",
    "norms_alt",
    "norms_figure",
    "of_100",
    "opens",
    "overlay_alt",
    "overlay_figure",
    "pair_name",
    "posterior_alt",
    "posterior_svg",
    "promise_svg",
    "published_alt",
    "published_figure",
    "rounds_alt",
    "rounds_svg",
    "share_alt",
    "share_of_100",
    "share_svg",
    "shares_alt",
    "shares_figure",
    "sphere_alt",
    "sphere_figure",
    "theory_alt",
    "theory_figure",
    "tradeoff_alt",
    "tradeoff_figure",
    "update_pixels",
    "utility_alt",
    "utility_figure",
]
