"""What ``check --help`` says after the options: outcomes, the ways to a mechanism, recipes, adapters, JSON fields."""

from ldp_core import adapters

OUTCOMES = """\
outcomes:
  An honest mechanism is blamed (exit code 1) with at most the chance that --confidence leaves, one in a thousand, all
  questions together. That is about reports as they are sent: where a formula is honest, but floating-point numbers
  carry traces of the input in their last bits or lengths (textbook PrivUnit), a rejection is no false alarm.
  One whose leak is at or above what the result says it would catch is rejected with at least 95 % chance. Between the
  two nothing is promised: "not rejected" is not "verified". --must-detect says beforehand what must be caught; without
  it, a check too small to catch anything may end with 0, and says so.

exit codes:
  0  not rejected, no question failed, and every file that was asked for and standard output took the result
  1  rejected, or a question failed, whatever became of the output
  2  anything else: the check could not be carried out, or not to its end (then what was asked until then is judged
     and shown), could not catch what must be caught, or the result could not be written
"""

METHOD = """\
what it does:
  First the questions of an exam: is the randomness fresh, is every input clipped, are reports of use to the server?
  The last is asked only with --scale (1 for added noise), and whether reports stay in their range only with
  --report-norm. Inputs longer than --clip-norm are sent too, to see that they are clipped.
  Then the privacy test: it tries nineteen pairs of inputs over the whole ball and, where inputs are clipped, one 100
  times as long as the bound (not by file), learns from the first reports which pair and rule show most, and judges
  those on reports to come. It stops as soon as the claim is rejected, unless with --whole.
  Before much is asked, a line says how long it takes, what it can catch, and the fewest reports that are of use.
"""

KINDS = """\
which leaks it finds (simulated with five seeds at claim 1 and d = 8: the most reports until it was caught, of at most
so many; in the sources python -m tests.benchmarks.kinds repeats most):
  5,100 of 20,000       at d = 8 and 64: one direction without noise; the last bit of every number tells a sign of the
                        input; the noise of the report before, or its negative, in one of 50 reports, whatever their
                        inputs
  5,000 of 20,000       twice the epsilon; epsilon 8 for inputs of length .30 to .45 L alone; an order of the reports of
                        an answer, all or by twos, by their direction, by one of 64 numbers or by their sum (these also
                        at d = 64); a type of reports that tells; the same noise after a restart
  12,000 of 20,000      the product of two signs of the input, at epsilon 5; at d = 64 not within 100,000
  39,000 of 100,000     the last bit of one number of 8 (four seeds); of one of 64 not within 100,000
  46,000 of 500,000     reports that also tell of the input before
  110,000 of 500,000    epsilon 6 in one of 64 reports, in a region of the last number
  580,000 of 1,000,000  the input itself, in one of 1,000 reports
  76,000 of 100,000     four parts clipped by themselves, with noise for all together: epsilon 2 (four seeds)
  A class or function that takes epsilon or clip_norm is made twice more, for epsilon / 64 and 4,096 times as long a
  limit or a 4,096th of it, without --memoizes: Laplace noise by the square of the limit, by its inverse, by epsilon in
  place of its inverse, or by neither was told by 102 reports (of 20,000), at d = 8 and 64. A limit alone that is
  followed while epsilon is ignored is not seen: at d = 8, epsilon 1 shows too little by 102 reports.
  A comb, told by which of so many equal cells a report is in (epsilon 2.75, d = 1): 32 cells by 8,000 reports with 9
  of 10 seeds (on both sides of zero: with 2 of 8, and by 20,000 with 5 of 5), 80 cells by 20,000 with 10 of 10 and by
  8,000 with none of 20, 320 cells by 50,000 with none of 5.
  Not seen by us: a seed that others can guess (start time, process number, a file); how a program writes a number (1 or
  1.0), byte order, mask or attributes of an array; noise of any earlier report, drawn at random, in one of 100
  reports.
  Not looked for: what no question and no rule looks at, such as a pattern of many bits or products of more signs; in
  reports of more than 16 numbers a region of one of them or a product of two signs; a leak for inputs alone that none
  of the pairs meets. Lengths in the pairs: 100, 1, .87, .75, .62, .5, .42, .35, .3, .25, .18, .12, .06 L.
"""

PYTHON = """\
Python code (Linux, macOS):
  package.module:Name, found from the current folder, is a function randomize(gradient), or randomize(gradient,
  num_reports) that returns a row for each report; an object with such a method; or a class or function that makes one
  and needs nothing but arguments named epsilon, delta, clip_norm or dimension. The claim is what the command line says:
  an object that states another epsilon, delta, clip_norm or clip_order is refused, unless --claim-from-mechanism. Its
  report_norm(dimension), and by a server's linear aggregate(reports) its scale, stand for options that are left out.
  From a notebook: ldp_core.check(function, epsilon=1.0).
  No other file of the current folder is imported by ldp-core or python -P -m ldp_core. Plain python -m ldp_core cannot
  keep out one that is named like a module that Python loads before it (types, contextlib, functools and the like), and
  runs a folder ldp_core that is there in its own place; so does an empty entry of PYTHONPATH, whatever the command.
"""

