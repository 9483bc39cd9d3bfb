"""Words, marks and numbers of a text, each with its line and column: what BIF and NET are read with.

>>> scan = Scanner("node a { }  % a comment", comment="%")
>>> scan.take("node"), scan.name(), scan.take("{")
('node', 'a', '{')
>>> scan.take(";")
Traceback (most recent call last):
bayesfold.networks.declared.FormatError: line 1, column 10: expected ';', found '}'
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from bayesfold.networks.declared import FormatError

SHOWN = 40
"""So much of a long word is shown in an error."""


class Scanner:
    """A place in a text; `marks` are characters that stand for themselves, `comment` begins what ends with its line.

    A word ends where a comment begins, whether or not there is a blank between them.
    """

    def __init__(self, text: str, marks: str = "{}()[]|,;=", comment: str = "//") -> None:
        self.text = text
        self.at = 0
        self.marks = frozenset(marks)
        blank = rf"(?:\s+|{re.escape(comment)}[^\n]*)*"
        single = f"[{re.escape(marks)}]" if marks else "(?!)"
        first = re.escape(comment[0])
        word = rf'(?:[^\s"/{first}{re.escape(marks)}]+|(?!{re.escape(comment)}|/\*)[/{first}])+'
        token = rf'"(?:[^"\\]|\\.)*"|{single}|{word}|/\*'
        self._match = re.compile(rf"{blank}({token})?", re.DOTALL).match
        self._ahead = (-1, "")  # where the next token stands, once it was looked for

    def peek(self) -> str:
        """The next token, "" at the end; quoted text keeps its quotation marks."""
        if self._ahead[0] == self.at:
            return self._ahead[1]
        token = self._look()
        while token == "/*":
            end = self.text.find("*/", self.at + 2)
            if end < 0:
                self.fail("a comment is never closed")
            self.at = end + 2
            token = self._look()
        if not token and self.at < len(self.text):
            self.fail("a quotation mark is never closed")
        self._ahead = self.at, token
        return token

    def _look(self) -> str:
        match = self._match(self.text, self.at)
        assert match is not None  # the pattern also matches nothing
        token: str = match[1] or ""
        self.at = match.end() - len(token)
        return token

    def next(self) -> str:
        """The next token, taken."""
        token = self.peek()
        self.at += len(token)
        return token

    def take(self, *marks: str) -> str:
        """The next token, which must be one of these."""
        token = self.peek()
        if token not in marks:
            expected = " or ".join(repr(m) for m in marks)
            self.fail(f"expected {expected}, found {show_token(token)}")
        self.at += len(token)
        return token

    def name(self) -> str:
        """A word or quoted text, without its marks."""
        token = self.peek()
        if not token or token in self.marks:
            self.fail(f"expected a name, found {show_token(token)}")
        self.at += len(token)
        return re.sub(r"\\(.)", r"\1", token[1:-1]) if token[0] == '"' else token

    def numbers(self, mark: str) -> list[float]:
        """Numbers with spaces, commas or comments between them, up to a mark, which is taken too."""
        end = self.text.find(mark, self.at)
        text = self.text[self.at : end] if end >= 0 else "/"
        if "/" not in text:
            try:
                values = [float(x) for x in text.replace(",", " ").split()]
            except ValueError:
                pass  # word by word, the one that is no number is found
            else:
                self.at = end + len(mark)
                return values
        values = []
        while (token := self.peek()) != mark:
            if token != ",":
                values.append(self.number())
            else:
                self.next()
        self.next()
        return values

    def number(self) -> float:
        """The next token, which must be a number."""
        token = self.peek()
        try:
            value = float(token)
        except ValueError:
            self.fail(f"expected a number, found {show_token(token)}")
        self.next()
        return value

    def skip_text(self) -> None:
        """Pass over any text up to a semicolon that stands outside of quotation marks; these open where a word begins.

        A mark inside a word, as in 5" wide, would swallow everything up to the next one.
        """
        match = re.compile(r'(?:[^;"]|(?<![\s=:,(])"|(?<=[\s=:,(])"[^"]*")*;').match(self.text, self.at)
        match = match or re.compile("[^;]*;").match(self.text, self.at)
        if not match:
            self.fail("expected ';' before the end of the file")
        self.at = match.end()

    def skip_value(self) -> None:
        """Pass over a value up to the semicolon that ends it; semicolons in quotes or brackets do not."""
        depth = 0
        while token := self.next():
            depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
            if token == ";" and depth <= 0:
                return
        self.fail("expected ';' before the end of the file")

    def fail(self, message: str, at: int | None = None) -> NoReturn:
        """Raise with the line and column of a place, or of the next token."""
        place = self.at if at is None else at
        raise FormatError(message, self.line(place), place - (self.text.rfind("\n", 0, place) + 1) + 1)

    def line(self, at: int | None = None) -> int:
        """The line of a place, or of the next token."""
        return self.text.count("\n", 0, self.at if at is None else at) + 1

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Errors about meaning raised inside get the place where it began."""
        at = self.at
        try:
            yield
        except FormatError:
            raise
        except ValueError as error:
            self.fail(str(error), at)


def decode_text(data: bytes) -> str:
    """The text of a file, which must be UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        message = f"byte {data[error.start]:#04x} is not UTF-8; convert the file to UTF-8"
        raise FormatError(message, line, column) from None


def quote(name: str, plain: Callable[[str], Any]) -> str:
    """A name as it may be written: bare where it is plain, otherwise in quotation marks."""
    if plain(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def show_token(token: str) -> str:
    """A token in an error."""
    cut = token if len(token) <= SHOWN else f"{token[:SHOWN]}..."
    return repr(cut) if token else "the end of the file"
