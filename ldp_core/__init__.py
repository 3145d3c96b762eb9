"""Measure what epsilon-local differential privacy protects in federated learning.

The modules in the order in which data flows through them:

1. ``adversaries`` craft a pair of gradients,
2. ``mechanisms`` randomize one of the two,
3. ``distinguishers`` guess which one it was,
4. ``trials`` repeats 2 and 3 and counts,
5. ``estimates`` turns counts into bounds, ``theory`` says what they should be, ``summary`` joins the two,
6. ``figures`` draws and ``reports`` writes what ``audit`` found.

Nothing below this package imports Streamlit, and importing the package loads no torch.
"""
