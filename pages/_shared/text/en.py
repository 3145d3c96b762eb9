"""English. Numbers arrive ready for the screen through ``wording``; another language copies this file's names.

Rules: "you", short sentences, "at most" for theory, "at least" for measured leakage, "about" for an estimate.
No word here promises that anything is free of danger: a test can only find a leak.
"""

from ldp_core.figures import ENGLISH as FIGURES

__all__ = ["FIGURES"]

# Frame
APP_TITLE = "What ε protects"
NAV_OVERVIEW = "What ε promises"
NAV_AUDIT = "Run a test"
FOOTER = (
    "Everything here runs on this device only (this page comes from {address}). No image, update or result leaves it."
)
NOT_LOOPBACK = (
    "Caution: this server listens on {address}, so other devices may be able to open this page. "
    "Start it with server.address = 127.0.0.1 to keep it to yourself."
)
GLOSSARY_TITLE = "Words used here"
GLOSSARY = {
    "update": "What your device computes from your data and sends to help train a shared model. "
    "The papers call it a gradient.",
    "report": "Your update after your device has added randomness. Only the report leaves your device.",
    "ε (epsilon)": "The privacy setting. Smaller means the report says less about your update, "
    "and helps the training less.",
    "the promise": "Whatever two updates you might have sent, and whoever looks at the report: right guesses "
    "between the two stay at or below a limit that ε sets.",
    "update A / update B": "The two updates in the guessing game. One of them is sent, picked by a coin.",
    "right guesses of 100": "How often the attacker names the update that was sent. A coin gets 50.",
    "attack": "A way to choose update A and update B so that they are easier to tell apart.",
    "guessing rule": "How the attacker turns a report into a guess.",
    "clipping length": "Longer updates are shortened to this length before randomness is added.",
    "range": "Values that fit what was seen, at the confidence you chose.",
    "at least (ε)": "The run shows that the leak is not smaller than this. It may be larger.",
}

# Natural frequencies
PROMISE = (
    "Of {of} guesses about which of two updates you sent, even the best attacker is right "
    "**at most {right} times**. Tossing a coin gets {coin}."
)
PROMISE_OPEN = (
    "Of {of} guesses about which of two updates you sent, the promise lets the best attacker be right "
    "**practically every time**: fewer than 1 wrong guess in {of}. Tossing a coin gets {coin}."
)
BANDS = {
    "small": "Very private, and less useful: the server needs many more devices to learn anything.",
    "middle": "The attacker does better than a coin, but stays wrong often enough to leave doubt.",
    "large": "Leaky: more useful to the server, but the attacker may be right nearly every time.",
    "huge": "Very leaky: the promise leaves an attacker almost no doubt.",
}
COUNT_SCALE = "Each square stands for {each} guesses, because of 100 guesses nearly all would be right."

# The ε control
EPSILON = "ε (privacy setting)"
EPSILON_HELP = (
    "One step to the right makes it easier to tell which update was sent. At 1, at most 73 of 100 guesses are right."
)
EPSILON_ENDS = ("more private", "leakier")
EPSILON_PAPERS = "In the papers:"
EPSILON_EXACT = "Exact ε"
EPSILON_EXACT_HELP = "Any value from 0.01 to 30. The slider shows it too."

# Overview
OVERVIEW_TITLE = "What does ε promise you?"
OVERVIEW_LEAD = (
    "Your device computes an update from your data, to help train a shared model. Before it sends the update, it adds "
    "randomness. ε (epsilon) limits what an attacker can still learn. "
    "A smaller ε hides more and helps the training less."
)
OVERVIEW_COIN = "Tossing a coin"
OVERVIEW_BEST = "The best attacker"
OVERVIEW_COIN_ALT = "{right} of {of} guesses right by tossing a coin"
OVERVIEW_BEST_ALT = "at most {right} of {of} guesses right by the best attacker"
OVERVIEW_COIN_COUNT = "**{right}** of {of} right"
OVERVIEW_BEST_COUNT = "at most **{right}** of {of} right"
OVERVIEW_SYMBOLS = {"one": ("●", "✕"), "many": ("■", "□")}
OVERVIEW_LEGEND = ("right guess", "wrong guess")
OVERVIEW_GO = "Test it on this device"
OVERVIEW_CURVE = "Every ε at once"
OVERVIEW_CURVE_TEXT = (
    "The dashed line is the promise: if it holds, no attacker, however clever, gets above it in the long run. "
    "Real attacks may stay below. How close do they come? That is what the test measures."
)
WHO_SEES_TITLE = "Who sees what"
WHO_SEES = (
    ("Your device", "your data, your update, and the report"),
    ("The network", "the report, if the connection is tapped"),
    ("The server", "the report, and the model it sent you"),
    ("Other people's devices", "the next shared model, made from many reports"),
)
WHO_SEES_NEVER = (
    "An app that works as described sends only the report: your data and your update stay on your device. "
    "ε cannot stop an app that sends more."
)
LIMITS_TITLE = "What this does not tell you"
LIMITS = (
    "**One report.** Each further report leaks again: two reports at ε = 1 together promise only ε = 2.",
    "**Two known updates.** The attacker in this game knows both and guesses between them. "
    "Most real attackers know less.",
    "**This way of adding randomness.** It is the one called LDP-SGD; another app may use something else.",
    "**Not what people can guess about you anyway.** If everybody like you clicks the same button, "
    "ε does not hide that you probably do too.",
)

