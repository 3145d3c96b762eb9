"""Whom must you trust: nobody, a shuffler and the other clients, or the server."""

from pages.frame.language import words
from pages.trust import study
from pages.widgets import opening

t = words()
opening.page(t, t.TRUST_TITLE, t.TRUST_LEAD, study.show)
