"""What a shell may complete: names of methods and estimators, and columns of the file."""

import os
import shlex
from pathlib import Path

__all__ = ["complete_estimator", "complete_goal", "complete_method", "complete_target"]

#: A header is within so many bytes, or it is not read at every press of a key.
_HEADER = 1 << 20
#: Where shells put the line to be completed.
_LINE = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
_SEPARATORS = {".csv": ",", ".tsv": "\t"}


def complete_method(incomplete: str) -> list[str]:
    """Names of methods."""
    from thresher.workflow import selector_classes

    return [name for name in ("auto", *selector_classes()) if name.startswith(incomplete)]


def complete_goal(incomplete: str) -> list[str]:
    """Names of goals."""
    from thresher.selection import GOALS

    return [name for name in GOALS if name.startswith(incomplete)]


def complete_estimator(incomplete: str) -> list[str]:
    """Names of estimators."""
    from thresher.workflow import ESTIMATORS

    return [name for name in ESTIMATORS if name.startswith(incomplete)]


def complete_target(incomplete: str) -> list[str]:
    """Columns of the file, if it is there and has a header."""
    names = [name for path in _files() for name in _columns_of(path)]
    return [name for name in names if name.startswith(incomplete)]


def _files() -> list[Path]:
    """Files among the words of the line; an option without its value keeps them from the parser."""
    line = next((os.environ[name] for name in _LINE if name in os.environ), "")
    try:
        return [Path(word) for word in shlex.split(line)]
    except ValueError:  # a quote is still open
        return []


def _columns_of(path: Path) -> list[str]:
    try:
        if path.suffix == ".parquet":
            import polars as pl

            return list(pl.read_parquet_schema(path))
        if path.suffix not in _SEPARATORS:
            return []
        with path.open(encoding="utf-8-sig") as file:
            header = file.readline(_HEADER).rstrip("\r\n")
        return [name.strip().strip('"') for name in header.split(_SEPARATORS[path.suffix])]
    except Exception:  # a completion never complains
        return []
