"""Pages and pictures from the plain dicts that `Selection.to_dict` gives: render, never compute."""
