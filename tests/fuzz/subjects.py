"""Every selector, with settings small enough for thousands of fits, common and rare."""

from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from thresher import RaceSearchCV
from thresher.filters import MDLDiscretizer
from thresher.learners import (
    C45Classifier,
    DiscreteNB,
    LazyRegressor,
    LocallyWeightedRegressor,
    ObliviousTree,
    PocketPerceptron,
)
from thresher.workflow import selector_classes

CLASSIFIERS = (
    GaussianNB(), GaussianNB(), DiscreteNB(), DiscreteNB(), KNeighborsClassifier(1),
    KNeighborsClassifier(3), DecisionTreeClassifier(max_depth=2), C45Classifier(),
    PocketPerceptron(n_epochs=5), make_pipeline(StandardScaler(), GaussianNB()), ObliviousTree(),
)  # fmt: skip
REGRESSORS = (
    LinearRegression(),
    Ridge(),
    Ridge(),
    KNeighborsRegressor(1),
    KNeighborsRegressor(3, weights="distance"),
    DecisionTreeRegressor(max_depth=2),
    LazyRegressor(),
    LocallyWeightedRegressor(),
)


def estimators(*, classes):
    """An estimator for the target, or, seldom, one for the other kind."""
    own, other = (CLASSIFIERS, REGRESSORS) if classes else (REGRESSORS, CLASSIFIERS)
    return st.one_of(*[st.sampled_from(own)] * 7, st.sampled_from(other))


def _options(**choices):
    return st.fixed_dictionaries(
        {name: st.sampled_from(values) for name, values in choices.items()}
    )


def _wrapper(**choices):
    return _options(cv=[2, 3, 5, "loo"], **choices)


_BUDGET = [None, 1, 5, 40]
_FILTER = {
    "task": ["auto", "auto", "classification", "regression"],
    "n_features": ["auto", "auto", 1, 2],
}
_INFORMATION = {"cuts": ["mdl", 2, 5], "missing": ["spread", "separate"], "n_target_bins": [2, 5]}

#: Constructor options of each selector, beside its estimator.
OPTIONS = {
    "ace": _options(
        n_replicates=[4, 5],
        alpha=[0.3],
        n_trees=[2, 5],
        correction=["t", "max-t", "bh"],
        redundancy=[True, False, "surrogates"],
        max_iterations=[1, 3],
        task=["auto", "regression"],
    ),
    "oblivion": _wrapper(
        strategy=["improved", "paper"], judge=["exhaustive", "brace"], max_evaluations=_BUDGET
    ),
    "racsam": _options(
        n_candidates=[4, 20],
        max_candidates=[None, 12],
        max_tests=[3, 20],
        n_train=[2, 5, 50],
        init=["gram-schmidt", "random", "correlation"],
        generator=["neighbours", "schemata"],
        combine=["best", "average"],
        prefer=["small", "accurate"],
        n_winners=[1, 3],
    ),
    "rve": _wrapper(
        strategy=["improved", "paper"],
        n_relevant=[None, 1, 2],
        holdout=[None, 0.3],
        judge=["auto", "brace", "exhaustive"],
    ),
    "rvers": _wrapper(
        strategy=["improved", "paper"], r_max=[None, 3], holdout=[None, 0.3], drift=[True, False]
    ),
    "race": _wrapper(
        search=["schemata", "schemata+", "forward", "backward", "forward-gs", "backward-gs"],
        race=["brace", "race", "hoeffding", "friedman"],
        max_evaluations=_BUDGET,
    ),
    "stepwise": _wrapper(
        direction=["forward", "backward"],
        floating=[True, False],
        rule=["best", "one-standard-error"],
        n_features=["auto", 1, 2],
    ),
    "wrapper": _wrapper(
        search=[
            "forward",
            "best-first",
            "genetic",
            "population",
            "randomized-elimination",
            "ranked",
            "schemata-plus",
        ],
        max_evaluations=_BUDGET,
    ),
    "cfs": _options(
        search=["best-first", "forward", "genetic"],
        correlation=["auto", "pearson", "symmetrical-uncertainty"],
        locally_predictive=[True, False],
        standardize=[True, False],
        task=_FILTER["task"],
        **_INFORMATION,
    ),
    "fcbf": _options(**_FILTER, **_INFORMATION),
    "gain-ratio": _options(
        criterion=["gain-ratio", "information-gain", "symmetrical-uncertainty"],
        cv=[2, 3],
        **_FILTER,
        **_INFORMATION,
    ),
    "gram-schmidt": _options(alpha=[0.05, 0.5], probes=["all", 3], **_FILTER),
    "rrelieff": _options(
        n_permutations=[2], alpha=[0.4], n_samples=[None, 3, 0.5], sigma=[None, 2.0], **_FILTER
    ),
    "relieff": _options(n_permutations=[2], alpha=[0.4], n_samples=[None, 3, 0.5], **_FILTER),
}


#: Methods around an estimator that pass weights of rows on to it.
WRAPPERS = ("oblivion", "race", "rve", "rvers", "stepwise", "wrapper")


@st.composite
def selectors(draw, name, *, classes, **wishes):
    """A selector of this name."""
    kind = selector_classes()[name]
    options = {
        **draw(OPTIONS[name]),
        **wishes,
        "random_state": draw(st.integers(0, 3)),
        "n_jobs": 1,
    }
    if name in ("gain-ratio", "oblivion", "racsam") and draw(st.booleans()):
        return kind(**options)  # without an estimator, or with its own
    if name in (*WRAPPERS, "gain-ratio"):
        # else almost every table is refused for its missing cells, and nothing is tried
        options["encode"] = draw(st.sampled_from([True, True, False]))
        losses = ["zero-one", "log", "brier"] if classes else ["squared", "absolute"]
        scorers = ["balanced_accuracy", "roc_auc"] if classes else ["r2", "explained_variance"]
        if name == "stepwise" and draw(st.integers(0, 5)) == 5:
            options["scoring"] = draw(st.sampled_from(scorers))
        else:
            options["loss"] = draw(st.sampled_from([None, *losses]))
    if name in (*WRAPPERS, "racsam", "gain-ratio"):
        return kind(draw(estimators(classes=classes)), **options)
    return kind(**options)


@st.composite
def model_races(draw, *, classes):
    """A race of models."""
    if classes:
        base = draw(st.sampled_from([KNeighborsClassifier(), DecisionTreeClassifier()]))
    else:
        base = draw(st.sampled_from([KNeighborsRegressor(), DecisionTreeRegressor(), Ridge()]))
    values = {
        "KN": ("n_neighbors", [1, 3]),
        "De": ("max_depth", [1, 2]),
        "Ri": ("alpha", [0.1, 1.0]),
    }
    parameter, grid = values[type(base).__name__[:2]]
    race = draw(st.sampled_from(["brace", "race", "hoeffding", "friedman"]))
    return RaceSearchCV(
        base,
        {parameter: grid},
        race=race,
        cv=draw(st.sampled_from(["loo", 2, 3])),
        random_state=0,
        n_jobs=1,
    )


def discretizers():
    """The transformer among the filters."""
    return _options(n_target_bins=[2, 5], task=_FILTER["task"]).map(lambda o: MDLDiscretizer(**o))
