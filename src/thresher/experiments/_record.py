"""Results on disk: JSON for programs, a page for people, the picture, and where it was measured."""

import json
import os
import platform
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from thresher.selection import without_nan
from thresher.selectors import library_versions

from ._base import Experiment
from ._cells import shown
from ._draw import draw
from ._result import Result

__all__ = ["machine", "markdown_table", "page_of", "save", "write_index"]


HEADINGS = ("result", "what it is", "shows", "minutes", "date")


def machine() -> dict[str, Any]:
    """Tell what this machine is, without its name."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _memory() -> str:
    if not hasattr(os, "sysconf"):  # Windows
        return "memory unknown"
    size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{size / 2**30:.0f} GiB"


def _processor() -> str:
    try:
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"))
    except OSError:
        found = None
    return found.group(1) if found else platform.processor() or "unknown"


def save(
    result: Result,
    name: str,
    folder: Path,
    *,
    command: str,
    seconds: float,
    runs: int | None = None,
    n_recalled: int = 0,
    versions: Mapping[str, str] | None = None,
) -> None:
    """Write ``name.json``, ``name.md`` and, if there is a picture, ``name.svg``.

    Parameters
    ----------
    result : Result
        What was measured.
    name : str
        Of the experiment.
    folder : Path
        Where to; made if it does not exist.
    command : str
        What gives these figures again.
    seconds : float
        What it took.
    runs : int, optional
        Repetitions; run k has the seed k, from 0 on.
    n_recalled : int, default=0
        Outcomes that a journal held from an earlier sitting.
    versions : mapping, optional
        Versions of others that took part.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "name": name,
        "command": command,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "seconds": round(seconds, 1),
        "runs": runs,
        "seeds": None if runs is None else f"0 to {runs - 1}" if runs > 1 else "0",
        **({"n_recalled": n_recalled} if n_recalled else {}),
        "machine": machine(),
        "versions": {**library_versions(), **(versions or {})},
        **result.to_dict(),
    }
    text = json.dumps(without_nan(record), indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(page_of(json.loads(text)), encoding="utf-8")
    if result.picture is not None:
        draw(result.picture, folder / f"{name}.svg")


def page_of(record: Mapping[str, Any]) -> str:
    """Return the page about a record, as Markdown."""
    result = Result.from_dict(record)
    parts = [f"# {record['name']}: {result.title}", f"`{record['command']}`"]
    if record["picture"] is not None:
        parts.append(f"![{result.title}]({record['name']}.svg)")
    parts.append(markdown_table(result))
    for heading, sentences in (
        ("Ours by choice", result.deviations),
        ("How it was measured", result.notes),
    ):
        if sentences:
            parts += [f"## {heading}", "\n".join(f"- {sentence}" for sentence in sentences)]
    parts += ["## Where and when", _provenance(record)]
    return "\n\n".join(parts) + "\n"


def _provenance(record: Mapping[str, Any]) -> str:
    home = record["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    lines = [
        f"{record['date']}, {record['seconds'] / 60:.1f} minutes on {home['cores']} cores "
        f"({home['processor']}), {home['memory']}, {home['system']}.",
        f"{versions}.",
    ]
    if record["runs"] is not None:
        lines.append(f"Runs: {record['runs']}; seeds: {record['seeds']}.")
    if record.get("n_recalled"):
        lines.append(
            "Outcomes kept from earlier runs, by the same sources: "
            f"{record['n_recalled']}; the minutes count what they took."
        )
    return "\n".join(f"- {line}" for line in lines)


def markdown_table(result: Result) -> str:
    r"""Return the table as Markdown; columns of numbers are aligned to the right.

    Examples
    --------
    >>> print(markdown_table(Result("Sizes", ("name", "size"), (("a|b", 1),))))
    | name | size |
    |---|--:|
    | a\|b | 1 |
    """
    n_columns = len(result.columns)
    words = [any(isinstance(row[k], str) for row in result.rows) for k in range(n_columns)]
    lines = [_line(result.columns), "|" + "|".join("---" if w else "--:" for w in words) + "|"]
    lines += [_line(tuple(shown(cell) for cell in row)) for row in result.rows]
    return "\n".join(lines)


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def write_index(folder: Path, experiments: Mapping[str, Experiment]) -> None:
    """Write ``index.md``, which tells of all records in the folder.

    Parameters
    ----------
    folder : Path
        With records of `save`.
    experiments : mapping of str to Experiment
        By name, in the order of the index; those without a record are listed, too.
    """
    records = {
        path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))
    }
    about = {name: (record["title"], "") for name, record in records.items()}
    about |= {name: (each.summary, ", ".join(each.shows)) for name, each in experiments.items()}
    order = [name for name in experiments if name in records]
    order += [name for name in records if name not in experiments]
    rows = []
    for name in order:
        record = records[name]
        minutes = f"{record['seconds'] / 60:.1f}"
        rows.append(_line((f"[{name}]({name}.md)", *about[name], minutes, record["date"])))
    for name in (name for name in experiments if name not in records):
        rows.append(_line((name, *about[name], "", "not run yet")))
    lines = [
        "# Results: ours beside the papers' and the peers'",
        "Every page here is written by the command that it names, with machine, versions, seeds "
        "and date; nothing is typed by hand. `thresher reproduce all --save docs/results --data "
        'FOLDER` writes those of the papers anew, `make bench-peers ARGS="--output docs/results '
        '--data FOLDER"` those of the peers.',
        "\n".join((_line(HEADINGS), "|---|---|---|--:|---|", *rows)),
        "```{toctree}\n:hidden:\n\n" + "\n".join(order) + "\n```",
    ]
    (folder / "index.md").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
