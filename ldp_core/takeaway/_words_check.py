"""Words of the report of a check, in English; the exam's titles and sentences are those of ``claims``."""

CHECK_WORDS: dict[str, str] = {
    "title_check": "Does a mechanism keep its claim? Summary of a check",
    "about_check": "In federated learning your device sends an update to help train a shared model. A mechanism "
    "changes the update at random first, and whoever made it claims an ε (epsilon): a limit on how often anyone can "
    "tell which of two updates was sent. Here that mechanism was asked for many reports. An exam asked plain "
    "questions about them; then a privacy test counted guesses.",
    "run_check": "{reports} reports of at most {most}. Claimed: ε = {epsilon}, δ = {delta}.",
    "stopped_check": "The check was stopped early. What was counted is valid; bounds are those that hold whenever a "
    "check is stopped.",
    "exam": "The exam",
    "exam_text": "Each question has one answer: no fault found, FAULT FOUND, or not answered, also where the reports "
    "were too few to tell.",
    "clause_kept": "no fault found",
    "clause_broken": "FAULT FOUND",
    "clause_unasked": "not answered",
    "claimed_check": "ε as claimed",
    "delta_check": "δ as claimed",
    "reports_used": "reports asked for",
    "looks": "looks at a pair by a rule, over all rounds",
    "rejected_by": "shown by",
    "shown_by": "{rule}, on the pair “{pair}”",
    "chart_check": "The leak that is shown, by pair of updates",
    "note_check": "Each marker: the leak is at least this large. Filled: more than the claim. Dashed: the claim. All "
    "of them hold together at {confidence} % confidence.",
    "power": "What it would have caught",
    "power_text": "No rejection proves nothing. With a chance of 95 of 100 this check would have caught a true ε as "
    "large as here, if it shows in this way on one of the pairs. Of leaks that show otherwise, or for other updates, "
    "it says nothing.",
    "power_first": "No rejection proves nothing. This result is of an earlier version, which stated too much about "
    "what it would have caught. Repeat the check to know.",
    "power_stopped": "No rejection proves nothing. The check did not come to its end, so even a large leak may have "
    "been missed.",
    "kind": "a leak that shows",
    "kind_side": "on which side a report is",
    "kind_tail": "in a tail of the noise",
    "kind_learned": "in a region that must be learned",
    "caught_from": "caught from ε = … on",
    "needed": "reports that it takes to catch ε = {epsilon}, about",
    "beyond": "above 30, or not known",
    "rule": "rule",
    "look_round": "round",
    "silent": "nothing said",
    "learned_from": "learned from",
    "at_least": "ε at least",
    "looks_note": "One row for each look of a rule at a pair. Each round judges the pairs that showed most before, by "
    "rules chosen from reports that are not judged by them.",
    "looks_note_first": "One row for each look of a rule at a pair. A rule that learns does so from reports that it "
    "does not judge.",
    "tried": "The pairs that were tried",
    "tried_note": "Reports were asked for of every pair; those that showed most were judged. L is the clipping length.",
    "pair_facts": "{text}. Lengths {first} L and {second} L, {angle}° apart, {reports} reports",
    "pair_text_own": "a pair of your own",
    "pair_text_refined": "“{parent}”, changed a little in this check",
    "limits_check": "**A lower limit.** No check can prove a claim; it can only catch a broken one. A fault that "
    "shows in no pair and no question stays unseen.\n"
    "**What answered.** A program that knows it is being watched may behave. Check the one that your app really "
    "uses.\n"
    "**One report.** Each further report leaks again, and the leaks add up.\n"
    "**No legal finding.** It does not say whether anyone can be recognized in the data.",
    "a_subject": "what was checked",
    "a_dimension": "numbers in an update",
    "a_clip_order": "what L limits",
    "order_l2": "the length of the whole update",
    "order_linf": "each number of the update by itself",
    "a_reports": "reports, at most",
    "a_scale": "factor that makes a report an unbiased estimate",
    "a_report_norm": "largest length of a report",
    "unstated": "not stated",
    "a_sample": "reports in one sample of the exam",
    "a_trials": "reports for the privacy test",
    "a_corrected": "chance of a false alarm left to each look",
    "joint_bound": "right and wrong guesses of a rule together, whenever it speaks",
    "a_adaptive": "pairs of updates",
    "adaptive_yes": "chosen while reports came in",
    "adaptive_no": "all asked for beforehand",
    "a_own_pairs": "pairs of your own",
    "a_inputs": "SHA-256 of your own pairs",
    "a_randomness": "randomness of the mechanism",
    "randomness_ours": "from this seed",
    "randomness_own": "its own",
    "repeat_check": "This command repeats the check. MECHANISM stands for the way to what was checked, which this "
    "summary cannot hold.",
    "repeat_seeded": "With the same versions and kind of device it gives the same counts.",
    "repeat_own": "The mechanism draws its own randomness, so counts differ each time, and the verdict may.",
}
