"""Mechanisms of others: what they claim, how they are reached and examined."""
