"""XML as a small tree whose elements know their line and column; entities and outside files are refused.

>>> root = parse(b"<a><b x='1'>two</b></a>")
>>> root.child("b").text, root.child("b").attributes
('two', {'x': '1'})
>>> parse(b'<!DOCTYPE a [<!ENTITY e "boom">]><a>&e;</a>')
Traceback (most recent call last):
bayesfold.networks.declared.FormatError: line 1, column 25: the file declares the entity 'e'; entities are refused
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from bayesfold.networks.declared import FormatError

DEEPEST = 64
"""Elements may stand inside each other so deep."""


@dataclass
class Element:
    """An element: its text is that of its own, without that of its children."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list["Element"] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text inside, without the white space around it."""
        return "".join(self.pieces).strip()

    def all(self, tag: str) -> list["Element"]:
        """The children of this name, in any case."""
        return [child for child in self.children if child.tag.lower() == tag.lower()]

    def child(self, tag: str) -> "Element":
        """The one child of this name."""
        children = self.all(tag)
        if len(children) != 1:
            self.fail(f"<{self.tag}> must hold one <{tag}>, and holds {len(children)}")
        return children[0]

    def attribute(self, name: str) -> str:
        """An attribute that must be there."""
        if name not in self.attributes:
            self.fail(f"<{self.tag}> has no {name}=")
        return self.attributes[name]

    def numbers(self) -> list[float]:
        """The text as numbers, with spaces or commas between them."""
        values = []
        for word in self.text.replace(",", " ").split():
            try:
                values.append(float(word))
            except ValueError:
                self.fail(f"expected numbers in <{self.tag}>, found {word[:40]!r}")
        return values

    def fail(self, message: str) -> NoReturn:
        """Raise with the place where the element begins."""
        raise FormatError(message, self.line, self.column)

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Errors about meaning raised inside get the place of this element."""
        try:
            yield
        except FormatError:
            raise
        except ValueError as error:
            self.fail(str(error))


def parse(data: bytes) -> Element:
    """The root element of a document; blanks before it are passed over, as browsers do."""
    blank = data[: len(data) - len(data.lstrip(b" \t\r\n"))]
    above, beside = blank.count(b"\n"), len(blank) - (blank.rfind(b"\n") + 1)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    root: list[Element] = []
    stack: list[Element] = []

    def place(line: int, column: int) -> tuple[int, int]:
        return line + above, column + 1 + (beside if line == 1 else 0)

    def here() -> tuple[int, int]:
        return place(parser.CurrentLineNumber, parser.CurrentColumnNumber)

    def fail(message: str) -> NoReturn:
        raise FormatError(message, *here())

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) >= DEEPEST:
            fail(f"elements stand more than {DEEPEST} deep")
        element = Element(tag, attributes, *here())
        (stack[-1].children if stack else root).append(element)
        stack.append(element)

    def entity(name: str, *_: Any) -> None:
        fail(f"the file declares the entity {name!r}; entities are refused")

    def outside(*_: Any) -> int:
        fail("the file refers to another file; that is refused")

    def text(piece: str) -> None:
        if stack:
            stack[-1].pieces.append(piece)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = entity
    parser.ExternalEntityRefHandler = outside
    parser.SkippedEntityHandler = entity
    try:
        parser.Parse(data[len(blank) :], True)
    except expat.ExpatError as error:
        raise FormatError(expat.ErrorString(error.code), *place(error.lineno, error.offset)) from None
    except (ValueError, LookupError) as error:  # an encoding that there is not
        if isinstance(error, FormatError):
            raise
        raise FormatError(str(error), *here()) from None
    return root[0]


def require_printable(text: object) -> str:
    """Text that XML can hold as it is; control characters and the ends of lines are refused."""
    written = str(text)
    if not written.isprintable() or written != written.strip():
        raise ValueError(
            f"{written!r} cannot be written to XML: it has control characters or white space at an end; rename it"
        )
    return written


def write_text(text: object) -> str:
    """Text between tags."""
    return escape(require_printable(text))


def write_attribute(text: object) -> str:
    """An attribute's value in its quotation marks."""
    return quoteattr(require_printable(text))
