"""``thresher demo``: the main job once, on data that come with scikit-learn."""

from pathlib import Path

import typer

from ._errors import polite
from ._output import check_output, print_selection
from ._run import run_select

__all__ = ["demo"]


def demo(
    output: Path = typer.Option(Path("thresher-demo.json"), help="Where the result goes."),
    report: Path = typer.Option(Path("thresher-demo.html"), help="Where the page about it goes."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Select among 30 real columns and 30 shuffled copies of them; write the result and a page."""
    import numpy as np
    import polars as pl
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    rng = np.random.default_rng(0)
    columns = {str(name): data.data[:, j] for j, name in enumerate(data.feature_names)}
    columns |= {f"shuffled {name}": rng.permutation(values) for name, values in columns.items()}
    typer.echo(
        f"Breast cancer data: {len(data.target)} rows, 30 measurements and a shuffled copy of each "
        "that means nothing.\nWhich of them are proved to matter? (--goal explain)\n",
        err=True,
    )
    with polite():
        check_output(output, "--output")
        check_output(report, "--report")
        asked = {"n_jobs": -1, "random_state": 1, "goal": "explain"}
        selection = run_select(
            lambda: (pl.DataFrame(columns), data.target, asked), quiet=False, reading="columns"
        )
        print_selection(selection, as_json=as_json)
        selection.save(output)
        selection.report(report)
    typer.echo(f"The whole result is in {output}, a page about it in {report}", err=True)
