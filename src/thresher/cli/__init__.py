"""The command line: a thin skin over the library. Data go to stdout, everything else to stderr."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run ``thresher``."""
    try:
        try:
            from ._app import app
        except ImportError as error:
            sys.exit(f"thresher: {error}. The command line needs: pip install 'thresher[cli]'")
        app()
    except KeyboardInterrupt:
        sys.exit(130)
