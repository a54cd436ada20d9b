"""Compile a kernel when it is first called, not when it is imported.

Importing numba costs half a second and compiling a kernel several seconds, so neither happens until
a method needs the kernel. Afterwards the machine code comes from numba's cache on disk.
"""

import sys
import threading
import types

_compile_lock = threading.RLock()
_announced = False


class Kernel:
    """A plain function of arrays that becomes machine code on its first call."""

    def __init__(self, function):
        self.python = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self._outer = None
        self._inner = None
        self._ready = False

    def outer(self):
        """Return numba's dispatcher for calls from Python."""
        with _compile_lock:
            if self._outer is None:
                self._outer = self._dispatcher(self.python.__qualname__)
        return self._outer

    def inner(self):
        """Return numba's dispatcher for calls from other kernels.

        Without what Python needs to call it, a sixth of the time to compile is saved. Its name in
        numba's cache must be another: from there it cannot be told whether Python may call it.
        """
        with _compile_lock:
            if self._inner is None:
                name = f"{self.python.__qualname__}.inner"
                self._inner = self._dispatcher(name, no_cpython_wrapper=True)
        return self._inner

    def _dispatcher(self, name, **options):
        import numba

        function = self.python
        # numba must find dispatchers, not these wrappers, behind the names
        namespace = dict(function.__globals__)
        for each in function.__code__.co_names:
            if isinstance(namespace.get(each), Kernel):
                namespace[each] = namespace[each].inner()
        bound = types.FunctionType(function.__code__, namespace, function.__name__)
        bound.__module__, bound.__qualname__ = function.__module__, name
        return numba.njit(cache=True, nogil=True, no_cfunc_wrapper=True, **options)(bound)

    def __call__(self, *args):
        return self._outer(*args) if self._ready else self._first_call(*args)

    def _first_call(self, *args):
        import numba  # outside the patience: importing is not compiling

        # Compiling is not safe from several threads, and the user should know why they wait.
        with _compile_lock, _Patience():
            if not self._ready:
                self.outer().compile(tuple(numba.typeof(arg) for arg in args))
                self._ready = True
        return self._outer(*args)


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
