"""The rules by example: given a position, when a command comes, then …

`worked.txt` holds the worked examples of the rules under their own ids, `further.txt` the
corners that those leave; `notation.py` explains how to read both.
"""

from pathlib import Path

import pytest

from service.rules.canasta import view
from service.rules.canasta.reasons import REASONS
from tests.rules.canasta.notation import Example, check, read, run

HERE = Path(__file__).parent
WORKED = read(HERE / "worked.txt")
EXAMPLES = WORKED + read(HERE / "further.txt")

every_example = pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"{each.id}-{'-'.join(each.rules)}" for each in EXAMPLES]
)


@every_example
def test_example(example: Example) -> None:
    state = example.start()
    for word, text in example.story:
        if word == "then":
            check(state, text)
            continue
        asked, answer = text.split(" => ")
        before = state.copy()
        assert run(state, asked) == answer, asked
        assert (state == before) == (answer != "ok"), asked


@pytest.mark.sampled(5)
@every_example
def test_a_view_is_enough_to_know_whether_a_command_is_allowed(example: Example) -> None:
    state = example.start()
    for word, text in example.story:
        if word == "when":
            asked, answer = text.split(" => ")
            assert run(view(state, int(asked[1])), asked) == answer, asked
            run(state, asked)


def test_no_example_is_missing_or_doubled() -> None:
    assert len(WORKED) == 77
    assert len({example.id for example in EXAMPLES}) == len(EXAMPLES)


def test_every_reason_is_reached() -> None:
    reached = {
        text.partition(" => ")[2]
        for example in EXAMPLES
        for word, text in example.story
        if word == "when"
    }
    assert reached - {"ok"} == REASONS.keys() - {"wrong_pack"}  # its own test in test_dealing
