"""Links of a built site that lead nowhere, and what it would fetch from elsewhere."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {"script": "src", "img": "src", "link": "href", "source": "src", "iframe": "src"}
"""Elements whose file a browser fetches by itself."""


class Page(HTMLParser):
    """The links, the anchors and the fetched files of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value is not None}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in FETCHED and FETCHED[tag] in found and found.get("rel") not in ("canonical", "search"):
            self.fetched.append(found[FETCHED[tag]])


def dead(site: Path) -> list[str]:
    """One line for each link, anchor or file that is not there, and for each that a browser would fetch from a host."""
    pages = {page: Page(page.read_text(encoding="utf-8")) for page in sorted(site.rglob("*.html"))}
    wrong = []
    for page, content in pages.items():
        name = page.relative_to(site)
        wrong += [f"{name} fetches {url}" for url in content.fetched if urlsplit(url).netloc]
        for link in [*content.links, *content.fetched]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
            if not target.is_file():
                wrong.append(f"{name} links to {link}, which is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                wrong.append(f"{name} links to {link}, and there is no such place on that page")
    return wrong
