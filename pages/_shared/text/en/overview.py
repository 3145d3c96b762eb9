"""English: the page on what ε promises."""

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
