"""From a name, as a user writes it, to a strategy, a judge or a selector."""

import importlib
import inspect
import re
from types import ModuleType
from typing import Any

__all__ = ["load", "named", "resolve"]


def named(package: ModuleType, interface: Any) -> dict[str, type]:
    """Everything in a package's ``__all__`` that implements an interface, by name in kebab case.

    Examples
    --------
    >>> from thresher import searches
    >>> named(searches, searches.SearchStrategy)["hill-climbing"]
    <class 'thresher.searches._hill_climbing.HillClimbing'>
    """
    found = {}
    for name in package.__all__:
        member = getattr(package, name)
        concrete = inspect.isclass(member) and not inspect.isabstract(member)
        if concrete and issubclass(member, interface):
            found[re.sub(r"(?<=[a-z0-9])(?=[A-Z]\w)", "-", name).lower()] = member
    return found


def resolve(value: Any, interface: Any, package: ModuleType, parameter: str) -> Any:
    """Return an instance for ``value``: itself, or made from a class, a name or a dotted path.

    Parameters
    ----------
    value : object
        An instance, a class, a name as in `named`, or the path "package.module.Class".
    interface : type
        What it must be.
    package : module
        Where names are looked up.
    parameter : str
        The user's word for it, for error messages.
    """
    known = named(package, interface)
    made = value
    if isinstance(value, str):
        if value in known:
            made = known[value]
        elif "." in value or ":" in value:
            made = load(value, parameter)
        else:
            raise ValueError(
                f"{parameter} must be one of {', '.join(map(repr, known))}, a dotted path or an "
                f"instance; got {value!r}"
            )
    if inspect.isclass(made):
        made = made()
    if not isinstance(made, interface):
        raise TypeError(
            f"{parameter} must be a {interface.__name__} or the name of one; got {value!r}"
        )
    return made


def load(path: str, parameter: str) -> Any:
    """Import what a dotted path names: "package.module.Class" or "package.module:Class"."""
    module_name, _, attribute = path.replace(":", ".").rpartition(".")
    if not module_name or not attribute:
        raise ValueError(f"{parameter}={path!r} is not a path such as package.module.Class")
    try:
        return getattr(importlib.import_module(module_name), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{parameter}={path!r} cannot be imported: {error}") from error