# Audit: choose
AUDIT_TITLE = "Can an attack break the promise?"
AUDIT_LEAD = (
    "A guessing game. This device plays both sides: it makes a report from update A or update B, an attacker "
    "who sees the report guesses which one it was, and we count. Nothing is sent."
)
ATTACK = "Who cheats?"
ATTACK_HELP = "Each attack prepares update A and update B in its own way. The further down, the more it controls."
ATTACKS = {
    "benign": (
        "Nobody cheats (benign)",
        "Touches nothing. A and B come from two images. *Everyday case.*",
    ),
    "label-flip": (
        "Wrong label (label flip)",
        "Changes one label on your device. A is the true label, B a false one. *Possible with access to your data.*",
    ),
    "gradient-flip": (
        "Flipped update (gradient flip)",
        "Changes your update on your device. B is A turned around. *Needs control of your app.*",
    ),
    "collusion": (
        "Server and app together (collusion)",
        "The server sends a rigged model and your app flips the update. *Needs both of them; rare.*",
    ),
    "dummy": (
        "Made-up update (dummy)",
        "Replaces your update by a made-up one and its opposite. *The worst case on paper; no data needed.*",
    ),
}
DISTINGUISHERS = {
    "cosine": "always guesses (cosine)",
    "selective": "speaks up only when nearly sure (selective)",
}
DISTINGUISHER = "Guessing rule"
DISTINGUISHER_HELP = (
    "“Always guesses” picks the update whose direction is closer to the report. “Nearly sure” says B only "
    "for the few reports that give it away, and A otherwise. It finds leaks that an average hides."
)
ADVANCED = "Advanced settings"
DATASET = "Images"
DATASET_HELP = "The built-in digits need no download. MNIST is a larger set of handwritten digits."
DATASETS = {"digits": "handwritten digits (built in)", "mnist": "MNIST"}
DATA_DIR = "Folder that holds MNIST/raw"
DATA_DIR_HELP = "A folder on this device. Leave it empty to use this program's own cache folder."
DOWNLOAD = "Download MNIST if it is missing"
DOWNLOAD_HELP = "Fetches about 12 MB from the internet. Nothing is fetched unless you tick this."
TRAINING = "How far the shared model is trained"
TRAINING_HELP = "A trained model gives shorter updates for images it knows well, and those are harder to tell apart."
TRAININGS = {"none": "not at all", "light": "lightly (85 of 100 images right)", "full": "fully (20 passes)"}
CLIP_NORM = "Clipping length"
CLIP_NORM_HELP = "Longer updates are shortened to this length. Shorter ones get more randomness. Papers: 1."
CONFIDENCE = "Confidence in %"
CONFIDENCE_HELP = "95 means: a range misses the truth in at most 5 of 100 runs. Higher makes ranges wider."
TRIALS = "Guesses per pair"
TRIALS_HELP = "More guesses give narrower ranges and can show larger leaks. Time grows in step."
MEASUREMENTS = "Pairs"
MEASUREMENTS_HELP = "Each pair is a new update A and update B. The papers use 10."
SEED = "Seed"
SEED_HELP = "The same seed repeats a run guess by guess. Empty: a fresh one for each run, shown with the result."
SEED_EMPTY = "a fresh one"
SAMPLING = "How reports are made"
SAMPLING_HELP = (
    "“Real reports” builds every report as your device would. “Simulation” draws only the few numbers the attacker "
    "looks at, from our own formula for this randomizer: fast, but it cannot find a mistake in the randomizer."
)
SAMPLINGS = {"full": "real reports", "projected": "simulation of our own randomizer"}
MECHANISM = "Randomizer"
MECHANISM_HELP = "The part that adds randomness on your device."
MECHANISMS = {"ldp-sgd": "LDP-SGD, as in the papers", "overclaiming": "DEMONSTRATION: breaks its promise on purpose"}
RUN = "Run the test"
RUN_AGAIN = "Run with these settings"

