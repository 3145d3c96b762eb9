"""English: what every page shares."""

# Frame
APP_TITLE = "What ε protects"
NAV_OVERVIEW = "What ε promises"
NAV_AUDIT = "Run a test"
NAV_COMPARE = "Compare"
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
    "white box / black box": "An attacker who sees your report, or only the shared model before and after the round.",
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

# Errors
BUG = "Something went wrong that is our mistake, not yours. The server's log on this device says more."
