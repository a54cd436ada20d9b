"""A value as bytes: to be sent, or written to a file that workers map into their memory."""

import mmap
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
from numpy.typing import NDArray

__all__ = ["Parcel", "pack", "read_value", "unpack", "write_value"]

#: Where arrays begin in a file, as they do in memory.
_ALIGNMENT = 64


@dataclass(frozen=True, eq=False)
class Parcel:
    """A pickled value and, apart from it, the memory of its arrays."""

    pickled: bytes
    buffers: tuple[NDArray[np.uint8], ...]

    @property
    def nbytes(self) -> int:
        """The size, for schedulers that ask."""
        return len(self.pickled) + sum(buffer.nbytes for buffer in self.buffers)

    def __sizeof__(self) -> int:
        return self.nbytes


def pack(value: Any) -> Parcel:
    """Pickle a value, classes and functions of scripts and notebooks included; arrays stay put."""
    buffers: list[pickle.PickleBuffer] = []
    pickled = cloudpickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    return Parcel(pickled, tuple(np.frombuffer(own.raw(), np.uint8) for own in buffers))


def unpack(parcel: Parcel) -> Any:
    """The value.

    Its arrays can be written to if they could before, because kernels are compiled for such, and
    begin where arrays do, because matrix products of others differ in the last digits.
    """
    return pickle.loads(parcel.pickled, buffers=[_usable(own) for own in parcel.buffers])


def _usable(buffer: NDArray[np.uint8]) -> NDArray[np.uint8]:
    if buffer.flags.writeable and buffer.ctypes.data % _ALIGNMENT == 0:
        return buffer
    room = np.empty(len(buffer) + _ALIGNMENT, dtype=np.uint8)
    start = -room.ctypes.data % _ALIGNMENT
    copy = room[start : start + len(buffer)]
    copy[:] = buffer
    return copy


def write_value(value: Any, path: Path) -> None:
    """Write a value for `read_value`."""
    parcel = pack(value)
    sizes = [own.nbytes for own in parcel.buffers]
    head = pickle.dumps((parcel.pickled, sizes))
    with path.open("wb") as file:
        file.write(len(head).to_bytes(8, "little"))
        file.write(head)
        for own in parcel.buffers:
            file.write(bytes(-file.tell() % _ALIGNMENT))
            file.write(own.data)


def read_value(path: Path) -> Any:
    """Read a value whose arrays stay in the file, in memory that all its readers share.

    Whoever writes to them gets a copy of that part of his own.
    """
    with path.open("rb") as file:
        memory = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    place = 8 + int.from_bytes(memory[:8], "little")
    pickled, sizes = pickle.loads(memory[8:place])
    buffers = []
    for size in sizes:
        place += -place % _ALIGNMENT
        buffers.append(memory[place : place + size])
        place += size
    return pickle.loads(pickled, buffers=buffers)
