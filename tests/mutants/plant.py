"""The mistakes that can be planted in a source file: each a small change that still compiles.

>>> source = "def total(w):\\n    return sum(w) + 1 if w else 0\\n"
>>> [str(mutant) for mutant in mutants_of("m.py", source)][:3]
['m.py:2 return sum(w) + 1 if w else 0 -> None', 'm.py:2 not (test)', 'm.py:2 + -> -']
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], str]] = {
    ast.Lt: (ast.LtE, "< -> <="),
    ast.LtE: (ast.Lt, "<= -> <"),
    ast.Gt: (ast.GtE, "> -> >="),
    ast.GtE: (ast.Gt, ">= -> >"),
    ast.Eq: (ast.NotEq, "== -> !="),
    ast.NotEq: (ast.Eq, "!= -> =="),
    ast.In: (ast.NotIn, "in -> not in"),
    ast.NotIn: (ast.In, "not in -> in"),
    ast.Is: (ast.IsNot, "is -> is not"),
    ast.IsNot: (ast.Is, "is not -> is"),
}
ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], str]] = {
    ast.Add: (ast.Sub, "+ -> -"),
    ast.Sub: (ast.Add, "- -> +"),
    ast.Mult: (ast.Div, "* -> /"),
    ast.Div: (ast.Mult, "/ -> *"),
    ast.FloorDiv: (ast.Mult, "// -> *"),
    ast.Pow: (ast.Mult, "** -> *"),
    ast.Mod: (ast.Mult, "% -> *"),
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum"}
TWINS |= {"argmin": "argmax", "argmax": "argmin", "ones": "zeros", "zeros": "ones"}
WORDING = {"frozen", "slots", "stacklevel", "repr", "strict", "doc"}
"""Keywords that say how code is written, not what it computes."""


@dataclass(frozen=True)
class Mutant:
    """One planted mistake: the file, the line, what was changed, and the file's text with it."""

    path: str
    line: int
    what: str
    source: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.what}"


def mutants_of(path: str, source: str) -> Iterator[Mutant]:
    """Every mistake that can be planted in a file."""
    return (plant(path, source, k) for k in range(count_changes(source)))


def count_changes(source: str) -> int:
    """How many mistakes can be planted in a file."""
    return sum(1 for _ in changes(ast.parse(source)))


def plant(path: str, source: str, k: int) -> Mutant:
    """The k-th mistake of a file, planted."""
    tree = ast.parse(source)
    line, what, change = next(islice(changes(tree), k, None))
    change()
    return Mutant(path, line, what, ast.unparse(ast.fix_missing_locations(tree)))


def changes(tree: ast.Module) -> Iterator[tuple[int, str, Callable[[], object]]]:
    """What could be changed in a tree, each with its line, its name, and a function that does it in place."""
    skipped = unimportant(tree)
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Compare):
            for i, op in enumerate(node.ops):
                other, what = COMPARISONS[type(op)]
                yield node.lineno, what, lambda n=node, i=i, o=other: n.ops.__setitem__(i, o())
        elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC and not is_text(node):
            other, what = ARITHMETIC[type(node.op)]
            yield node.lineno, what, lambda n=node, o=other: setattr(n, "op", o())
        elif isinstance(node, ast.BoolOp):
            other = ast.Or if isinstance(node.op, ast.And) else ast.And
            what = "and -> or" if isinstance(node.op, ast.And) else "or -> and"
            yield node.lineno, what, lambda n=node, o=other: setattr(n, "op", o())
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            negated = ast.UnaryOp(ast.Not(), node.test)
            yield node.test.lineno, "not (test)", lambda n=node, t=negated: setattr(n, "test", t)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node.lineno, f"{node.value} -> {node.value + 1}", lambda n=node: setattr(n, "value", n.value + 1)
        elif isinstance(node, ast.Constant) and type(node.value) is bool:
            yield node.lineno, f"{node.value} -> {not node.value}", lambda n=node: setattr(n, "value", not n.value)
        elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
            what = f"return {ast.unparse(node.value)[:30]} -> None"
            yield node.lineno, what, lambda n=node: setattr(n, "value", ast.Constant(None))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield node.lineno, "-x -> +x", lambda n=node: setattr(n, "op", ast.UAdd())
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
            if name in TWINS:
                field = "id" if isinstance(node.func, ast.Name) else "attr"
                yield (
                    node.lineno,
                    f"{name} -> {TWINS[name]}",
                    lambda n=node, f=field, t=TWINS[name]: setattr(n.func, f, t),
                )
            for keyword in node.keywords:
                if keyword.arg and keyword.arg not in WORDING:
                    what = f"without {keyword.arg}="
                    yield node.lineno, what, lambda n=node, k=keyword: n.keywords.remove(k)
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list):
                for i, statement in enumerate(body):
                    if is_act(statement) and id(statement) not in skipped:
                        what = f"without {ast.unparse(statement)[:40]}"
                        yield statement.lineno, what, lambda b=body, i=i: b.__setitem__(i, ast.Pass())


def is_act(statement: ast.stmt) -> bool:
    """Whether a statement is there for what it does: a call, a sum into a variable, a way out of a loop."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call)
    return isinstance(statement, ast.AugAssign | ast.Continue | ast.Break | ast.Raise)


def is_text(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether an operation visibly joins texts."""
    parts = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    return any(
        isinstance(p, ast.JoinedStr) or (isinstance(p, ast.Constant) and isinstance(p.value, str)) for p in parts
    )


def unimportant(tree: ast.Module) -> set[int]:
    """Nodes where a change is no mistake that tests should notice: types, words, asserts."""
    roots: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            roots += [a.annotation for a in (*node.args.args, *node.args.kwonlyargs) if a.annotation]
            roots += [node.returns] if node.returns else []
            roots += node.decorator_list
            if any(ast.unparse(one).endswith("overload") for one in node.decorator_list):
                roots.append(node)  # which only a type checker reads
        elif isinstance(node, ast.ClassDef):
            roots += node.decorator_list
        elif isinstance(node, ast.AnnAssign):
            roots.append(node.annotation)
        elif isinstance(node, ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
            roots.append(node)
        elif isinstance(node, ast.keyword) and node.arg in WORDING:
            roots.append(node.value)
        elif isinstance(node, ast.Raise) and node.exc is not None:
            roots += [node.exc, *([node.cause] if node.cause else [])]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if getattr(node.value.func, "id", "") in ("TypeVar", "NewType", "TypeAlias"):
                roots.append(node)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            roots.append(node)
    return {id(inner) for root in roots for inner in ast.walk(root)}
