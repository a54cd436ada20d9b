"""What a selection is worth on real tables: error of three judges relative to all columns.

``python -m benchmarks.real --help`` tells how to run it.
"""
