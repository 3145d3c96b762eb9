"""What ``check --help`` says after the options: outcomes, how to depend on it, adapters, and the fields of its JSON."""

from ldp_core import adapters

OUTCOMES = """\
outcomes:
  An honest mechanism is blamed (exit code 1) with at most the chance that --confidence leaves, 5 %, all questions
  together. One whose leak is at or above what the result says it would catch is rejected with at least 95 % chance.
  Between the two nothing is promised: "not rejected" is not "verified". --must-detect says beforehand what must be
  caught; without it, a check too small to catch anything may end with 0, and says so.

exit codes:
  0  not rejected, no question failed, and every file that was asked for and standard output took the result
  1  rejected, or a question failed, whatever became of the output
  2  anything else: the check could not be carried out, or not to its end (then what was asked until then is judged
     and shown), could not catch what must be caught, or the result could not be written
"""

RECIPES = """\
in a CI step:
  python -m ldp_core check vendor.sdk:Randomizer --epsilon 1 --dimension 64 --must-detect 1.5 \\
      --seed 7 --json check.json && ./deploy

in pytest (subprocess: the code of others stays out of the process of the tests):
  def test_the_randomizer_keeps_its_claim(tmp_path):
      words = "check vendor.sdk:Randomizer --epsilon 1 --dimension 64 --must-detect 1.5 --seed 7 --json".split()
      done = subprocess.run([sys.executable, "-m", "ldp_core", *words, tmp_path / "check.json"],
                            capture_output=True, text=True)
      assert done.returncode == 0, done.stdout + done.stderr
"""

FIELDS = """\
fields of --json (schema ldp-check/2; "python -m ldp_core show FILE" also reads ldp-check/1):
  claimed_epsilon, claimed_delta, config   what was asked; config.inputs_digest is that of --inputs
  clauses[]   the exam: name, passed (null if it could not be asked), sentence, finding, values
  pairs[]     pairs of inputs: name, sentence, first_length and second_length in units of L, angle_degrees, parent (of
              a pair made in this check), reports
  looks[]     the privacy test: pair, rule, round, trained_on (reports that the rule was chosen from), counts of the
              guesses, silent (reports that it said nothing about), completed, bound, epsilon_lower
  epsilon_lower     the largest of them, each at its share of the significance
  power       smallest_detectable_epsilon and reports_needed by kind of leak (side, tail, learned), null where not known
  verdict     claim_rejected, claim_not_rejected or not_tested; rejected_by: pair and rule
  reports_used, completed, seconds, seed, seeded, versions
"""


def epilog() -> str:
    """Return the text, in lines of its own."""
    return "\n".join((OUTCOMES, RECIPES, adapters.help_text(), "", FIELDS))