# Audit: before a run
PLAN = "About {seconds} on this device. The most this test can show: a leak of ε = {provable}."
PLAN_HELP = (
    "Even an attacker who is never wrong could not prove a larger leak from this many guesses. "
    "The time is a rough guess."
)
PLAN_TOO_FEW = "Too few guesses for ε = {epsilon}. Take at least {needed} guesses per pair, or more pairs."
PLAN_NEVER = "No practical number of guesses can show ε = {epsilon}. The run will only say how far it got."
TOO_LARGE = (
    "A run on this page may make at most {limit} guesses with these settings, you asked for {asked}. "
    "Take fewer guesses or pairs, or use the command line."
)
PREVIEW_TITLE = "Before you run"
PREVIEW_TEXT = (
    "If the promise holds, no attack gets above the dashed line, a little luck apart. The test puts a point on this "
    "chart: how often the attack you picked is right."
)
QUEUE_FULL = "32 tests are waiting already, and no more can wait. Try again when one has finished."
UNKNOWN_JOB = "This link points to a test that this device no longer has. Run it again to get a new result."
SAMPLING_NOTE = (
    "Simulation of our own randomizer: no reports were built, so this run cannot find a mistake in the randomizer."
)

# Audit: during a run
STAGES = {
    "queued": "Waiting. Tests before yours: {position}.",
    "data": "Loading the images",
    "training": "Training the shared model, pass {done} of at most {total}",
    "trained": "The shared model is ready",
    "crafting": "Preparing update A and update B, pair {number} of {total}",
    "trials": "{done} of {total} guesses",
    "stopping": "Stopping after the current step …",
}
TIME_LEFT = "about {seconds} left"
LIVE = "So far about **{point} right guesses of {of}** (range {lower} to {upper})."
LIVE_SELECTIVE = "So far this attacker said “B” in **{second}** reports of update B, and in {first} of update A."
CANCEL = "Cancel"
SECONDS, MINUTES, LESS = "{count} seconds", "{count} minutes", "a second"

