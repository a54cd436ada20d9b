"""What a shell may complete: names of methods and estimators, and columns of the file."""

from pathlib import Path

import typer

__all__ = ["complete_estimator", "complete_method", "complete_target"]

#: A header is within so many bytes, or it is not read at every press of a key.
_HEADER = 1 << 20
_SEPARATORS = {".csv": ",", ".tsv": "\t"}


def complete_method(incomplete: str) -> list[str]:
    """Names of methods."""
    from thresher.workflow import selector_classes

    return [name for name in ("auto", *selector_classes()) if name.startswith(incomplete)]


def complete_estimator(incomplete: str) -> list[str]:
    """Names of estimators."""
    from thresher.workflow import ESTIMATORS

    return [name for name in ESTIMATORS if name.startswith(incomplete)]


def complete_target(context: typer.Context, incomplete: str) -> list[str]:
    """Columns of the file, if it is there and has a header."""
    names = _columns_of(Path(str(context.params.get("file") or "")))
    return [name for name in names if name.startswith(incomplete)]


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
