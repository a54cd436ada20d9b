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
    except Exception as error:
        # an import that Ctrl-C cuts short may fail in other words
        if not _is_interrupt(error):
            raise
        _end()
    except KeyboardInterrupt:
        _end()


def _end() -> None:
    print("thresher: interrupted", file=sys.stderr)
    sys.exit(130)


def _is_interrupt(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False
