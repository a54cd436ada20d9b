"""From the plain dict of a selection to everything that its page shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._columns import Column, read_columns
from ._curve import LossCurve, summarise_curves
from ._headline import Headline, summarise_headline
from ._importances import Importances, in_threshold_units, summarise_importances
from ._masking import Cluster, MaskingMatrix, summarise_clusters, summarise_masking
from ._path import PathSummary, summarise_path
from ._provenance import Provenance, summarise_provenance
from ._stability import StabilitySummary, summarise_stability
from ._validation import ValidationSummary, summarise_validation
from ._words import as_number, setting

__all__ = ["Page", "summarise"]


@dataclass(frozen=True)
class Page:
    """All that a page shows; what the selection does not have is None or empty."""

    headline: Headline
    path: PathSummary | None
    validation: ValidationSummary | None
    importances: Importances | None
    clusters: tuple[Cluster, ...]
    masking: MaskingMatrix | None
    curves: tuple[LossCurve, ...]
    stability: StabilitySummary | None
    columns: tuple[Column, ...]
    provenance: Provenance


def summarise(content: Mapping[str, Any], *, n_columns: int | None = None) -> Page:
    """Summarise a selection.

    Parameters
    ----------
    content : mapping
        What ``Selection.to_dict`` gives, with None in place of NaN: what a saved file holds.
    n_columns : int, optional
        Most columns in a chart; by default 30, and 40 in the masking matrix.

    Returns
    -------
    Page

    Examples
    --------
    >>> page = summarise(
    ...     {
    ...         "selected": ["age"],
    ...         "verdicts": [{"name": "age", "kind": "relevant", "score": 0.4}],
    ...         "trace": [],
    ...         "cost": {},
    ...     }
    ... )
    >>> page.headline.title
    '1 of 1 column selected'
    """
    columns = read_columns(content)
    trace = content["trace"]
    clusters = summarise_clusters(columns, content.get("clusters") or ())
    path = summarise_path(content)
    curves = summarise_curves(content)
    validation = summarise_validation(content)
    stability = summarise_stability(content, columns, n_columns or 30)
    level = as_number(setting(content, "masking_alpha"))
    return Page(
        headline=summarise_headline(
            content,
            columns,
            tested=in_threshold_units(columns, trace),
            clusters=clusters,
            path=path,
            curves=curves,
            validation=validation,
            stability=stability,
        ),
        path=path,
        validation=validation,
        importances=summarise_importances(columns, trace, n_columns or 30),
        clusters=clusters,
        masking=summarise_masking(
            columns, trace, 0.05 if level is None else level, n_columns or 40, clusters
        ),
        curves=curves,
        stability=stability,
        columns=columns,
        provenance=summarise_provenance(content),
    )
