"""What charts, tables and documents of all studies share."""
