"""What the HTML documents of all studies are made of."""
