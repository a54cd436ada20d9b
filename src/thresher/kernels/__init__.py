"""Compiled array code, and nothing else: arrays in, arrays out.

Each kernel has a slow twin in ``tests/naive.py`` that says the same thing in plain Python.
"""
