"""What a link or a file may carry: each name is tried in each place, and so is too much of it.

Nothing that names an address, a key, a cap or a workspace gets in where it is not meant to be.
"""

import json
from contextlib import suppress
from dataclasses import replace

import pytest

from synth.documents.decoding import MOST_CHUNKS
from synth.errors import ImportedRunError
from synth.prompts.templates import MOST_VARIABLES
from tests.ui.page import Playground
from tests.ui.store.test_kept import VALUES
from ui.pages.compare.columns import LETTERS, MOST_REPEATS, Column
from ui.pages.compare.thumbs_and_notes import Rating
from ui.session import keys, workspace
from ui.settings import schema
from ui.settings.request import Model
from ui.settings.schema import DEFAULT, PLAIN, SHOWN, TEMPLATES
from ui.store import rows
from ui.store.rows import Run, RunInfo
from ui.workspaces import files, opening
from ui.workspaces.files import _OTHERS, MOST_ENTRIES, select_saved, to_json

IN_SESSION_OR_WORKSPACE = {
    value for name, value in vars(keys).items() if name.isupper() and isinstance(value, str)
}
OF_TEMPLATES = {name for names in TEMPLATES.values() for name in names}
NAMES = sorted(
    {*PLAIN, *IN_SESSION_OR_WORKSPACE, "variables.tone"}
    | {"api_key", "key for https://api.openai.com", "w", "open", "server", "confirmed_hosts"}
)
OVERRIDES = {name for name, shown in SHOWN.items() if shown.column} | OF_TEMPLATES
NEVER_SHARED = {"base_url", keys.CLASS, keys.RATINGS}
IN_WORKSPACE = {*PLAIN} | {
    *(keys.TEMPLATE_SETS, keys.COLUMNS, keys.QUESTIONS, keys.REPEATS),
    *(keys.QUESTION_SET, keys.FACTS, keys.EXPECTED, keys.EXPECTED_OF),
    *(keys.RECORDED, keys.LESSON, keys.GUESSES, keys.LESSONS_DONE, "variables.tone"),
}
TEXTS = ["x", "offline", "refine", "llama_index", "cl100k_base", "top", "low"]
JSON: list[object] = [True, 3, 0.5, *TEXTS, [], {}, [["A", {}], ["B", {}]], None]


def text_of(values, kind="workspace", **more):
    return json.dumps({"kind": kind, "version": 1, "values": values, **more})


def taken(values):
    try:
        return files.read(text_of(values))
    except ImportedRunError:
        return None


def in_set(name, value):
    found = taken({keys.TEMPLATE_SETS: {"s": {name: value}}})
    return found and found[keys.TEMPLATE_SETS]["s"]


def in_column(name, value):
    found = taken({keys.COLUMNS: [["A", {name: value}], ["B", {}]]})
    return found and dict(found[keys.COLUMNS][0].overrides)


def in_workspace(name, value):
    found = taken({name: value})
    return found and {**found, **found.get(keys.SETTINGS, DEFAULT).changed, **dict.fromkeys({name})}


PLACES = {
    in_set: OF_TEMPLATES,
    in_column: {*OVERRIDES, "variables.tone"} - {"base_url"},
    in_workspace: IN_WORKSPACE - NEVER_SHARED,
}


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_each_name_gets_in_only_where_it_belongs(place):
    names = set(NAMES) - {keys.QUESTION_SET}  # JSON lines of questions
    got_in = {name for name in names if any(name in (place(name, value) or ()) for value in JSON)}
    assert got_in == PLACES[place] - {keys.QUESTION_SET}


EXAMPLES = [*JSON, "human", 1, "x" * 9, [["x", "y", True]], {"m": {"prompt": 1.0}}, {"x": "y"}]


def examples(path):
    found = []
    for data in EXAMPLES:
        with suppress(ValueError):
            value = schema.read(path, data)
            found += [value] if value != DEFAULT.value(path) else []
    assert found, f"EXAMPLES need a value of {path}"
    return found


@pytest.mark.parametrize("path", sorted({*PLAIN, "variables.tone"}))
def test_what_a_file_leaves_out_of_the_settings_it_does_not_bring_either(path):
    for value in examples(path):
        values = {keys.SETTINGS: DEFAULT.with_({path: value})}
        is_written = path in json.loads(files.write(values))["values"]
        assert is_written == (taken(to_json(select_saved(values))) is not None), value
        if schema.may_differ(path):
            columns = Column("A", ((path, value),)), Column("B", ())
            values = {keys.COLUMNS: columns}
            [[_, first], _] = json.loads(files.write(values))["values"][keys.COLUMNS]
            assert (path in first) == (taken(to_json(select_saved(values))) is not None), value


def test_what_a_file_leaves_out_beside_the_settings_it_does_not_bring_either():
    own = {keys.CLASS: "0123abcd"}
    more = {**own, keys.RULINGS: {}, keys.RATINGS: {"x": Rating(True)}}
    values = {**VALUES, **more, keys.QUESTION_SET: '{"query": "What failed?"}\n'}
    assert values.keys() == {keys.SETTINGS, *_OTHERS}
    for name in _OTHERS:
        one = {name: values[name]}
        is_written = name in json.loads(files.write(one))["values"]
        assert is_written == (taken(to_json(select_saved(one))) is not None), name
        assert is_written == (name not in {*NEVER_SHARED, keys.RULINGS})


