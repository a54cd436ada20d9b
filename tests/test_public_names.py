import subprocess
import sys

import pytest

import thresher


def test_all_public_names_can_be_had():
    for name in thresher.__all__:
        assert getattr(thresher, name) is not None
    assert set(thresher.__all__) <= set(dir(thresher))


def test_filters_are_named_as_promised():
    from thresher import filters

    promised = ["CFS", "FCBF", "GainRatio", "GramSchmidt", "ReliefF"]
    assert set(promised) <= set(filters.__all__)
    for name in filters.__all__:
        assert getattr(filters, name).__name__ == name


def test_unknown_names_are_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = thresher.nonsense


def test_importing_thresher_loads_neither_numba_nor_scikit_learn():
    code = (
        "import sys, thresher; "
        "assert not {'numba', 'sklearn', 'pandas'} & set(sys.modules), 'heavy import'; "
        "from thresher import Stepwise; assert 'numba' not in sys.modules, 'numba too early'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
