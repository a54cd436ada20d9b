"""Compile a kernel when it is first called, not when it is imported.

Importing numba costs half a second and compiling a kernel several seconds, so neither happens until
a method needs the kernel. Afterwards the machine code comes from numba's cache on disk.
"""

import sys
import threading

_compile_lock = threading.RLock()
_announced = False


class Kernel:
    """A plain function of arrays that becomes machine code on its first call."""

    def __init__(self, function):
        self.python = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self._compiled = None
        self._ready = False

    def compiled(self):
        """Return numba's dispatcher, after doing the same for the kernels that this one calls."""
        with _compile_lock:
            if self._compiled is None:
                import numba

                namespace = self.python.__globals__
                for name in self.python.__code__.co_names:
                    if isinstance(namespace.get(name), Kernel):
                        # numba must find a dispatcher, not this wrapper, behind the name
                        namespace[name] = namespace[name].compiled()
                self._compiled = numba.njit(cache=True, nogil=True)(self.python)
        return self._compiled

    def __call__(self, *args):
        return self._compiled(*args) if self._ready else self._first_call(*args)

    def _first_call(self, *args):
        import numba  # outside the patience: importing is not compiling

        # Compiling is not safe from several threads, and the user should know why they wait.
        with _compile_lock, _Patience():
            if not self._ready:
                self.compiled().compile(tuple(numba.typeof(arg) for arg in args))
                self._ready = True
        return self._compiled(*args)


class _Patience:
    """Say on stderr, once, that a first compile is under way when it takes over two seconds."""

    def __enter__(self):
        self._timer = threading.Timer(2.0, self._announce)
        self._timer.daemon = True
        self._timer.start()
        return self

    def __exit__(self, *exception):
        self._timer.cancel()

    @staticmethod
    def _announce():
        global _announced
        if not _announced:
            _announced = True
            print(
                "thresher: compiling kernels for this machine (only once) ...",
                file=sys.stderr,
                flush=True,
            )


def kernel(function):
    """Mark a function of arrays as a kernel: compiled on first use, cached, without the GIL."""
    return Kernel(function)
