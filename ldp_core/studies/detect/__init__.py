"""What a client's detectors refuse before it randomizes, and what the rest still gives away."""
