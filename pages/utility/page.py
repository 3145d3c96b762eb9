"""What ε costs in accuracy: federated training with and without privacy."""

from pages.frame.language import words
from pages.utility import study
from pages.widgets import opening

t = words()
opening.page(t, t.COST_TITLE, t.COST_LEAD, study.show)
