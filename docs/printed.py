"""Run the code of the pages; ``python docs/printed.py [PAGE ...]`` writes down what it prints.

Every block marked ``python`` is run, all blocks of a page in one module; a block marked ``text``
right after it is what it prints. Lines of a ``console`` block that begin with ``$ thresher`` are
run as well. Code that is only to be read is a ``{code-block}``.
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
BLOCK = re.compile(
    r"^```(python|console)\n(.*?)^```\n(?:\s*^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE
)


def has_code(page: Path) -> bool:
    """Whether there is anything to run."""
    return BLOCK.search(page.read_text(encoding="utf-8")) is not None


def run(page: Path) -> Iterator[tuple[re.Match[str], str]]:
    """Run a page in the current folder; yield each block, with what it printed."""
    # a module that can be imported, because scikit-learn's checks pickle what a page defines
    module = types.ModuleType(f"page_{page.stem.replace('-', '_')}")
    sys.modules[module.__name__] = module
    try:
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                if block[1] == "python":
                    exec(compile(block[2], f"{page.name}: {block[2]}", "exec"), vars(module))
                else:
                    _run_commands(block[2])
            yield block, printed.getvalue()
    finally:
        del sys.modules[module.__name__]


def _run_commands(text: str) -> None:
    from typer.testing import CliRunner

    from thresher.cli._app import app

    for line in re.findall(r"^\$ thresher (.*)$", text.replace("\\\n", " "), re.MULTILINE):
        result = CliRunner().invoke(app, shlex.split(line, comments=True))
        if result.exit_code:
            raise RuntimeError(f"thresher {line}: exit code {result.exit_code}: {result.output}")


def rewrite(page: Path) -> None:
    """Put what is printed now in place of what is written there."""
    text = page.read_text(encoding="utf-8")
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for block, printed in reversed(list(run(page))):
                if block[3] is not None:
                    text = text[: block.start(3)] + printed + text[block.end(3) :]
        finally:
            os.chdir(before)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.stem for path in HERE.glob("*.md")):
        if has_code(HERE / f"{name}.md"):
            rewrite(HERE / f"{name}.md")
