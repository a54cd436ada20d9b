"""The one place where work is spread over threads, processes and machines.

Results come back in the order of the tasks, and do not depend on where they were computed.
"""

from ._blas import ONE_BLAS_THREAD
from ._counts import effective_n_jobs, effective_n_threads, slices
from ._failure import Failure
from ._shared import Shared
from ._stream import Stream
from ._tasks import run_tasks, stream_tasks
from ._threads import run_in_threads, run_on_slices

__all__ = [
    "ONE_BLAS_THREAD",
    "Failure",
    "Shared",
    "Stream",
    "effective_n_jobs",
    "effective_n_threads",
    "run_in_threads",
    "run_on_slices",
    "run_tasks",
    "slices",
    "stream_tasks",
]
