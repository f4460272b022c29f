"""Benchmarks: each prints JSON with ratios against a named peer measured in the same run."""