# Audit: after a run
HEADLINES = {
    "above": "Broken promise",
    "too_few": "Not enough guesses to tell",
    "coin": "This attack learned nothing we can measure",
    "at": "As far as the promise allows, and no further",
    "below": "Clearly below what the promise allows",
    "none": "Stopped before the first guess",
}
SEEN = (
    "An attacker who sees your report picked the update you sent **about {point} times in {of}** "
    "(range {lower} to {upper}). A coin gets {coin}; the promise allows at most {promise}."
)
SEEN_OPEN = (
    "An attacker who sees your report picked the update you sent **about {point} times in {of}** "
    "(range {lower} to {upper}). A coin gets {coin}; the promise allows practically all."
)
SEEN_ALL = (
    "An attacker who sees your report picked the update you sent **every time, in {done} guesses**. "
    "A coin gets half of them right."
)
SEEN_SELECTIVE = (
    "This attacker speaks up only when nearly sure. It said “B” in **about {second} of {of}** reports of update B, "
    "and by mistake in about {first} of {of} reports of update A. Such a difference takes at least ε = {lower}; "
    "the promise is ε = {epsilon}."
)
MEANING = {
    "above": "The randomizer leaks more than it claims: at least ε = {lower}, where it claims {epsilon}.",
    "too_few": "This many guesses can show at most ε = {provable}, and you asked about {epsilon}.",
    "coin": "That does not prove the promise. A cleverer attack may do better.",
    "at": "This attack comes as close as the promise lets anyone. That does not prove the promise: "
    "another attack could go beyond it.",
    "below": "That does not prove the promise. A cleverer attack may do better.",
    "none": "Nothing was counted.",
}
RUN_AT_LEAST = " Run at least {needed} guesses per pair."
ABOVE_TODO = (
    "**What to do.** Repeat the test with a new seed first: a randomizer that keeps its promise is blamed like this in "
    "at most {alarms} of {alarms_of} runs. If it happens again, send no more updates through this randomizer, keep the "
    "result below, and show it to whoever made the app."
)
ABOVE_DEMO = "You picked the demonstration, which breaks its promise on purpose. So the test found what it should."
STOPPED = (
    "You stopped after {done} of {total} guesses. The counts are valid. The range is the wider one that holds "
    "whenever a run is stopped."
)
NEW_SEED = "Repeat with a new seed"
TAB_SHARE = "Right guesses"
TAB_EPSILON = "Measured ε"
TAB_SHARE_NOTE = (
    "Dashed: the promise. Coloured line: what the formula predicts for the update pairs of this run. Big marker: all "
    "guesses, with the range that fits what we saw (thick: 50 %, thin: {confidence} %). "
    "Small markers, moved a little to the left: single pairs."
)
TAB_SHARE_NOTE_DEMO = (
    "Dashed: the promise. Coloured line: what the formula predicts for an honest randomizer and these pairs. Big "
    "marker: all guesses, with the range that fits what we saw (thick: 50 %, thin: {confidence} %)."
)
TAB_EPSILON_NOTE = (
    "Filled marker: the leak is at least this large, at {confidence} % confidence. Hollow marker: the estimate the "
    "papers print, which leans high. Above the dashed line, a promise is broken only if the filled marker is."
)
POINT_MISSING = "The papers' estimate does not exist here: in {count} of {total} pairs an error never happened."
WHY = "Why this result"
WHY_GEOMETRY = (
    "Two things make updates easy to tell apart: pointing in opposite directions (180°), and being at least as long "
    "as the clipping length ({clip})."
)
WHY_WORST = "Here both hold, so nothing stands between this attack and the limit."
WHY_ANGLE = "Here the angle is {angle}° on average, so someone who always guesses falls short."
WHY_SHORT = (
    "Here some updates are shorter than that, so they get more randomness, and someone who always guesses falls short."
)
WHY_BOTH = (
    "Here the angle is {angle}° on average and some updates are shorter, so someone who always guesses falls short."
)
WHY_LAW = "For these pairs the formula predicts {expected} right guesses of {of}."
WHY_LAW_OPEN = "For these pairs the formula predicts fewer than 1 wrong guess in {of}."
PAIR = "Pair {number}"
PAIR_FACTS = "{angle}° apart, lengths before clipping {first} and {second}"
PAIR_SIDES = {
    "benign": ("A: one image", "B: another image"),
    "label-flip": ("A: true label", "B: false label"),
    "gradient-flip": ("A: the update", "B: turned around"),
    "collusion": ("A: the update", "B: turned around"),
    "dummy": ("", ""),
}
PAIR_ALT = "update {side}, pair {number}: the image it was computed from"
PICTURES_NOTE = "The images stay in this page's memory. This page saves them in no file and no download."
PICTURES_GONE = "The images were kept in memory only and are gone now."
PICTURES_NONE = "This attack uses no image: its update is made up."
SELECTIVE_TITLE = "A low score can hide a leak"
SELECTIVE_NOTE = (
    "This attacker has to guess every time, so easy and hard reports average out. One who speaks up only when nearly "
    "sure can use all that ε allows on the few reports that give you away, even when nobody cheats. "
    "Choose the “nearly sure” guessing rule in the advanced settings to see it."
)
COUNTS_TITLE = "All counts"
COUNTS_COLUMNS = ("pair", "A, guessed A", "A, guessed B", "B, guessed A", "B, guessed B", "right of 100", "formula")
COUNTS_TOTAL = "all"
REPEAT_TITLE = "Repeat or keep this result"
REPEAT_TEXT = "This command repeats the run guess by guess (seed {seed}):"
REPEAT_DIR = "Add `--data-dir` with your MNIST folder."
DOWNLOAD_JSON = "Download as JSON"
DOWNLOAD_JSON_HELP = "Settings, counts and results. No image, no label, no update."
RUN_LIMITS_TITLE = LIMITS_TITLE
RUN_LIMITS = (
    "**A lower limit.** No test can prove a promise; it can only catch a broken one. "
    "An attack we did not try may do better.",
    "**This device's copy.** The test runs the randomizer in this program, not the one inside another app.",
    "**One report.** Each further report leaks again, and the leaks add up.",
)

# Errors
BUG = "Something went wrong that is our mistake, not yours. The server's log on this device says more."
