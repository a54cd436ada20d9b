"""Reading a page back: what a browser would see without running anything."""

from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img", "hr", "path"}


class Reader(HTMLParser):
    """Elements, their attributes and their text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.ids: set[str] = set()
        self.text: list[str] = []
        self.scripts: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        self.elements.append((tag, own))
        if own.get("id"):
            self.ids.add(own["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> where {self.open[-1]} is open"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif not (self.open and self.open[-1] == "style"):
            self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements with this tag."""
        return [attributes for own, attributes in self.elements if own == tag]

    @property
    def words(self) -> str:
        """All text, with blanks in place of tags and line breaks."""
        return " ".join(" ".join(self.text).split())
