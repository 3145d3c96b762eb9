"""Step 6: draw. Results and plain numbers become chart specifications; every chart has a text that states its finding.

Colours: blue is right, vermillion wrong, grey a coin; the promise is dashed in black, on a white line that shows on
dark pages only. An attack has one colour and one marker everywhere. Backgrounds are transparent and texts take the
page's colour. Words come in as a mapping, so that another language can bring its own.

``single`` describes charts of one run, ``check`` of one check; ``comparison``, ``details``,
``mapping``, ``tradeoffs`` and ``utility`` of many; ``overlay`` draws several runs; the folder ``story`` explains the
promise without any run. What is described by the words of ``described`` needs no drawing of its own, neither on screen
nor for print.
``paper`` and ``inline`` draw for print; nothing here imports them, because they need matplotlib.
"""

from ldp_core.presentation.figures._drawing import standalone_svg
from ldp_core.presentation.figures._parts import in_language, most_of_100, opens
from ldp_core.presentation.figures._styles import COIN, RIGHT, WRONG, attack_style
from ldp_core.presentation.figures._words import ENGLISH, WORDINGS, attack_name, pair_name
from ldp_core.presentation.figures.check import check_alt
from ldp_core.presentation.figures.comparison import attacks_alt
from ldp_core.presentation.figures.mapping import map_alt, map_chart
from ldp_core.presentation.figures.overlay import overlay_alt, overlay_chart
from ldp_core.presentation.figures.single import epsilon_alt, identification_alt
from ldp_core.presentation.figures.stage import stage_epsilon_svg, stage_found, stage_share_svg
from ldp_core.presentation.figures.story.drawn import game_svg, half_circle_svg, posterior_alt, posterior_svg, share_svg
from ldp_core.presentation.figures.story.promise import promise_svg, rounds_svg
from ldp_core.presentation.figures.story.shares import (
    half_circle_alt,
    limit_of_100,
    of_100,
    share_of_100,
    update_pixels,
)
from ldp_core.presentation.figures.story.space import sphere_figure
from ldp_core.presentation.figures.tradeoffs import tradeoff_alt, tradeoff_chart
