"""The style sheet of every page: sizes, the phone, both themes, focus, and no motion where none is wanted."""

STYLE = """<style>
.stMainBlockContainer {padding: 4.2rem 2.5rem 2rem; max-width: 1280px}
.stMainBlockContainer h1 {font-size: 2rem; padding: 0 0 .4rem}
.stMainBlockContainer h2 {font-size: 1.7rem}
.st-key-story_promise h3 {font-size: 1.25rem}
[class*=st-key-follow_] {position: absolute; height: 0}
.ldp-hand > div {display: flex; justify-content: space-between; font-size: .875rem}
.ldp-hand > div:last-child {opacity: .8}
.ldp-hand input {width: 100%; accent-color: #0072B2; margin: .25rem 0; cursor: grab}
.ldp-hand output {font-weight: 650}
[data-hand-moved] .st-key-stage:has([data-state]) .ldp-charts {opacity: .45}
.ldp-arrays {display: flex; gap: 2rem; justify-content: center; text-align: center}
.ldp-arrays figure {margin: 0; flex: 1 1 0; max-width: 240px; min-width: 0}
.ldp-arrays img {width: 100%; margin: .4rem 0}
.ldp-strip {display: grid; grid-template-columns: repeat(auto-fill, minmax(8.2rem, 1fr)); gap: .8rem}
.ldp-swatch {margin: 0; font-size: .875rem}
.ldp-swatch i {display: inline-block; width: .9em; height: .9em; margin-right: .4em; background: #a95a1c}
.ldp-strip figure {margin: 0; font-size: .875rem; line-height: 1.35}
.ldp-three strong {display: block}
.ldp-three {grid-template-columns: repeat(3, minmax(0, 1fr))} .stMain .ldp-three img {max-width: 220px}
.ldp-meter {margin: .5rem 0 0; font-size: .9rem; font-weight: 600}
.ldp-meter > i {display: block; height: .6rem; border-radius: .3rem; background: rgba(128,128,128,.25);
 margin-top: .2rem}
.ldp-meter i i {display: block; height: 100%; border-radius: .3rem; background: #D55E00}
.ldp-strip img {display: block; width: 100%; max-width: 168px; image-rendering: pixelated; margin: .25rem 0}
.ldp-drawn {display: block; width: 100%; max-width: 340px; margin: 0 auto}
.ldp-hit {fill: transparent}
.ldp-tip {visibility: hidden; pointer-events: none}
.ldp-hit:hover + .ldp-tip {visibility: visible}
.ldp-legend {text-align: center; font-size: .9rem; margin-top: .5rem}
/* the only slider of the first page stays below the header */
[data-testid=stLayoutWrapper]:has(> .st-key-epsilon_bar) {position: sticky; top: 3.6rem; z-index: 90;
 background: light-dark(#ffffff, #171614); border-radius: .5rem}
.ldp-sees {display: grid; grid-template-columns: max-content 1fr; gap: .5rem .9rem}
.ldp-way {display: flex; gap: .8rem; align-items: stretch; margin-bottom: .3rem}
.ldp-way > div {flex: 1 1 0; display: grid; grid-template-columns: 3rem 1fr; gap: 0 .7rem; align-content: center;
 border: 1px solid rgba(128,128,128,.35); border-radius: .5rem; padding: .5rem .8rem;
 font-size: .9rem; line-height: 1.3}
.ldp-way img {width: 2.6rem; height: 2.6rem; grid-row: span 2} .ldp-way > i {align-self: center; font-style: normal}
.ldp-way em {grid-column: 1 / -1; font-style: normal; font-weight: 600; display: flex; gap: .4rem; align-items: center}
.ldp-way em img {width: 1.5rem; height: 1.5rem}
.ldp-need {margin: 0; font-size: .9rem}
.ldp-path {display: flex; border: 1px solid rgba(128,128,128,.35); border-radius: .5rem}
.ldp-zone {padding: .7rem .8rem; display: flex; flex-direction: column; gap: .5rem}
.ldp-zone + .ldp-zone {border-top: 2px dashed rgba(128,128,128,.8)}
.ldp-zone > div {display: flex; gap: .6rem; align-items: center; justify-content: center; margin: auto 0}
.ldp-zone figure {margin: 0; text-align: center; font-size: .875rem}
.ldp-zone img {height: 112px; image-rendering: pixelated; border-radius: 3px; display: block; max-width: 100%}
.ldp-home {flex: 1 1 0; min-width: 0}
.ldp-away {width: 340px; box-sizing: border-box}
.ldp-arrow {font-size: 1.5rem}
.ldp-random {border: 3px solid #0072B2; background: rgba(0,114,178,.16); border-radius: .4rem; padding: .4rem .5rem;
 font-weight: 600; max-width: 6.5rem; text-align: center; font-size: .9rem; line-height: 1.3}
.ldp-line {border-left: 4px dashed currentColor; display: flex; flex-direction: column; justify-content: center;
 width: 5.2rem; flex: none; padding-left: .5rem; font-weight: 600; font-size: .875rem}
[data-testid=stPopoverBody] {min-width: min(22rem, 92vw); max-width: min(58rem, 96vw)}
/* the button and the one that stops a run take turns, and for a moment are both there */
.stApp .st-key-act {height: 2.5rem !important; max-height: 2.5rem; min-width: 0}
[data-testid=stHorizontalBlock]:has(> * > .st-key-act) {flex-wrap: nowrap}
.st-key-act button p {white-space: nowrap; overflow: hidden; text-overflow: ellipsis}
.st-key-bar .st-key-papers {gap: .4rem}
.st-key-stage {min-height: 25rem; position: relative}
.ldp-old {margin: 0 0 .4rem; padding: .3rem .6rem; border-left: 4px solid #D55E00; font-size: .95rem}
[class*=st-key-pale_] :is(.stPlotlyChart, .ldp-verdict), .ldp-pale :is(.ldp-verdict, .ldp-grid, .point, .range, .law)
 {opacity: .45}
.stMain .st-key-old p {margin: 0; text-decoration-color: currentColor}
.ldp-verdict {display: flex; gap: .8rem; align-items: center; min-height: 4.4rem; position: relative}
.ldp-verdict p {margin: 0; line-height: 1.35} .ldp-verdict p b {font-size: 1.25rem; line-height: 1; margin-right: .4rem}
.ldp-verdict img {width: 2rem; height: 2rem; flex: none}
.ldp-verdict > p {flex: 1 1 20rem} .ldp-worth {flex: none; width: 10.5rem; font-size: .875rem}
.ldp-worth > div {position: relative; height: .6rem; border-radius: .3rem; margin: .25rem 0 .1rem;
 background: linear-gradient(to right, rgba(0,114,178,.55), rgba(128,128,128,.3) 45%, rgba(213,94,0,.75))}
.ldp-worth i {position: absolute; top: 0; bottom: 0; border-left: 1px solid light-dark(#fff, #171614)}
.ldp-worth b {position: absolute; top: -.25rem; bottom: -.25rem; border-left: 3px solid currentColor}
.ldp-going > div {position: absolute; left: 0; right: 0; bottom: 0; height: 4px; border-radius: 2px;
 background: rgba(128,128,128,.25); overflow: hidden}
.ldp-going > div > div {height: 100%; background: #0072B2}
.ldp-charts {display: grid; grid-template-columns: 9.5rem 1fr 1fr; gap: .6rem 1rem; margin-top: .5rem}
.ldp-charts figure {margin: 0; min-width: 0}
.ldp-charts .ldp-drawn {max-width: none; font-size: 13px; margin-top: .2rem}
.ldp-grid img {width: 100%}
.ldp-grid i {display: inline-block; width: .6rem; height: .6rem; border-radius: 50%; opacity: .6}
.ldp-grid figcaption {font-size: .875rem; line-height: 1.4; margin-top: .4rem}
.ldp-marks {letter-spacing: .12em; white-space: nowrap; font-size: 1.2rem; display: block}
.ldp-asked {display: flex; gap: 1rem; align-items: center} .ldp-asked b {display: block; font-size: 1.25rem}
.ldp-asked img {width: 84px; height: 84px; image-rendering: pixelated; border-radius: .4rem}
.st-key-story_guesses button {min-height: 3.4rem} .st-key-story_guesses button p {font-size: 1.15rem}
.ldp-said h4 {margin: 0 0 .6rem; font-size: 1.35rem; line-height: 1.35}
.ldp-rain {width: 100%; max-width: 15rem; display: block} .ldp-rain circle {animation: ldp-drop .5s ease-in both}
@keyframes ldp-drop {from {transform: translateY(-200px); opacity: 0}}
.ldp-head {display: flex; gap: .7rem; align-items: center; font-size: 1.35rem; font-weight: 650; line-height: 1.25}
.ldp-head img {width: 2rem; height: 2rem; flex: none}
.ldp-head + small {display: block; margin-top: .4rem; font-size: .875rem}
:is(.st-key-next_steps, .st-key-old) :is(a, [data-testid=stBaseButton-tertiary]) p {text-decoration: underline;
 font-size: .95rem; color: light-dark(#005a8d, #8ccbf5)}
.st-key-next_steps a {padding-left: 0; height: auto} .st-key-next_steps a * {white-space: normal; overflow: visible}
.stMain .ldp-exam {list-style: none; margin: 0; padding: 0}
.stMain .ldp-exam li {display: flex; gap: .7rem; margin: 0 0 .7rem; padding: 0; overflow-wrap: anywhere}
.ldp-exam img {width: 1.5rem; height: 1.5rem; flex: none}
.ldp-exam span {display: block}
.stMain .ldp-ticks {columns: 2; gap: .3rem 1.5rem} .stMain .ldp-ticks li {margin: 0 0 .4rem; break-inside: avoid}
.ldp-ticks strong {font-weight: 400; font-size: .95rem} .ldp-ticks img {width: 1.2rem; height: 1.2rem}
.ldp-progress p {margin: 0 0 .5rem}
.ldp-progress > div {height: .5rem; border-radius: .25rem; background: rgba(128,128,128,.25); overflow: hidden}
.ldp-progress > div > div {height: 100%; background: #0072B2}
.ldp-progress section > * {margin-top: .8rem}
.ldp-progress figure {margin: .8rem 0 0}
.ldp-progress figure img {display: block; width: 100%; max-width: 640px; background: light-dark(#fff, #171614);
 border-radius: .25rem; padding: .5rem; box-sizing: border-box}
.ldp-card {font-size: .875rem; text-align: center} .ldp-card > img {width: 5.6rem}
.ldp-card span {display: block} .ldp-card div div {position: relative; height: .5rem; border-radius: .25rem;
 background: rgba(128,128,128,.25)}
.ldp-card i {display: block; height: 100%; border-radius: .25rem; background: #0072B2}
.ldp-card div div b {position: absolute; top: -.15rem; bottom: -.15rem; border-left: 2px dashed currentColor}
.st-key-cards button {padding: .2rem .3rem; min-height: 2.8rem}
.st-key-cards button p {font-size: .875rem; line-height: 1.2}
.ldp-pairs {display: flex; flex-wrap: wrap; gap: .8rem}
.ldp-pair {border: 1px solid rgba(128,128,128,.35); border-radius: .5rem; padding: .6rem .7rem; font-size: .85rem;
 flex: 1 1 160px; max-width: 215px; box-sizing: border-box}
.ldp-pair div {display: flex; gap: .7rem; margin: .35rem 0}
.ldp-pair figure {margin: 0; width: 64px; text-align: center}
.ldp-pair img {width: 64px; height: 64px; image-rendering: pixelated; border-radius: 3px; background: #000}
[data-testid=stCaptionContainer], [data-testid=stCaptionContainer] * {color: inherit}
[data-testid=stCaptionContainer] {color: light-dark(#57544f, #bab7b1); opacity: 1}
[data-testid=stCaptionContainer] code {font-size: .8rem}
[class*=st-key-boxes_] [data-testid=stCaptionContainer] {padding-left: 1.6rem}
.st-key-go a {background: #0072B2; border-radius: .5rem; padding: .55rem .9rem}
.st-key-go a * {color: #fff !important}
.st-key-go a:hover {background: #005a8d}
:is(.st-key-run_again, [class*="st-key-go_"]) a
{border: 1px solid rgba(128,128,128,.6); border-radius: .5rem; padding: .4rem .75rem}
.stPlotlyChart .modebar, .stPlotlyChart .modebar-group {background: none !important}
.stPlotlyChart .modebar-btn path {fill: light-dark(#57544f, #bab7b1) !important}
/* its title is English */
.stPlotlyChart .modebar-btn::before, .stPlotlyChart .modebar-btn::after {display: none !important}
.stPlotlyChart :is(.annotation-text, .legendtext, text[class*=title], [class*=tick] text, .contourlabels text)
{fill: currentColor !important}
.ldp-term {text-decoration: underline dotted 1.5px; text-underline-offset: .2em; cursor: help}
.ldp-term:focus-visible {outline: 2px solid #0072B2; outline-offset: 1px; border-radius: 2px}
.ldp-term:is(:hover, :focus) {anchor-name: --ldp-term; anchor-scope: --ldp-term}
.ldp-term:is(:hover, :focus)::after {content: attr(aria-description) / ""; position: fixed; z-index: 1000001;
 left: 1rem; right: 1rem; bottom: 1rem; width: fit-content; max-width: 22rem; box-sizing: border-box; margin: 0 auto;
 padding: .5rem .7rem; border-radius: .4rem; background: #1f2933; color: #fff; border: 1px solid #7b8794;
 font: 400 .9rem/1.4 "Source Sans", sans-serif; text-align: left; white-space: normal; pointer-events: none}
@supports (anchor-scope: --ldp-term) {
 .ldp-term:is(:hover, :focus)::after {position-anchor: --ldp-term; position-area: bottom span-right;
  position-try-fallbacks: flip-inline, flip-block, flip-inline flip-block; inset: auto; margin: .3rem 0;
  min-width: 12rem}
 @media (max-width: 640px) {
  .ldp-term:is(:hover, :focus)::after {position-area: bottom span-all; position-try-fallbacks: flip-block;
   margin: .3rem .5rem; max-width: min(22rem, calc(100vw - 1rem))}
 }
}
@media print {.ldp-term {text-decoration: none} .ldp-term::after {display: none !important}}
/* a ring around what has the focus; on the visible part of controls whose input is hidden */
.stApp :is(a, button, summary, [role=tab], [tabindex="0"]:not(input, .stMain)):focus-visible,
.stApp :is([data-testid=stRadioOption], [data-testid=stCheckbox] label):has(input:focus-visible),
.stApp [data-testid=stSlider] [data-rac]:has(> div > input:focus-visible),
.stApp :has(> :is(input:not([type=radio], [type=checkbox], [type=range]), textarea):focus-visible)
{outline: 2px solid light-dark(#005a8d, #8ccbf5) !important; outline-offset: 2px; box-shadow: none !important;
 border-radius: .3rem}
.stMain:focus-visible {outline: 2px solid light-dark(#005a8d, #8ccbf5); outline-offset: -2px}
/* words in the theme's colour would be too faint on its tint and on black */
.stApp :is([role=tab][aria-selected=true], [role=radio][aria-checked=true], [role=radio]:hover,
 [data-testid=stBaseButton-secondary]:is(:hover, :focus-visible, :active), [data-testid=stSliderThumbValue],
 [aria-pressed=true]) p {color: light-dark(#005a8d, #8ccbf5)}
.stCode .token {color: inherit !important}
.stCode:focus-within > div, .stCode:focus-within > div > div {visibility: visible !important; opacity: 1 !important}
.stSidebar[data-collapsed=true] > div {visibility: hidden}
.stApp .katex-display {overflow: visible} .stApp .katex-display > .katex {white-space: normal}
.ldp-table {overflow-x: auto; max-width: 100%}
.ldp-table table {border-collapse: collapse; width: 100%; font-size: .875rem}
.ldp-table :is(th, td) {border-bottom: 1px solid rgba(128,128,128,.35); padding: .35rem .55rem; text-align: left;
 font-variant-numeric: tabular-nums}
.ldp-table td {overflow-wrap: anywhere}
.ldp-table th {font-weight: 600} .ldp-table thead th {vertical-align: bottom}
.stMainBlockContainer > .stVerticalBlock {position: relative}
/* in the header, and none of them takes room in the page, so that its title stays where it is first drawn */
[data-testid=stLayoutWrapper]:has(> :is(.st-key-menu, .st-key-menu_place, .st-key-other_language, .st-key-landing,
 .st-key-present))
{position: absolute}
.stApp .st-key-menu {position: fixed; z-index: 999991; top: 1rem; left: 1.2rem; width: auto; flex-wrap: nowrap;
 max-width: calc(100vw - 10rem); overflow: auto hidden; scrollbar-width: none; gap: .2rem}
.st-key-menu > * {flex: none}
.st-key-menu a {white-space: nowrap; padding-left: .4rem; padding-right: .4rem}
:lang(ja) .st-key-menu a {padding-left: .3rem; padding-right: .3rem}
.st-key-landing {position: absolute}
.st-key-other_language {position: fixed; z-index: 999991; top: 1rem; right: 4rem; width: auto}
.st-key-present {position: fixed; z-index: 999991; top: 1rem; right: 9.5rem; width: auto}
:is(.st-key-other_language, .st-key-present) a {background: none; text-decoration: underline}
.stMainBlockContainer :is(h1, h2, h3) {text-wrap: balance}
/* Japanese has no spaces: short texts break between phrases, not within words */
:lang(ja) :is(h1, h2, h3, h4, th, td, dt, dd, label, button, summary, figcaption, a, .ldp-head, .ldp-pair, .ldp-random,
 .ldp-line, .ldp-exam strong), :lang(ja) :is(label, button, summary, a) p {word-break: auto-phrase}
:lang(ja) em {font-style: normal}
/* what Streamlit says in English and has no option for; a field's own label says the same, or more */
:lang(ja) :is([data-testid=stFileUploaderDropzoneInstructions], [data-testid=InputInstructions]) {display: none}
:lang(ja) [data-testid=stMainMenuPopover] [class*=st-emotion]:has(> .stMenuVersionCopyButton) {display: none}
/* it lies on the link to the other language, and its "Stop" is not that of a run */
[data-testid=stStatusWidget] {display: none}
:lang(ja) [data-testid^=stMainMenuItem-theme-] {font-size: 0}
:lang(ja) [data-testid^=stMainMenuItem-theme-]::after {font-size: .875rem; white-space: nowrap}
:lang(ja) [data-testid=stMainMenuItem-theme-System]::after {content: "自動"}
:lang(ja) [data-testid=stMainMenuItem-theme-Light]::after {content: "明るい"}
:lang(ja) [data-testid=stMainMenuItem-theme-Dark]::after {content: "暗い"}
:lang(ja) [data-testid=stMainMenuItem-about] [data-testid=stMainMenuItemLabel] {font-size: 0}
:lang(ja) [data-testid=stMainMenuItem-about] [data-testid=stMainMenuItemLabel]::after
{content: "このページについて"; font-size: .875rem}
:lang(ja) [role=dialog]:has(> div > [data-testid=stMarkdownContainer]) > h2 {display: none}
:lang(ja) [data-testid=stFileUploaderDropzone] button [data-testid=stMarkdownContainer] p {font-size: 0}
:lang(ja) [data-testid=stFileUploaderDropzone] button [data-testid=stMarkdownContainer] p::after
{content: "ファイルを選ぶ"; font-size: 1rem}
@media (prefers-reduced-motion: reduce) {
 *, ::before, ::after {animation: none !important; transition: none !important; scroll-behavior: auto !important}
 [data-testid=stExpander] details {height: auto !important}
}
@media (max-width: 1100px) {
 .ldp-path, .ldp-zone > div {flex-direction: column}
 .ldp-away {width: auto}
 .ldp-arrow {transform: rotate(90deg)}
 .ldp-random {max-width: none}
 .ldp-line {flex-direction: row; align-items: center; gap: 1rem; border-left: 0; border-top: 4px dashed currentColor;
  width: auto; padding: .3rem .8rem 0}
}
@media (max-width: 1180px) {
 .ldp-charts {grid-template-columns: 1fr}
 .ldp-charts .ldp-drawn {max-width: 42rem}
 .ldp-grid {order: 1; display: flex; gap: 1rem; align-items: center} .ldp-grid img {width: 7rem}
}
@media (max-width: 640px) {
 .st-key-present {display: none}
 .ldp-way {flex-direction: column; gap: .3rem} .ldp-way > i {transform: rotate(90deg)}
 .st-key-epsilon_bar :is([data-testid=stColumn]:nth-child(n+3), .ldp-hand > div:last-child,
  .st-key-papers > :not(:has(button)))
 {display: none}
 .st-key-epsilon_bar :is(.stHorizontalBlock, .stVerticalBlock) {gap: 0}
 .st-key-epsilon_bar {padding: .6rem 1rem} .st-key-epsilon_bar .st-key-papers {flex-wrap: nowrap; gap: .4rem}
 .ldp-three strong {min-height: 2.7em} .ldp-charts .ldp-drawn {font-size: 17px}
 .st-key-story_game .ldp-drawn {max-width: 13rem}
 .ldp-verdict p b {line-height: 1.3; display: flow-root}
 .ldp-verdict {min-height: 7.5rem; display: block} .ldp-verdict img {float: left; margin: 0 .6rem .1rem 0}
 .stApp .st-key-menu {top: auto; bottom: 0; left: 0; right: 0; display: grid; gap: 0; align-items: stretch;
  grid-template-columns: repeat(4, minmax(0, 1fr)); width: auto; max-width: none; overflow: visible;
  background: light-dark(#ffffff, #171614); border-top: 1px solid rgba(128,128,128,.5);
  padding-bottom: env(safe-area-inset-bottom)}
 .st-key-menu > *, .st-key-menu :is(.stPageLink, .stPageLink > div) {min-width: 0; width: auto !important;
  margin: 0 !important}
 .st-key-menu > *, .st-key-menu > * > *, .st-key-menu .stPageLink > div {height: 100%}
 .st-key-menu a {white-space: normal; height: 100%; min-height: 2.75rem; margin: 0; justify-content: center;
  padding: .2rem .25rem; text-align: center; border-radius: 0}
 .st-key-menu a p {white-space: normal; overflow-wrap: break-word; font-size: .75rem; line-height: 1.15;
  text-wrap: balance}
 .stMainBlockContainer {padding-bottom: 9rem}
 .stMainBlockContainer h4 {font-size: 1.2rem; padding-top: 0}
 .st-key-papers > :first-child:not(:has(button)) {flex-basis: 100%}
 .st-key-section, .st-key-section > * {width: 100%}
 .st-key-section [role=radiogroup] {display: grid; grid-template-columns: 1fr 1fr; width: 100%; max-width: none}
 .st-key-section [role=radio] {width: 100%; max-width: none}
 .st-key-section [role=radio]:last-child:nth-child(odd) {grid-column: span 2}
 .st-key-story_digit [role=radiogroup] {max-width: 13rem}
 .stMainBlockContainer {padding-left: 1rem; padding-right: 1rem}
 .stMainBlockContainer h1 {font-size: 1.6rem}
 .ldp-pair {max-width: none; flex-basis: 100%}
 .stHorizontalBlock {gap: 1rem}
 .ldp-arrays {gap: 1rem}
 .ldp-sees {grid-template-columns: 1fr; gap: 0}
 .ldp-sees span {margin-bottom: .5rem}
 .ldp-table :is(th, td) {padding: .3rem .4rem; min-width: 3.2rem}
}
</style>"""
