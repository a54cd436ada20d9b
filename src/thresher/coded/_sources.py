"""A folder of Parquet and Arrow files as one table, read a few rows and columns at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thresher.columns import Kind
from thresher.files import FORMATS, TableError
from thresher.files._names import column_names, shown, unknown_column
from thresher.files._source import Source

from ._kinds import kind_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["DataFile", "Dataset", "check_suffix", "open_dataset"]

_PARQUET = FORMATS["parquet"].suffixes
_ARROW = FORMATS["arrow"].suffixes
_OTHERS = tuple(
    ending
    for name, found in FORMATS.items()
    if name not in ("parquet", "arrow")
    for ending in found.endings
)
#: Bytes of a file that are read at once, for each column.
_BUFFER = 2**16


@dataclass(frozen=True)
class DataFile:
    """One file of the table.

    Parameters
    ----------
    path : Path
        Where it is.
    name : str
        What messages call it.
    """

    path: Path
    name: str

    def error(self, message: str) -> TableError:
        """Return (not raise) the error with the file in front."""
        return TableError(f"{self.name}: {message}")

    @cached_property
    def schema(self) -> pa.Schema:
        """Names and types of its columns."""
        with self._reading():
            if self._is_parquet:
                import pyarrow.parquet as pq

                with pq.ParquetFile(self.path) as file:
                    return file.schema_arrow
            with self._open_arrow() as reader:
                return reader.schema

    @cached_property
    def names(self) -> list[str]:
        """Names of its columns; those without one are called after their position."""
        return column_names(self.schema.names, Source(self.name, b""))

    @cached_property
    def n_rows(self) -> int:
        """Rows in it."""
        with self._reading():
            if self._is_parquet:
                import pyarrow.parquet as pq

                return int(pq.read_metadata(self.path).num_rows)
            with self._open_arrow([0]) as reader:
                return sum(batch.num_rows for batch in _arrow_batches(reader))

    @cached_property
    def position_of(self) -> dict[str, int]:
        """Where each column is."""
        return {name: p for p, name in enumerate(self.names)}

    def type_of(self, name: str) -> pa.DataType:
        """Type of a column."""
        return self.schema.field(self.position_of[name]).type

    def batches(self, columns: Sequence[str], n_rows: int) -> Iterator[list[pa.Array]]:
        """Yield some columns, at most ``n_rows`` rows at a time."""
        positions = [self.position_of[name] for name in columns]
        wanted = [self.schema.names[p] for p in positions]
        with self._reading():
            if self._is_parquet:
                import pyarrow.parquet as pq

                with pq.ParquetFile(self.path, buffer_size=_BUFFER, pre_buffer=False) as file:
                    found = file.iter_batches(n_rows, columns=wanted, use_threads=False)
                    for batch in found:
                        yield [batch.column(name) for name in wanted]
                return
            with self._open_arrow(positions) as reader:
                # as they are in the file: in the order of the file, and possibly large
                place = {p: k for k, p in enumerate(sorted(positions))}
                for batch in _arrow_batches(reader):
                    for start in range(0, batch.num_rows, n_rows):
                        part = batch.slice(start, n_rows)
                        yield [part.column(place[p]) for p in positions]

    @property
    def _is_parquet(self) -> bool:
        return self.path.name.lower().endswith(_PARQUET)

    @contextmanager
    def _open_arrow(self, positions: list[int] | None = None) -> Iterator[Any]:
        import pyarrow as pa

        options = pa.ipc.IpcReadOptions(included_fields=positions, use_threads=False)
        with pa.memory_map(str(self.path)) as mapped:
            is_file = mapped.read(6) == b"ARROW1"
            mapped.seek(0)
            opened = pa.ipc.open_file if is_file else pa.ipc.open_stream
            with opened(mapped, options=options) as reader:
                yield reader

    @contextmanager
    def _reading(self) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except TableError:
            raise
        except (pa.ArrowException, OSError, ValueError, EOFError) as problem:
            reason = str(problem).partition("\n")[0]
            raise self.error(f"cannot be read as a Parquet or Arrow file ({reason})") from problem


def _arrow_batches(reader: Any) -> Iterator[Any]:
    if hasattr(reader, "num_record_batches"):
        yield from (reader.get_batch(k) for k in range(reader.num_record_batches))
    else:
        yield from reader


@dataclass(frozen=True)
class Dataset:
    """All files, which have the same columns.

    Parameters
    ----------
    root : Path
        The folder, or the only file.
    files : tuple of DataFile
        In the order of their names.
    names : tuple of str
        The columns to be coded.
    kinds : tuple of str
        Their kinds.
    target : str
        The target column.
    """

    root: Path
    files: tuple[DataFile, ...]
    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    target: str

    @cached_property
    def n_rows(self) -> int:
        """Rows of all files together."""
        return sum(file.n_rows for file in self.files)

    def batches(
        self, columns: Sequence[str], n_rows: int
    ) -> Iterator[tuple[DataFile, list[pa.Array]]]:
        """Yield some columns of all rows, file after file."""
        for file in self.files:
            for arrays in file.batches(columns, n_rows):
                if len(arrays[0]):
                    yield file, arrays


def open_dataset(
    path: str | os.PathLike[str], target: str | None, drop: Sequence[str] = ()
) -> Dataset:
    """Find the files, and check that they have the same columns.

    Parameters
    ----------
    path : str or path
        A folder of Parquet or Arrow files, or one of them.
    target : str
        The target column.
    drop : sequence of str
        Columns to leave out.
    """
    if find_spec("pyarrow") is None:
        raise ImportError(
            "reading Parquet and Arrow files needs pyarrow: pip install thresher[cli]"
        )
    root = Path(path)
    files = tuple(_find_files(root))
    first = files[0]
    source = Source(first.name, b"")
    if target is None:
        last = shown(first.names[-1])
        raise first.error(f"say which column is the target, {last} for instance")
    for role, name in (("target", target), *(("dropped", name) for name in drop)):
        if name not in first.names:
            raise unknown_column(role, name, first.names, source)
    if target in drop:
        raise first.error(f"the target {shown(target)} cannot be dropped")
    left_out = {target, *drop}
    names = [name for name in first.names if name not in left_out]
    if not names:
        raise first.error(f"no column is left besides the target {shown(target)}")
    kinds = [_kind(first, name) for name in names]
    for file in files[1:]:
        _check_same(first, file, [*names, target], drop)
    found = Dataset(root, files, tuple(names), tuple(kinds), target)
    if not found.n_rows:
        raise TableError(f"{root}: there are columns but no rows")
    return found


def _find_files(root: Path) -> Iterator[DataFile]:
    if not root.exists():
        raise TableError(f"{root}: no such file or folder")
    if not root.is_dir():
        check_suffix(root, root)
        yield DataFile(root, str(root))
        return
    found = []
    for folder, inner, files in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith((".", "_")))
        for name in inner:
            if "=" in name:
                raise TableError(
                    f"{Path(folder, name)}: folders that stand for a column (name=value) are not "
                    "read; write the column into the files"
                )
        for name in files:
            if name.startswith((".", "_")):
                continue
            if name.lower().endswith(_PARQUET + _ARROW):
                found.append(Path(folder, name))
            elif name.lower().endswith(_OTHERS):
                check_suffix(Path(folder, name), root)
    if not found:
        known = ", ".join(_PARQUET + _ARROW)
        raise TableError(f"{root}: no Parquet or Arrow files in this folder (suffixes {known})")
    for path in sorted(found, key=lambda path: path.relative_to(root).as_posix()):
        yield DataFile(path, str(path))


def check_suffix(path: Path, root: Path) -> None:
    """Refuse a file that cannot be read a part at a time, and say what to do about it."""
    if path.name.lower().endswith(_PARQUET + _ARROW):
        return
    where = "" if path == root else f" in the folder {root}"
    raise TableError(
        f"{path}: only Parquet and Arrow files{where} can be read a part at a time; convert it, "
        "for instance by polars: pl.scan_csv(file).sink_parquet(file_parquet)"
    )


def _kind(file: DataFile, name: str) -> Kind:
    dtype = file.type_of(name)
    kind = kind_of(dtype)
    if kind is None:
        raise file.error(
            f"column {shown(name)} has type {dtype}, which cannot be an input; expected numbers, "
            "booleans, categories, text or moments; drop it"
        )
    return kind


def _check_same(first: DataFile, file: DataFile, names: Sequence[str], drop: Sequence[str]) -> None:
    for name in names:
        if name not in file.position_of:
            raise file.error(f"there is no column {shown(name)}, which {first.name} has")
        types = [own.type_of(name) for own in (first, file)]
        if types[0] != types[1] and len({_family(kind_of(dtype)) for dtype in types}) > 1:
            raise file.error(
                f"column {shown(name)} has type {types[1]}, but {types[0]} in {first.name}"
            )
    known = {*first.position_of, *drop}
    extra = [name for name in file.names if name not in known]
    if extra:
        raise file.error(f"there is a column {shown(extra[0])}, which {first.name} has not")


def _family(kind: Kind | None) -> str | None:
    """Text may be a dictionary in one file and plain in another."""
    return "text" if kind in ("categorical", "string") else kind
