"""The story of the overview page: one step, one file. Each step draws itself again without the rest of the page."""
