"""What a capacity stops: a server that crafts its model, larger batches, compression, and how similar pictures stay."""
