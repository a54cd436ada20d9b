"""Every table and figure of the papers has a name, and an experiment that shows it."""

from thresher.experiments import EXPERIMENTS, item_name, items_of, showing


def test_every_item_of_every_paper_is_shown_by_one_experiment():
    shown = [item for each in EXPERIMENTS.values() for item in each.shows]
    assert sorted(shown) == sorted(items_of())


def test_names_of_items_lead_to_their_experiments():
    found = showing(EXPERIMENTS)
    assert set(found) == {item_name(item) for item in items_of()}
    for name, experiment in found.items():
        assert name not in EXPERIMENTS or name == experiment, "an item hides an experiment"
