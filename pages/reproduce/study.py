"""The papers item by item: a section of the page that compares."""

from pages.registry import StudyPage
from pages.reproduce import view

PAGE = StudyPage(key="reproduced", place="compare", sections={"items": view.show})
