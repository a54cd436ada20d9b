"""Files that are written whole or not at all."""

import os
import tempfile
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write atomically; follow symlinks; write directly to what is not a regular file."""
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        target.write_text(text + "\n", encoding="utf-8")
        return
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        os.chmod(draft, 0o666 & ~_umask())
        os.replace(draft, target)
    except BaseException:
        os.unlink(draft)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
