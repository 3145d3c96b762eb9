"""Where pairs wander as the model learns: a section of the page that compares."""

from pages.registry import StudyPage
from pages.trajectory import map

PAGE = StudyPage(key=map.PATH, place="compare", sections={"map": map.show}, ends=map.opened)
