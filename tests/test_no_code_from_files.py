"""No file can make thresher run code: nothing that could is called anywhere in the package."""

import ast
from pathlib import Path

import thresher

PACKAGE = Path(thresher.__file__).parent

#: Modules that turn bytes into objects or code.
MODULES = {
    "pickle",
    "cPickle",
    "_pickle",
    "cloudpickle",
    "dill",
    "marshal",
    "shelve",
    "yaml",
    "jsonpickle",
    "skops",
    "code",
    "runpy",
}
#: Functions of other modules that do, and builtins.
CALLS = {
    "joblib.load", "numpy.load", "np.load", "pandas.read_pickle", "pd.read_pickle", "eval", "exec",
    "compile", "__import__", "os.system", "os.popen", "subprocess.run", "subprocess.Popen",
    "subprocess.call", "subprocess.check_output", "np.fromregex",
}  # fmt: skip
#: Where work goes to other processes of the same user, never into a file that is kept.
BETWEEN_WORKERS = "parallel"


def dotted(node):
    """The name that a call names, as far as it is written out."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return "?"


def _pickles(call):
    """What a call says about ``allow_pickle``, if anything."""
    said = [k.value for k in call.keywords if k.arg == "allow_pickle"]
    return getattr(said[0], "value", True) if said else None


def suspects(tree):
    """Imports and calls that could run code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Call):
            names = []
            called, pickles = dotted(node.func), _pickles(node)
            plain_arrays = called in ("np.load", "numpy.load") and pickles is False
            if (called in CALLS and not plain_arrays) or pickles:
                yield f"line {node.lineno}: {called}"
        else:
            continue
        for name in names:
            if MODULES & set(name.split(".")):
                yield f"line {node.lineno}: import {name}"


def test_nothing_that_could_run_code_is_called():
    found = {
        str(path.relative_to(PACKAGE)): each
        for path in PACKAGE.rglob("*.py")
        for each in suspects(ast.parse(path.read_text(encoding="utf-8")))
    }
    elsewhere = {path: each for path, each in found.items() if not path.startswith(BETWEEN_WORKERS)}
    assert elsewhere == {}
    assert not any("eval" in each or "exec" in each for each in found.values())


def test_the_test_itself_sees_them():
    code = (
        "import pickle\nfrom joblib.externals import cloudpickle\nnp.load(p, allow_pickle=True)\n"
        "np.load(p)\nread(p, allow_pickle=yes)\neval(x)\nnp.load(p, allow_pickle=False)"
    )
    assert len(list(suspects(ast.parse(code)))) == 6
