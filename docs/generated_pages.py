"""Pages that are made from the code: every ``__all__``, the command line, the examples.

There is no list of names to keep: what a package exports has a page, in the order of ``__all__``.
"""

import importlib
import inspect
import pprint
import shutil
from enum import Enum
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"

PACKAGES = {
    "thresher": "Selectors and their results.",
    "thresher.selection": "What a result is made of.",
    "thresher.filters": "Columns judged by statistics, before any learner sees them.",
    "thresher.learners": "The papers' learners, as scikit-learn estimators.",
    "thresher.searches": "Strategies: what to compare next.",
    "thresher.races": "Judges: who wins, and when we know.",
    "thresher.evaluators": "The held-out loss of every row, for any subset of the columns.",
    "thresher.stats": "The tests behind the judges and behind ACE, as plain functions.",
    "thresher.datasets": "The papers' artificial data, with the truth about every column.",
    "thresher.files": "Tables from files.",
    "thresher.coded": "Tables larger than memory.",
    "thresher.testing": "Checks for strategies, judges, evaluators, learners and selectors.",
}


def pages() -> dict[str, str]:
    """Return the text of every page, by its file name."""
    found = {"index.rst": _index(), "command-line.md": command_line(), "examples.md": examples()}
    for package in PACKAGES:
        module = importlib.import_module(package)
        found[f"{package}.rst"] = _package(package, module)
        for name in own_names(package):
            found[f"{package}.{name}.rst"] = _member(package, name, getattr(module, name))
    return found


def own_names(package: str) -> list[str]:
    """Names that a package exports, without those that have their page at the top."""
    top, module = importlib.import_module("thresher"), importlib.import_module(package)
    return [
        name
        for name in module.__all__
        if module is top or getattr(top, name, None) is not getattr(module, name)
    ]


def write(folder: Path) -> None:
    """Write the pages that changed, and remove those that are no longer there."""
    wanted = pages()
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _index() -> str:
    rows = "\n".join(f"   * - :doc:`{p} <{p}>`\n     - {about}" for p, about in PACKAGES.items())
    return (
        f"{_title('Reference')}Made from the docstrings. A name without a leading underscore that "
        "its package lists in ``__all__`` is public.\n\n"
        f".. list-table::\n   :widths: auto\n   :class: names\n\n{rows}\n\n"
        f"{_toctree(PACKAGES)}"
    )


def _package(package: str, module: Any) -> str:
    rows = "\n".join(
        f"   * - :py:obj:`~{package}.{name}`\n     - {about(package, name, getattr(module, name))}"
        for name in own_names(package)
    )
    return (
        f"{_title(package)}{PACKAGES[package]}\n\n.. py:module:: {package}\n   :no-index-entry:\n\n"
        f".. list-table::\n   :widths: auto\n   :class: names\n\n{rows}\n\n"
        f"{_toctree(f'{package}.{name}' for name in own_names(package))}"
    )


def _member(package: str, name: str, value: Any) -> str:
    head = f"{_title(name)}.. currentmodule:: {package}\n\n"
    if inspect.isclass(value):
        values = "   :undoc-members:\n" if issubclass(value, Enum) else ""
        return f"{head}.. autoclass:: {name}\n{values}"
    if inspect.isroutine(value):
        return f"{head}.. autofunction:: {name}\n"
    shown = "\n".join("       " + line for line in pprint.pformat(value, width=88).split("\n"))
    return f"{head}.. py:data:: {name}\n\n   {about(package, name, value)}\n\n   ::\n\n{shown}\n"


def about(package: str, name: str, value: Any) -> str:
    """Return the first paragraph of what is said about a name."""
    if inspect.isclass(value) or inspect.isroutine(value):
        doc = inspect.getdoc(value) or ""
    else:
        doc = _said_of_data(package, name)
    return doc.split("\n\n")[0].replace("\n", " ")


def _said_of_data(package: str, name: str) -> str:
    """Find the words beside an assignment, in whichever file of the package it is."""
    from sphinx.pycode import ModuleAnalyzer

    folder = Path(inspect.getfile(importlib.import_module(package))).parent
    for path in sorted(folder.glob("_*.py")):
        said = ModuleAnalyzer.for_module(f"{package}.{path.stem}").find_attr_docs()
        if ("", name) in said:
            return "\n".join(said["", name])
    return "The version of the package." if name == "__version__" else ""


def _title(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n\n"


def _toctree(names: Any) -> str:
    return ".. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in names)


def command_line() -> str:
    """Describe every command with its options, from what typer knows about them."""
    import typer

    from thresher.cli._app import app

    group: Any = typer.main.get_command(app)
    parts = [
        "# Command line reference\n",
        "Data go to stdout, all else to stderr. How to use it: [the tutorial](../tutorial.md).\n",
        "| exit code | |\n|---|---|\n| 0 | done |\n"
        "| 1 | an estimator failed in a way of its own; the message has its words |\n"
        "| 2 | misuse, or data that a method or an estimator refuses; the message says why |\n"
        "| 130 | interrupted by Ctrl-C; the best so far is printed, if there is any |\n",
    ]
    for name, command in group.commands.items():
        parts.append(f"## `thresher {name}`\n\n{inspect.cleandoc(command.help or '')}\n")
        parts.append(_options(command))
    return "\n".join(parts)


def examples() -> str:
    """Show every script in ``examples/`` under what it says of itself."""
    parts = [
        "# Examples\n",
        "Short scripts to copy, all in `examples/`. They run without arguments in a few seconds, "
        "and the test suite checks what they print.\n",
    ]
    for path in sorted(EXAMPLES.glob("*.py")):
        parts.append(f"## `{path.name}`\n\n```{{literalinclude}} ../../examples/{path.name}")
        parts.append(":language: python\n```\n")
    return "\n".join(parts)


def _options(command: Any) -> str:
    rows = ["| | | default |", "|---|---|---|"]
    for parameter in command.params:
        is_argument = parameter.param_type_name == "argument"
        names = [parameter.metavar or parameter.name.upper()] if is_argument else parameter.opts
        default = "" if parameter.required else _default(parameter)
        label = ", ".join(f"`{name}`" for name in [*names, *parameter.secondary_opts])
        rows.append(f"| {label} | {getattr(parameter, 'help', '') or ''} | {default} |")
    return "\n".join(rows) + "\n"


def _default(parameter: Any) -> str:
    value = parameter.default
    return "" if value in (None, [], (), False) or callable(value) else f"`{value}`"
