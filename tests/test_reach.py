"""Which lines a mutant changes: tests are chosen by them, so a line too few leaves it alive."""

from tests.reach import places

MUTATED = """\
@_mutmut_mutated(mutants_x_f__mutmut)
def f(a, b):
    if a:
        return [
            a,
            b,
        ]
    return b

def x_f__mutmut_orig(a, b):
    if a:
        return [
            a,
            b,
        ]
    return b

def x_f__mutmut_1(a, b):
    if not a:
        return [
            a,
            b,
        ]
    return b

def x_f__mutmut_2(a, b):
    if a:
        return [
            a,
            None,
        ]
    return b

def x_f__mutmut_3(a, b=1):
    if a:
        return [
            a,
            b,
        ]
    return b
"""


def test_a_mutant_is_looked_up_by_its_statement() -> None:
    found = {name: near for name, near, _ in places(MUTATED)}
    assert found == {
        "x_f__mutmut_1": {3},
        "x_f__mutmut_2": {4, 5, 6, 7},
        "x_f__mutmut_3": {*range(2, 9)},
    }


def test_whose_statement_nobody_runs_by_its_function() -> None:
    assert {frozenset(whole) for *_, whole in places(MUTATED)} == {frozenset(range(2, 9))}
