"""Quality and speed of thresher beside its peers: ``python -m benchmarks.peers``.

Each peer lives in an environment of its own, is asked by a process of its own, and sees the same
tables. To add one, write ``adapters/<name>.py`` and a line in ``registry.py``.
"""
