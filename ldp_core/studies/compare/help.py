"""What ``compare --help`` says after the options: exit codes, the store, rules, data, many machines, and the files."""

from ldp_core.distinguishers import DISTINGUISHERS

_RULES = "\n".join(f"  {name:16}  knows {rule.access}" for name, rule in DISTINGUISHERS.items() if rule.view == "black")

EPILOG = f"""\
exit codes:
  0  no claim was rejected, which does not prove any
  1  one was, at the stated confidence for all cells together
  2  wrong usage, or the environment failed

store:
  Each cell (attack, epsilon, rule, clients, data set) is kept in --store as it finishes. A run that is killed loses at
  most the pass in work; the same command continues it, and two runs may share a file. All cells of a measurement share
  their random directions: each cell's law, and its counts, are those of `audit` with the same seed, and comparisons are
  sharper, but errors are not independent. Asking again for more measurements, or going on after the numbers were read,
  spends the significance again; --watch splits it beforehand.

white box (--white-rules): the attacker sees your report.
  cosine      always guesses
  selective   speaks only when surest

black box (--black-rules): the attacker sees the server's model before and after a round of --clients clients, the
others honest and with images of their own. --radius is the norm of the ball that the server projects its model onto.
--server-steps decides how much the model tells: an ordinary server's short step hands the report on to whoever can tell
what it did to a loss, while the papers' with the unbiased constant is longer than the model itself and drowns it. That
a black box sees little, as the papers find, holds for that long step only. A subset of MNIST, epsilon 4, one client,
right guesses of 100 by the papers' rules at .1 / unbiased / printed, and by the report:
  label-flip        86.8 / 54.7 / 90.8, 91.0
  gradient-flip     91.5 / 54.0 / 97.6, 97.6
  collusion         95.9 / 59.6 / 98.2, 98.2
  paper             the papers' choice for each attack
{_RULES}

data (--dataset):
  digits                                   built in
  mnist, fashion-mnist, cifar10, svhn      from --data-dir in torchvision's layout, or with --download; the files of
                                           the first two also packed as .gz, or in the folder itself
  own                                      --data-dir is a folder or .zip with one subfolder of images per label. Your
                                           images, and models trained on them, are never written and go to no cluster.
  Numbers stand beside the published Table 1 (MNIST) only where the images are MNIST's, recognized by their digest.

many machines (--backend, through joblib): results are the same; every worker must find the same images.
  loky        processes of this machine
  dask        `pip install distributed`; without --cluster, workers that only this machine can reach
  ray         `pip install ray`; the cluster is yours to start, with at least two workers; passes are sent, and kept, as
              many at a time as it has workers. Ray listens to every machine around it.

files:
  --export x.csv    one row per cell and measurement, with the same columns whatever the settings: counts, settings,
                    what the whole cell says (cell_...), images and training
  --export x.json, --json   schema, config, data (as in audit), rows, cells (each at the stated confidence by itself,
                    its summary, promise_identification and promise_strength as in audit), verdict (for all cells
                    together), skipped, notes, completed, seconds, seed, device, versions. A row is one measurement:
                    what cell it belongs to (dataset, test, distinguisher, clients, server_step, attack, strength,
                    epsilon), measurement, the pair's angle_degrees, norm_first, norm_second and description, the
                    counts first_as_first, first_as_second, second_as_first, second_as_second,
                    expected_identification by the exact law, seed, and the curve of its scores
"""
