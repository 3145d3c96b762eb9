"""A DP-SGD that is not ours: does it do what it claims?"""
