"""What ``audit --help`` says after the options: exit codes, when a run repeats exactly, and the fields of its JSON."""

EPILOG = """\
exit codes:
  0  the claim was not rejected, which does not prove it
  1  it was rejected
  2  wrong usage, or the environment failed

Progress goes to standard error, the result to standard output. Ctrl-C ends the run and prints what was counted so far.
Wrong options and places that take no files are refused before anything is loaded. Files are written before the result
is printed, so they are complete even if nobody reads standard output (exit code 2 then; a rejection stays 1).

The same seed, settings and data give the same counts on the same kind of device with the same versions, whatever the
number of threads. The last line of the summary repeats the run. A whole number may be written 1e4.

fields of --json (schema ldp-audit/1):
  schema                         "ldp-audit/1"
  config                         every setting that the counts depend on, next to data, device and versions
  data                           the data behind the result (null in results that do not record it)
  data.training_images           number of images that the model was trained on
  data.held_out_images           number of images that pairs are made from
  data.sha256                    digest of images and labels; null for your own images
  data.known_as                  mnist, subset of mnist or fashion-mnist, recognized by that digest; else null
  data.passes                    passes of the training over the images
  data.held_out_right            held-out images that the trained model gets right
  data.accuracy                  their share
  measurements[]                 one entry for each pair
  measurements[].pair            angle_degrees, norm_first, norm_second, description
  measurements[].counts          first_as_first, first_as_second, second_as_first, second_as_second
  measurements[].expected_identification   share of right guesses by the exact law; null where none is known
  summary.counts                 of all measurements together
  summary.bound                  which bound epsilon.lower is: pooled or clopper_pearson, with _anytime if the run
                                 was stopped
  summary.bound_significance     its share of the significance
  summary.identification         share of right guesses: point, lower, upper
  summary.epsilon                empirical epsilon
  summary.epsilon.point          mean over measurements; biased upwards
  summary.epsilon.point_infinite measurements without a finite estimate
  summary.epsilon.lower          lower bound, which decides the verdict
  summary.epsilon.upper          upper end of the interval for this attack, not for the mechanism
  summary.epsilon.max_provable   what an attacker who is never wrong would show with these trials
  summary.theory                 what the claim allows: identification, epsilon, delta
  summary.expected_identification   mean over trials of the exact law of LDP-SGD for the measured angles and norms
  verdict                        claim_rejected or claim_not_rejected
  promise_identification         how often the best attacker may be right about one report, whatever was found
  promise_strength               how strong the promise is by that: strong (as at epsilon up to 1), moderate (up to 2),
                                 weak (up to 4) or very_weak
  state                          above, too_few, coin, at or below
  completed, seconds, seed, device, versions   how to read and repeat it
"""
