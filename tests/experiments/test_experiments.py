import io
import json
import math

import pytest

from thresher import experiments
from thresher.experiments import EXPERIMENTS, Conditions, Experiment, Result, Spread, draw

GENERATED = [name for name, each in EXPERIMENTS.items() if not each.needs]
#: Their quick versions still fit hundreds of models.
LONG = {
    "ace-figure2", "ace-power", "ace-table6", "ace-tied", "racing-figures2-3", "racing-level",
    "racsam-table1", "racsam-table2", "rve-figures2-3", "rve-figures4-5", "rve-table4",
    "rve-tables6-9",
}  # fmt: skip
REAL = [name for name, each in EXPERIMENTS.items() if each.needs]


def quick(names):
    """Parametrize by names of experiments."""
    marked = [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in names]
    return pytest.mark.parametrize("name", marked)


def check(result):
    assert result.title
    assert result.rows
    assert all(len(row) == len(result.columns) for row in result.rows)
    assert len(set(result.columns)) == len(result.columns)
    assert all(note.endswith(".") for note in result.notes)
    assert all(sentence.endswith(".") for sentence in result.deviations)
    cells = [cell for row in result.rows for cell in row]
    numbers = [cell for cell in cells if isinstance(cell, float)]
    numbers += [cell.mean for cell in cells if isinstance(cell, Spread)]
    assert all(math.isfinite(number) for number in numbers)
    assert all(type(cell) in {str, int, float, bool, type(None), Spread} for cell in cells)
    json.dumps(result.to_dict(), allow_nan=False)
    if result.picture is not None:
        draw(result.picture, io.BytesIO())


@quick(GENERATED)
def test_a_quick_run_on_generated_data_fills_its_table(name):
    told = []
    result = EXPERIMENTS[name].run(runs=1, quick=True, n_jobs=2, progress=told.append)
    check(result)
    assert any("1 of 1" in stand for stand in told)


@quick(REAL)
def test_a_quick_run_on_real_data_fills_its_table(name, real_data):
    result = EXPERIMENTS[name].run(runs=1, quick=True, n_jobs=1, data=real_data)
    check(result)
    assert "not found" not in json.dumps(result.to_dict())


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("folder", [True, False], ids=["empty folder", "no folder"])
def test_absent_data_are_said_to_be_absent(name, folder, tmp_path):
    result = EXPERIMENTS[name].run(data=tmp_path if folder else None)
    check(result)
    assert "data not found" in json.dumps(result.to_dict())


def test_every_experiment_is_registered_under_its_name():
    listed = [getattr(experiments, name) for name in experiments.__all__]
    assert list(EXPERIMENTS.values()) == [each for each in listed if isinstance(each, Experiment)]
    for constant in experiments.__all__:
        member = getattr(experiments, constant)
        if isinstance(member, Experiment):
            assert member.name == constant.lower().replace("_", "-")
            assert member.summary


def test_results_do_not_depend_on_the_number_of_threads():
    one, two = (EXPERIMENTS["ace-null"].run(runs=4, quick=True, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert one == two


def test_outcomes_keep_the_order_of_the_tasks():
    conditions = Conditions(1, None, False, 2, lambda _: None)
    assert conditions.map(lambda n: n**2, [(n,) for n in range(20)], "squares") == [
        n**2 for n in range(20)
    ]


def test_a_row_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="expected 2 cells"):
        Result("Sizes", ("name", "size"), (("a",),))


def test_runs_must_be_positive():
    with pytest.raises(ValueError, match="runs must be at least 1"):
        EXPERIMENTS["ace-null"].run(runs=0)
