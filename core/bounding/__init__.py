"""Contribution bounding: what relation `user` computes, from public constants in place of exact counts."""
