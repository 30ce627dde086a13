"""The trade-off of Compare: its points, which of them are behind others, its words and axes."""

import pytest

from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.compare_columns import after, fan_of, priced, trace_of
from tests.ui.plotly_figures import checked, light
from tests.ui.sample_calls import made
from tests.ui.test_grid import SET, Grid
from ui.pages.compare.analysis.judged_runs import Asked, JudgedRun
from ui.pages.compare.analysis.trade_off import (
    AMOUNTS,
    MEASURES,
    Weighed,
    shared_columns,
    trade_off_findings,
    trade_off_of,
)
from ui.pages.compare.analysis.trade_off_chart import trade_off_alt, trade_off_figure

FACTS, CALLS = MEASURES["Facts held"], AMOUNTS["Calls"]


def weighed(name, facts, calls, questions=10):
    """A column with the same values for each question, of one run each."""
    return Weighed(name, [[facts]] * questions, [[calls]] * questions)


def found(*columns):
    return trade_off_of(shared_columns(columns), FACTS, CALLS)


def words(*columns):
    return "".join(trade_off_findings(found(*columns), shared_columns(columns), FACTS, CALLS))


def behind(*columns):
    return {point.name: point.behind for point in found(*columns).points}


def test_a_column_that_takes_more_for_no_more_is_behind_the_best_such_column():
    columns = [
        weighed("cheap", 0.4, 1),
        weighed("good", 0.8, 2),
        weighed("slow", 0.8, 12),
        weighed("poor", 0.6, 3),
        weighed("best", 0.9, 20),
    ]
    assert behind(*columns) == {
        "cheap": "",
        "good": "",
        "slow": "good",
        "poor": "good",
        "best": "",
    }
    assert [point.name for point in found(*columns).frontier()] == ["cheap", "good", "best"]


@pytest.mark.parametrize(("one", "other"), [((0.1 + 0.2, 1), (0.3, 1)), ((0.0, 1), (0.0, 12))])
def test_columns_that_are_worth_the_same_are_behind_none(one, other):
    columns = weighed("A", *one), weighed("B", *other)
    assert set(behind(*columns).values()) == {""}
    assert "behind" not in words(*columns)


def test_only_questions_that_all_columns_have_count():
    short = Weighed("short", [[0.5], [None], [1.0]], [[2], [2], [None]])
    none = Weighed("none", [[None]] * 3, [[1]] * 3)
    shared = shared_columns([weighed("whole", 1.0, 1, 3), none, short])
    assert shared == [weighed("whole", 1.0, 1, 1), weighed("short", 0.5, 2, 1)]
    other = Weighed("other", [[None], [0.5], [None]], [[2]] * 3)
    assert shared_columns([short, other]) == []
    assert shared_columns([none]) == []


def test_repeats_stay_within_their_question():
    [point] = found(Weighed("A", [[1.0, 0.0, 0.5], [1.0]], [[2, 4], [3]])).points
    assert (point.measure, point.amount, point.words) == (0.75, 3.0, "75\u00a0% for 3 calls")


def test_the_paragraph_says_who_is_ahead_who_is_behind_and_what_can_be_told():
    said = words(weighed("compact", 0.8, 2), weighed("refine", 0.8, 12), weighed("cut", 0.4, 1))
    assert said == (
        "compact and refine have the highest share of facts in the answer, 80\u00a0%; cut takes"
        " the fewest calls, 40\u00a0% for 1 call. refine is behind compact: it takes no less, and"
        " is worth no more. compact"
        " and refine can't be told apart with 10 questions: none came out differently. compact is"
        " better than cut: ahead in 10 of 10 questions."
    )


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ([("A", 0.5, 1), ("B", 0.5, 1)], "All columns have the same share of facts in the answer"),
        (
            [("A", 0.5, 1), ("B", 0.75, 3)],
            "B has the highest share of facts in the answer, 75\u00a0% for 3 calls; A takes",
        ),
        (
            [("A", 0.5, 3), ("B", 0.75, 3)],
            "B has the highest share of facts in the answer, 75\u00a0% for 3 calls. A is",
        ),
    ],
)
def test_what_the_paragraph_begins_with(columns, said):
    assert said in words(*(weighed(*column) for column in columns))


def test_how_many_questions_would_do_is_said_of_the_best_wherever_it_stands():
    few = [weighed("A", 1.0, 1, 4), weighed("B", 0.0, 1, 4)]
    assert "4 questions can't tell columns apart: it takes 6 at least." in words(*few)
    measures = [[1.0]] * 5 + [[0.0]] * 3
    some = weighed("B", 0.0, 1, 8), Weighed("A", measures, [[1]] * 8)
    assert words(*some).endswith(
        "A and B can't be told apart with 8 questions; about 10 would do, if more came out as"
        " these did."
    )
    assert words(weighed("A", 1.0, 1)) == ""


