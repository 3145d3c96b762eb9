"""What charts for print are made of, with matplotlib, and the one chart that is not described."""
