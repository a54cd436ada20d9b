"""How the documentation is built: ``make docs``, offline, with warnings as errors."""

import inspect
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

import generated_pages  # noqa: E402

from thresher import __version__  # noqa: E402

generated_pages.write(HERE / "api")

project = "thresher"
author = "The thresher developers"
project_copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
default_role = "py:obj"
highlight_language = "text"
# types such as "array of shape (n_rows,)" are taken for references, and two classes have an n_rows
suppress_warnings = ["ref.python"]
pygments_style = "friendly"
pygments_dark_style = "github-dark"
toc_object_entries = False

myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 3

autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": True}
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = "thresher"
html_static_path = ["_static"]
html_css_files = ["thresher.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#1f6f5c",
        "color-brand-content": "#1f6f5c",
        "font-stack": "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif",
        "font-stack--monospace": "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    },
    "dark_css_variables": {
        "color-brand-primary": "#5cc3a8",
        "color-brand-content": "#5cc3a8",
    },
}


def only_our_own(app: Any, what: str, name: str, member: Any, skip: bool, options: Any) -> Any:  # noqa: FBT001
    """Leave out what comes from scikit-learn or Python, and what scikit-learn generates."""
    if what not in ("class", "exception") or skip:
        return None
    function = inspect.unwrap(getattr(member, "fget", None) or getattr(member, "__func__", member))
    home = getattr(function, "__module__", None) or ""
    generated = name.startswith("set_") and name.endswith("_request")
    ours = home.startswith("thresher") or not (
        callable(function) or inspect.isdatadescriptor(member)
    )
    return True if generated or not ours else None


def by_last_name(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Resolve a name such as Selection from any package, where only one is called so."""
    if node.get("refdomain") != "py":
        return None
    objects = env.get_domain("py").objects
    ending = "." + node["reftarget"].lstrip(".~")
    found = [(name, entry) for name, entry in objects.items() if name.endswith(ending)]
    if len({name for name, _ in found}) != 1:
        return None
    name, entry = found[0]
    from sphinx.util.nodes import make_refnode

    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, name)


def learned_names(app: Any, what: str, name: str, thing: Any, options: Any, lines: Any) -> None:
    """Keep reStructuredText from taking the learned ``n_features_in_`` in a type for a link."""
    for k, line in enumerate(lines):
        if line.lstrip().startswith((":vartype ", ":type ")):
            lines[k] = re.sub(r"_(?=[,) ])", r"\\_", line)


def setup(app: Any) -> None:
    """Register the hooks."""
    app.connect("autodoc-process-docstring", learned_names, priority=900)
    app.connect("autodoc-skip-member", only_our_own)
    app.connect("missing-reference", by_last_name)
