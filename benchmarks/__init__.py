"""Benchmarks: ratios against peers, measured in the same run on the same machine."""
