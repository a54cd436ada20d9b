"""From the records of a page to one HTML file that needs nothing else."""

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from thresher._version import __version__

from ._columns import KINDS
from ._damage import damage_is_told
from ._draw_bars import draw_differences, draw_importances, draw_losses
from ._draw_curve import draw_curve
from ._draw_path import draw_path
from ._limits import LARGEST_PAGE, LIMITS, Limits
from ._summarise import Page, summarise
from ._table import build_table
from ._words import counted, figure, p_figure, p_relation, percent, shown

__all__ = ["render_page"]


def render_page(content: Mapping[str, Any]) -> str:
    """Write a page about a selection.

    Parameters
    ----------
    content : mapping
        What ``Selection.to_dict`` gives, with None in place of NaN: what a saved file holds.

    Returns
    -------
    str
        HTML, less than 3 MB: styles, script and charts are in it, and nothing is loaded.
    """
    environment = _environment()
    from jinja2 import UndefinedError  # which is there, now that an environment is

    html = ""
    with damage_is_told(UndefinedError):
        page = summarise(content)
        for limits in LIMITS:
            html = _rendered(environment, page, limits)
            if len(html.encode()) <= LARGEST_PAGE:
                break
    return html


def _environment() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise ImportError(
            "the report needs jinja2; get it with: pip install 'thresher[cli]'"
        ) from error
    environment = Environment(
        loader=PackageLoader("thresher.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        figure=figure, p_figure=p_figure, p_relation=p_relation, percent=percent, counted=counted
    )
    return environment


def _rendered(environment: Any, page: Page, limits: Limits) -> str:
    script = _file("page.js")
    show = cache(shown)  # a name occurs many times, and may be long
    curves = [(curve, draw_curve(curve)) for curve in page.curves]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    html: str = environment.get_template("page.html").render(
        page=page,
        limits=limits,
        table=build_table(page.columns, limits),
        kinds=KINDS,
        style=_file("page.css"),
        script=script,
        script_hash=digest,
        version=__version__,
        draw_path=draw_path,
        draw_importances=draw_importances,
        draw_losses=draw_losses,
        draw_differences=draw_differences,
        drawn_curves=curves,
        has_curve=any(chart is not None for _, chart in curves),
        label=lambda text: show(str(text), limits.label),
        title=lambda text: show(str(text), limits.title),
        prose=lambda text: show(str(text), limits.reason),
    )
    return html


def _file(name: str) -> str:
    """A style sheet or script, with which its element begins and ends on a line of its own."""
    return "\n" + (resources.files("thresher.report") / "templates" / name).read_text("utf-8")
