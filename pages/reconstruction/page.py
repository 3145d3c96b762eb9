"""Could somebody see my picture? What is rebuilt of it, and which of 1,000 it was."""

from pages.frame.language import words
from pages.reconstruction import form
from pages.widgets import opening

t = words()
opening.page(t, t.PICTURE_TITLE, t.PICTURE_LEAD, form.show)
