"""Could somebody see a picture from what is sent? Attackers, what they reach, and the limits of a report."""
