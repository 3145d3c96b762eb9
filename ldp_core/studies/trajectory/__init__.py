"""Where the pairs of the attacks lie in the plane of angle and norm as the model learns."""
