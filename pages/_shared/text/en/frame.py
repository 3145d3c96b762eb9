"""English: what every page shares."""

# The language, and how words and sentences are joined
LANGUAGE, LANGUAGE_NAME, LANGUAGE_CODE = "Language", "English", "en"
COMMA, SEMICOLON, COLON, SPACE, PERCENT = ", ", "; ", ": ", " ", "{value} %"
TITLED = "**{title}.** {text}"
FROM_CORE = "{message} Change that, and try again."

# Frame
APP_TITLE = "What ε protects"
NAV_OVERVIEW = "What ε (epsilon) promises"
NAV_AUDIT = "Test one attack"
NAV_COMPARE = "Compare all attacks"
ABOUT = (
    "This page measures, on your own device, how much the randomness added to an update protects. "
    "It follows the work of Matsumoto, Takahashi, Liew and Oguchi (2022, 2024)."
)
FOOTER = (
    "Everything here runs on this device only (this page comes from {address}). No image, update or result leaves it."
)
NOT_LOOPBACK = (
    "Caution: this server listens on {address}, so other devices may be able to open this page. "
    "Start it with server.address = 127.0.0.1 to keep it to yourself."
)
GLOSSARY_TITLE = "Words used here"
GLOSSARY = {
    "ε (epsilon)": "The privacy setting. Smaller means: less can be learned about you, and the server learns less too.",
    "update (gradient)": "What your device computes from your data: how the shared model should change to do better.",
    "report": "What leaves your device: your update, after randomness was added to it.",
    "randomizer (LDP-SGD)": "The part of the app that adds randomness to your update.",
    "the promise": "Whatever two updates you might have sent: nobody tells them apart more often than ε allows.",
    "update A / update B": "The two updates in the guessing game. One of them is sent, picked by a coin.",
    "pair": "One update A with one update B. The attacker guesses many times between these two.",
    "right guesses of 100": "How often the attacker names what was sent. A coin gets 50.",
    "attacker": "Whoever looks at what left your device and guesses what it came from.",
    "attack": "A way to choose update A and update B so that they are easier to tell apart.",
    "guessing rule": "How the attacker gets from what it sees to a guess.",
    "white box / black box": "What the attacker sees: your report, or only the shared model before and after a round.",
    "leak": "What a report gives away about your data, counted in ε. A test shows only that it is at least so large.",
    "δ (delta)": "How likely it may be that the promise does not hold at all. Here it is 0.",
    "estimate": "The papers' single number for the leak. It leans high, so it proves nothing by itself.",
    "range": "The values that fit what was seen. More guesses make it narrower.",
    "confidence": "How seldom what is said here may be wrong by bad luck: at 95 %, in at most 5 of 100 runs.",
    "formula": "Mathematics that says, before any test, how often an attacker who sees the report is right.",
    "angle": "How differently two updates point: 0° is the same way, 180° is opposite ways.",
    "length": "How large an update is, all of its numbers taken together.",
    "clipping length": "Before randomness is added, larger updates are cut down to this size.",
    "strength (α)": "How hard an attack pushes: how far it changes the image, the model or the update.",
    "client": "A device that takes part in the training, such as yours.",
    "server": "The computer that collects all reports and sends out the shared model.",
    "shared model": "The program that all devices improve together, such as one that reads handwritten digits.",
    "training": "Improving the shared model step by step with examples.",
    "round": "Each client sends one report, and the server changes the shared model once.",
    "pass": "Showing the shared model every training image once.",
    "label": "The right answer for an image, such as the digit it shows.",
    "loss": "How wrong the shared model is about an image: 0 is not at all.",
    "held-out": "Kept back from the training, to see what was really learned.",
    "seed": "The number that all chance in a run starts from. The same one repeats the run guess by guess.",
    "cell": "One attack at one ε, with one guessing rule, one number of clients and one set of images.",
    "mechanism": "Any program that makes updates into reports, whoever wrote it.",
    "claim": "The ε that the maker says is kept to.",
    "the papers": "Matsumoto, Takahashi, Liew and Oguchi, 2022 and 2024: the research that these tests follow.",
    "noise": "What is drawn by chance and put on top of the true numbers, so that they do not show.",
}
GLOSSARY_FORMS = {  # how each term reads in a sentence
    "ε (epsilon)": ("ε", "epsilon", "ε (epsilon)"),
    "update (gradient)": ("update", "updates", "gradient", "gradients"),
    "report": ("report", "reports"),
    "randomizer (LDP-SGD)": ("randomizer", "randomizers", "LDP-SGD"),
    "the promise": ("promise", "promises", "promised", "promising"),
    "update A / update B": ("update A", "update B"),
    "pair": ("pair", "pairs", "update pairs"),
    "right guesses of 100": ("right guesses of 100", "right guesses", "right of 100"),
    "attacker": ("attacker", "attackers"),
    "attack": ("attack", "attacks"),
    "guessing rule": ("guessing rule", "guessing rules", "rule", "rules"),
    "white box / black box": ("white box", "black box"),
    "leak": ("leak", "leaks"),
    "δ (delta)": ("δ", "delta", "δ (delta)"),
    "estimate": ("estimate", "estimates"),
    "range": ("range", "ranges"),
    "confidence": ("confidence", "confidences"),
    "formula": ("formula", "formula's"),
    "angle": ("angle", "angles"),
    "length": ("length", "lengths"),
    "clipping length": ("clipping length", "clipping lengths", "clipping"),
    "strength (α)": ("strength", "strength α", "α (alpha)", "α"),
    "client": ("client", "clients"),
    "server": ("server", "servers"),
    "shared model": ("shared model", "model", "models"),
    "training": ("training", "trained", "trains"),
    "round": ("round", "rounds"),
    "pass": ("pass", "passes"),
    "label": ("label", "labels"),
    "loss": ("loss", "losses"),
    "held-out": ("held-out",),
    "seed": ("seed", "seeds"),
    "cell": ("cell", "cells"),
    "mechanism": ("mechanism", "mechanisms"),
    "claim": ("claim", "claims", "claimed"),
    "the papers": ("the papers", "the papers'"),
    "noise": ("noise", "random number", "random numbers"),
}

# Natural frequencies
PROMISE = {
    "times": "Of 100 guesses about which of two updates you sent, even the best attacker is right **at most {right} "
    "times**. Tossing a coin gets 50.",
    "percent": "Of all guesses about which of two updates you sent, even the best attacker gets **at most {right}** "
    "right. Tossing a coin gets 50 %.",
    "open": "Of all guesses about which of two updates you sent, the promise lets the best attacker get **practically "
    "every one** right. Tossing a coin gets 50 %.",
}
BANDS = {
    "small": "Very private, and less useful: the server needs many more devices to learn anything.",
    "middle": "The attacker does better than a coin, but stays wrong often enough to leave doubt.",
    "large": "Leaky: more useful to the server, but the attacker may be right nearly every time.",
    "huge": "Very leaky: the promise leaves an attacker almost no doubt.",
}
COUNT_SCALE = "Each square stands for 1 % of the guesses."

# The ε control
EPSILON = "ε (privacy setting)"
EPSILON_HELP = (
    "One step to the right makes it easier to tell which update was sent. At 1, at most 73 of 100 guesses are right."
)
EPSILON_ENDS = ("more private", "leakier")
EPSILON_RESEARCH = "Values used in research:"
EPSILON_EXACT = "Exact ε"
EPSILON_EXACT_HELP = "Any value from {low} to {high}. The slider shows it too."

# Errors
BUG = "Something went wrong that is our mistake, not yours. The server's log on this device says more."
