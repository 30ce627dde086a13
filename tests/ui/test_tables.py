"""Tables write numbers as sentences do, whatever the language of the browser."""

import json

from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df

from tests.ui.apptest import AppTest


def a_table():
    from ui.look.elements import table  # noqa: PLC0415  the script of a page

    table({"Calls": [1_234], "Cost": [159.2], "Mode": ["refine"]}, money=["Cost"])


def test_whole_numbers_are_grouped_and_money_is_written_in_one_way():
    [shown] = AppTest.from_function(a_table).run().dataframe
    numbers = json.loads(shown.proto.columns)["Calls"]["type_config"]
    assert (numbers["format"], numbers["step"]) == ("accounting", 1)  # 1,234 in every language
    said = convert_arrow_bytes_to_pandas_df(shown.proto.arrow_data.styler.display_values)
    assert said["Cost"].tolist() == ["$159.20"]
    assert shown.value["Cost"].tolist() == [159.2]  # by which the table is sorted
