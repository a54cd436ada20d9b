"""One virtual environment for each set of requirements, made when it is first needed.

The packages of this field exclude each other (numpy 1 here, pandas 2 there), so no single
environment could hold them all.
"""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".peers"
#: What is told of versions beside those of the requirements themselves.
TOLD = ("numpy", "scipy", "scikit-learn", "pandas", "lightgbm", "catboost", "shap")
PATIENCE = 1200

_LISTING = """
import json, re
from importlib.metadata import distributions
plain = lambda name: re.sub(r"[-_.]+", "-", name).lower()
print(json.dumps({plain(d.metadata["Name"]): d.version for d in distributions()}))
"""


@dataclass(frozen=True)
class Environment:
    """A Python to run adapters with, or the reason why there is none."""

    python: Path | None
    versions: str
    problem: str | None = None


def bare_name(requirement: str) -> str:
    """Return the name in a requirement, in the one spelling that all spellings share.

    >>> bare_name("mrmr_selection>=0.2")
    'mrmr-selection'
    """
    name = requirement
    for mark in "<>=!~[; ":
        name = name.split(mark)[0]
    return name.strip().lower().replace("_", "-").replace(".", "-")


def environment_for(requirements: tuple[str, ...]) -> Environment:
    """Make the environment unless it is there, and say what is in it."""
    if not requirements:
        return Environment(Path(sys.executable), versions_told(sys.executable, ()))
    folder = HOME / bare_name(requirements[0])
    known = _known(folder, requirements)
    if known["problem"]:
        return Environment(None, "", known["problem"])
    return Environment(_python_in(folder), known["versions"])


def versions_told(python: Path | str, requirements: tuple[str, ...]) -> str:
    """Return the installed versions that matter, such as ``"boruta 0.4.3, numpy 2.4.6"``."""
    done = subprocess.run([str(python), "-c", _LISTING], capture_output=True, text=True, check=True)
    installed = json.loads(done.stdout)
    named = [bare_name(requirement) for requirement in requirements]
    return ", ".join(
        f"{name} {installed[name]}" for name in dict.fromkeys((*named, *TOLD)) if name in installed
    )


@cache  # within a run, what could not be made is not tried again
def _known(folder: Path, requirements: tuple[str, ...]) -> dict:
    known = _read_mark(folder, requirements)
    if known is None:
        known = _make(folder, requirements)
        (folder / "made.json").write_text(json.dumps(known))
    return known


def _make(folder: Path, requirements: tuple[str, ...]) -> dict:
    print(f"making an environment for {', '.join(requirements)}", file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    known = {"requirements": list(requirements), "versions": "", "problem": None}
    python = _python_in(folder)
    steps = (
        [sys.executable, "-m", "venv", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", "--no-input", *requirements],
    )
    try:
        for step in steps:
            subprocess.run(step, capture_output=True, text=True, check=True, timeout=PATIENCE)
        known["versions"] = versions_told(python, requirements)
    except subprocess.TimeoutExpired:
        known["problem"] = f"could not be installed in {PATIENCE} s"
    except subprocess.CalledProcessError as error:
        known["problem"] = f"could not be installed: {last_line(error.stderr or error.stdout)}"
    return known


def _read_mark(folder: Path, requirements: tuple[str, ...]) -> dict | None:
    """Return what is known of an environment that needs not be made again.

    One that could not be made is tried again in the next run: the network may be back.
    """
    try:
        known = json.loads((folder / "made.json").read_text())
    except (OSError, ValueError):
        return None
    fits = known.get("requirements") == list(requirements) and not known.get("problem")
    return known if fits and _python_in(folder).exists() else None


def _python_in(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def last_line(text: str | None) -> str:
    """Return the last line that says what went wrong."""
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    errors = [line for line in lines if "rror" in line]
    return (errors or lines or ["no reason was given"])[-1][:300]
