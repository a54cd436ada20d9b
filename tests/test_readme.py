"""The README is true: its example prints what it says, and it names every command."""

import contextlib
import io
import re
from pathlib import Path

from thresher.cli._app import app

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_the_example_prints_what_the_readme_shows():
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    shown = re.search(r"```\n(Selection: .*?)```", README, re.DOTALL).group(1)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == shown


def test_every_command_is_in_the_readme():
    for command in app.registered_commands:
        assert f"thresher {command.callback.__name__}" in README
