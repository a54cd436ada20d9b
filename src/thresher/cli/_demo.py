"""``thresher demo``: the main job once, on data that come with scikit-learn."""

from pathlib import Path

import numpy as np
import typer

from ._errors import polite
from ._output import print_selection
from ._select import check_output, run_selector

__all__ = ["demo"]


def demo(
    output: Path = typer.Option(Path("thresher-demo.json"), help="Where the result goes."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Select among 30 real columns and 30 shuffled copies of them; write the result to a file."""
    import polars as pl
    from sklearn.datasets import load_breast_cancer
    from sklearn.naive_bayes import GaussianNB

    from thresher.selectors import Stepwise

    data = load_breast_cancer()
    rng = np.random.default_rng(0)
    columns = {str(name): data.data[:, j] for j, name in enumerate(data.feature_names)}
    columns |= {f"shuffled {name}": rng.permutation(values) for name, values in columns.items()}
    typer.echo(
        f"Breast cancer data: {len(data.target)} rows, 30 measurements and a shuffled copy of each "
        "that means nothing.\nForward selection around naive Bayes, five folds:\n",
        err=True,
    )
    selector = Stepwise(GaussianNB(), loss="log", rule="one-standard-error", random_state=0)
    with polite():
        check_output(output)
        run_selector(selector, pl.DataFrame(columns), data.target, quiet=False)
        print_selection(selector.selection_, as_json=as_json)
        selector.selection_.save(output)
    typer.echo(f"The whole result, with the trace of every step, is in {output}", err=True)
