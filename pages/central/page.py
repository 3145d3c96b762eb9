"""The server adds the noise: what does its ε leave?"""

from pages.central import study
from pages.frame.language import words
from pages.widgets import opening

t = words()
opening.page(t, t.CENTRAL_TITLE, t.CENTRAL_LEAD, study.show)