def test_columns_that_are_behind_alike_are_named_once():
    base = Weighed("A", [[1.0]] + [[0.0]] * 19, [[1]] * 20)
    others = [weighed(name, 0.0, 2, 20) for name in "BCD"]
    said = words(base, *others)
    assert "B, C and D are behind A: they take no less, and are worth no more." in said
    assert "A and B can't be told apart with 20 questions; about 140 would do" in said


def test_the_figure_has_a_point_with_its_name_for_each_column():
    shown = found(weighed("<b>$x$", 0.8, 2), weighed("refine", 0.8, 12), weighed("cut", 0.4, 1))
    figure = checked(trade_off_figure)(shown)
    front, others = figure.data[2], figure.data[1]
    assert (list(front.x), list(others.x)) == ([1, 2], [12])
    assert (list(front.text), list(others.text)) == (
        ["<b>cut</b>", "<b>&lt;b&gt;&#36;x&#36;</b>"],
        ["<b>refine</b>"],
    )
    assert others.marker.color == light("paper")
    assert front.customdata[1] == "&lt;b&gt;&#36;x&#36;<br>80 % for 2 calls"
    assert figure.layout.xaxis.type == "log"
    assert trade_off_alt(shown).endswith("cut: 40\u00a0% for 1 call.")


def test_amounts_of_nothing_are_on_a_scale_that_begins_there():
    figure = checked(trade_off_figure)(found(weighed("none", 0.2, 0), weighed("A", 1, 4)))
    assert figure.layout.xaxis.type is None
    low, high = figure.layout.xaxis.range
    assert low < 0 < 4 < high


@pytest.mark.parametrize(
    ("low", "high"), [(2, 2), (2_600, 3_900), (1, 12), (0.0002, 0.0021), (1, 5_000)]
)
def test_a_log_scale_has_round_numbers(low, high):
    ticks = found(weighed("A", 0.2, low), weighed("B", 1, high)).ticks()
    assert 2 <= len(ticks) <= 8


@pytest.mark.parametrize(("low", "high"), [(0, 1), (1, 1), (0.851, 0.852), (0.3, 0.34)])
def test_no_two_numbers_on_the_axis_of_the_measure_read_alike(low, high):
    shown = found(weighed("A", low, 1), weighed("B", high, 2))
    written = [shown.measure_text(value) for value in shown.measure_ticks()]
    assert 2 <= len(written) == len(set(written))


class TradeOffPage(Grid):
    """The view Trade-off of a set that was run."""

    def __init__(self, *columns, text=SET, form="csv", **settings):
        super().__init__(*columns, **settings)
        self.paste(text, form).finish().set(compare_view="trade_off")


@pytest.mark.slow
def test_the_view_shows_the_paragraph_and_lets_the_measure_be_chosen():
    page = TradeOffPage()
    assert "; B takes the fewest calls" in page.text
    assert "Means over 3 questions" in page.text
    assert "<b>B</b> no_text: " in page.text
    choice = page.at.segmented_control(key="trade_off_measure")
    assert list(choice.options) == ["Questions passed", "Facts held", "Words from the chunks"]
    assert "trade_off_amount" not in page.keys
    page.set(trade_off_measure="Words from the chunks")
    assert "have the same" not in page.text  # one column has an answer
    assert "B has no value here." in page.text


@pytest.mark.slow
def test_likeness_is_a_measure_where_there_is_a_reference():
    line = '{"query": "What failed?", "reference": "The pump failed."}'
    page = TradeOffPage(text=line, form="jsonl")
    assert "chrF" in page.at.segmented_control(key="trade_off_measure").options
    page.set(trade_off_measure="token F1")
    assert "2PR / (P + R)" in page.text


@pytest.mark.slow
def test_the_seconds_of_an_endpoint_can_be_chosen():
    with FakeOpenAI(Answer("The pump failed.")) as server:
        columns = ({"mode": "compact"}, {"mode": "no_text"})
        model = {"model": "endpoint", "base_url": server.base_url, "model_name": "m"}
        page = TradeOffPage(*columns, **model)
        assert list(page.at.segmented_control(key="trade_off_amount").options) == [
            "Seconds",
            "Calls",
        ]
        page.set(trade_off_amount="Calls")
        assert "; B takes the fewest calls" in page.text


def test_dollars_are_those_of_the_list_price():
    dollars = AMOUNTS["Dollars"]
    run = JudgedRun(trace_of(fan_of(made, [0])), Asked("Why?"), (), abstained=False)
    own = after("A", "compact", run.trace.calls)
    assert dollars.of(own, run) is None
    assert dollars.of(priced(own), run) == pytest.approx(priced(own).cost(run.trace))
    assert dollars.text(0.00123) == "$0.0012"


@pytest.mark.slow
def test_before_a_run_the_view_says_what_to_do():
    page = Grid().paste(SET).set(compare_view="trade_off")
    assert "There is nothing to show yet." in page.text
