"""What ``trust --help`` says after the options."""

EPILOG = """\
A game: one of n clients sends one of two updates, by a fair coin; the others send theirs; the attacker sees the report,
all n reports in random order, or their sum, and guesses which update it was. Real clients lie between two ends: others
whose updates have nothing to do with the pair (uniform), and others who all send the first update (agree). n counts
honest clients: reports that the attacker wrote hide nobody.

exit codes:
  0  the bound is not above the promise, which does not prove it
  1  it is: the randomizer, or whoever shuffles, does not do what was said
  2  wrong usage, or the environment failed

fields of --json (schema ldp-trust/1):
  schema                    "ldp-trust/1"
  config                    every setting that the counts depend on, next to data, device and versions
  data                      the images and the training behind the pair, as in audit
  pair                      angle_degrees, norm_first, norm_second, description
  dimension                 length of an update
  counts                    first_as_first, first_as_second, second_as_first, second_as_second
  identification            share of right guesses: point, lower, upper
  expected_identification   share by the exact law of the rule that was played; null where none is known
  epsilon.lower             lower bound on the epsilon of what the attacker sees, at delta (pooled)
  epsilon.point             biased upwards; never read it alone; null where it is not finite
  epsilon.expected          exact epsilon at delta of this view and this pair; null where none is known
  epsilon.promise           amplified.clones; the claimed epsilon in the local view and for a local delta above 0
  amplified                 the shuffled epsilon at delta of every randomizer with local delta 0: clones (computed),
                            feldman_2021 and feldman_2023 (closed forms; the local epsilon where they do not apply)
  views[]                   every view at both ends for this pair: view, others, identification, epsilon
  rejected                  whether epsilon.lower is above epsilon.promise
  promise_identification, promise_strength   what the promise is worth by itself, as in audit --help
  completed, seconds, seed, device, versions   how to read and repeat it
"""
