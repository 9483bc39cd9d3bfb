"""What is planted is a mistake that could be noticed."""

from .plant import mutants_of

SOURCE = """
@overload
def total(w: None, most: int = 3) -> None: ...
def total(w: Any, most: int = 3) -> Any:
    assert most > 0
    return sum(w[:most])
"""


def test_nothing_is_planted_in_what_only_a_type_checker_reads_or_in_what_is_not_promised() -> None:
    planted = {str(mutant) for mutant in mutants_of("m.py", SOURCE)}
    assert planted == {"m.py:4 3 -> 4", "m.py:6 return sum(w[:most]) -> None"}