NEVER = {
    "base_url": "http://127.0.0.1:1/v1",
    keys.CLASS: "0123abcd",
}


@pytest.mark.parametrize(("name", "value"), NEVER.items())
def test_what_is_never_shared_is_refused_by_its_name(name, value):
    with pytest.raises(ImportedRunError, match=f"{name}: it is never shared"):
        files.read(text_of({name: value}))
    with pytest.raises(ImportedRunError, match=f"{name}( does not belong|: it is never shared)"):
        files.read(text_of({keys.COLUMNS: [["A", {name: value}], ["B", {}]]}))


@pytest.fixture(scope="module")
def ran():
    page = Playground(mode="generation").finish()
    return Run(RunInfo(), page.job.request, page.job.trace)


@pytest.mark.slow
def test_a_run_with_an_address_is_refused_in_each_file(ran):
    model = Model("endpoint", "m", "http://127.0.0.1:1/v1")
    fields = json.loads(rows.write_file(ran))
    fields["request"]["model"] = vars(model)
    text = json.dumps(fields)
    with pytest.raises(ImportedRunError, match=r"model\.address: an address is never shared"):
        files.read(text)
    named = replace(ran, request=replace(ran.request, model=replace(model, address="")))
    assert files.read(rows.write_file(named)).request.model.name == "m"


@pytest.mark.slow
def test_what_a_server_said_of_a_failure_comes_from_no_file(ran):
    fields = json.loads(rows.write_file(ran))
    fields["run"] |= {"error": "your key sk-1 is wrong", "error_kind": "AuthFailed"}
    back = files.read(json.dumps(fields))
    assert "sk-1" not in repr(back)


@pytest.mark.slow
def test_the_address_bar_sets_nothing():
    own = {
        "base_url": "http://127.0.0.1:1/v1",
        "cap_calls": 3,
        "text_qa_template": "Mine",
    }
    page = Playground(**own)
    others = set(NAMES) - {"w", opening.LINK}
    page.open(**dict.fromkeys(others, "http://127.0.0.1:2/v1"))
    assert {name: page.settings.value(name) for name in own} == own
    assert ":2/v1" not in repr(page.space.values)
    assert workspace.registry().spaces[page.space.id] is page.space


def many(count, of="x"):
    return {f"{of}{number}": "x" for number in range(count)}


COLUMNS = [[letter, {}] for letter in LETTERS]
TOO_MUCH = [
    ({"chunks": [["x", "y", True]] * (MOST_CHUNKS + 1)}, "at most 2000 items"),
    ({"chunks": [["x" * 2_000_001, "y", True]]}, "2,000,001 characters, and"),
    ({"text_qa_template": "x" * 2_000_001}, "2,000,001 characters, and"),
    ({"context_window": 0}, "context_window: Input should be greater than or equal to 1"),
    ({"chunk_overlap_ratio": float("nan")}, "Input should be a finite number"),
    ({"temperature": 3}, "less than or equal to 2"),
    ({"seed": 2**60}, "less than or equal to"),
    ({"reasoning_effort": "much"}, "there is no much"),
    ({keys.COLUMNS: []}, "It has 0 columns; a comparison has 2 to 26"),
    ({keys.COLUMNS: [["A", {}]] * 40}, "It has 40 columns"),
    ({keys.COLUMNS: [["A", {}], ["A", {}]]}, "must have different names"),
    ({keys.COLUMNS: [["A", {}], ["refine", {}]]}, "must have different names, of A, B, C, D"),
    ({keys.COLUMNS: [["A", {"context_window": 0}], ["B", {}]]}, "greater than or equal to 1"),
    ({keys.REPEATS: MOST_REPEATS + 1}, "less than or equal to 10"),
    ({keys.TEMPLATE_SETS: {name: {} for name in many(1_001)}}, "at most 1000 items"),
    ({keys.FACTS: many(MOST_ENTRIES + 1)}, "at most 1000 items"),
    (many(MOST_VARIABLES + 1, "variables."), "101 variables, and 100 is"),
    ({keys.COLUMNS: [["A", many(101, "variables.")], ["B", {}]]}, "101 variables, and 100 is"),
]


@pytest.mark.parametrize(("values", "said"), TOO_MUCH, ids=[said for _, said in TOO_MUCH])
def test_more_than_the_pages_hold_is_refused_with_the_bound(values, said):
    with pytest.raises(ImportedRunError, match=said):
        files.read(text_of(values))


def test_as_much_as_the_pages_hold_opens():
    most = {
        "chunks": [["x", "y", True]] * MOST_CHUNKS,
        keys.COLUMNS: COLUMNS,
        keys.FACTS: many(MOST_ENTRIES),
        **many(MOST_VARIABLES, "variables."),
    }
    values = files.read(text_of(most))
    assert len(values[keys.SETTINGS].chunks) == MOST_CHUNKS
    assert files.read(files.write(values)) == values
