"""Run every benchmark: ``python -m benchmarks``."""

import importlib
import pkgutil
import sys

import benchmarks


def main() -> None:
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.name.startswith("bench_"):
            print(f"== {module.name}", flush=True)
            importlib.import_module(f"benchmarks.{module.name}").main()


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    main()