PROTOCOL = """\
any program (Linux, macOS):
  --command "./vendor-sdk --epsilon 1" starts it with its own arguments, which alone tell it of the claim. The protocol:
   1  The program is started without a shell, and later twice more beside itself, to try a restart. It reads lines from
      standard input.
   2  A request is the line: randomize N D X1 X2 ... XD (N reports of the input X; numbers such as -0.25 or 1e-05)
   3  The answer is exactly N lines on standard output, each an independent report: numbers with a space between, such
      as 0.5 -1e-3.
   4  All reports have one length, from 1 to 2 D + 1,024 numbers of at most 31 characters and 17 digits, which float64
      needs (more numbers: a limit of the check, exit code 2). nan and inf may be sent, and fail the exam.
   5  Write the N lines out (flush), then wait for the next request. The same input may come again, in any order.
   6  N is small at first and grows while answers come fast: at most 4,096, and N times D at most 250,000 (or N is 1).
   7  Nothing else may be on standard output. Standard error is free; its last line is quoted if the program is late or
      ends.
   8  An answer, the first one with the start-up, may take --timeout seconds (30). Later, fewer lines, or ended early:
      exit code 2.
   9  Anything else than numbers, lines of unequally many, or more than N lines, fails the exam: exit code 1.
  10  When its standard input ends, it ends. After 2 seconds it and its children are asked to stop (SIGTERM), after 2
      more killed.
"""

FILES = """\
files:
  "python -m ldp_core challenge" writes inputs in random order for the vendor, and a key that you keep; its --help has
  the lines that the vendor runs. --responses and --key, or the page, judge the answer. Nothing in the file is run, and
  its sizes are checked before it is unpacked: at most 1 GB; on the page, challenges of at most 20 million numbers.

what no way sees:
  A mechanism may notice that it is tested, and a leak that shows on none of the pairs stays unseen. Python: a restart
  is tried in another process on the same machine. Program: inputs come as text of 9 digits, which float32 needs; what
  it draws on or sends elsewhere is not seen. Files: no restart, no order of calls, no input of its own for each report
  (so answers that are kept for an input fail, and --memoizes cannot be given), no other claim, no pair beyond the
  bound, and the vendor has all inputs before the first answer.
"""

REPLIES = """\
replies of anything:
  --replies FILE.npz judges two samples: arrays first and second, of one shape (n, m), n at least 50, each row what left
  a device for the first or the second of two data sets, in the order in which it came; and names, a row of m words,
  where they are known. Asked are, as by check-flower: columns without noise, replies that come again, and all columns
  together, for --epsilon and --delta, or for --gaussian CLIP:SIGMA, one Gaussian step. --public NAME exempts a column.
  Of the other options --confidence, --must-detect (a number: a true epsilon or mu) and --json (schema
  ldp-check-replies/1) go with it. In a notebook, of a Flower app:
    from ldp_core import flower
    message = flower.first_message(server_app, run_config)
    nodes = [{"partition-id": one, "num-partitions": 2} for one in (0, 1)]
    np.savez("replies.npz", **flower.replies(client_app, message, nodes, 1_000, run_config))
"""

RECIPES = """\
in a CI step:
  ldp-core check vendor.sdk:Randomizer --epsilon 1 --dimension 64 --must-detect 1.5 \\
      --json check.json && ./deploy

in pytest (subprocess: the code of others stays out of the process of the tests):
  def test_the_randomizer_keeps_its_claim(tmp_path):
      words = "check vendor.sdk:Randomizer --epsilon 1 --dimension 64 --must-detect 1.5 --json".split()
      done = subprocess.run([sys.executable, "-P", "-m", "ldp_core", *words, tmp_path / "check.json"],
                            capture_output=True, text=True)
      assert done.returncode == 0, done.stdout + done.stderr
"""

FIELDS = """\
fields of --json (schema ldp-check/3):
  claimed_epsilon, claimed_delta, config   what was asked; config.inputs_digest is that of --inputs
  clauses[]   the exam: name, passed (null if it could not be asked), sentence, finding, values
  pairs[]     pairs of inputs: name, sentence, first_length and second_length in units of L, angle_degrees, parent (of
              a pair made in this check), reports
  looks[]     the privacy test: pair, rule, round, trained_on (reports that the rule was chosen from), counts of the
              guesses, silent (reports that it said nothing about), completed, bound, epsilon_lower
  epsilon_lower     the largest of them, each at its share of the significance
  named_inputs      null, or, where at least 99 of 100 reports of a pair named their input and the claim stands: pair,
              reports judged, right ones, allowed (one wrong in so many), decides (reports that would decide, or null)
  notice      what cannot be seen: seed-given (a program could know the inputs); fresh-inputs (--memoizes);
              not-named (answers without the challenge's digest); or empty
  shows_inputs      of reports from a file: whether they depend on the inputs; if not, power is null
  power       smallest_detectable_epsilon and reports_needed by kind of leak (side, tail, learned), null where not known
  verdict     claim_rejected, claim_not_rejected or not_tested; rejected_by: pair and rule
  promise_identification, promise_strength   what the claim is worth by itself, as in audit --help
  reports_used, completed, seconds, seed, seeded, versions
"""


def epilog() -> str:
    """Return the text, in lines of its own."""
    return "\n".join(
        (METHOD, KINDS, OUTCOMES, PYTHON, PROTOCOL, FILES, REPLIES, RECIPES, adapters.help_text(), "", FIELDS)
    )
