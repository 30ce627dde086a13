"""Which words of a text tell it from others, and how an index ranks texts and answers by them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import SynthError, TemplateError
from synth.llms import FunctionLLM
from synth.modes.index import BM25Index
from synth.modes.registry import get_response_synthesizer
from synth.modes.responses import Response, StreamingResponse
from synth.prompts.templates import PromptTemplate
from synth.schema import Node
from synth.text.words_and_sentences import telling_words

RIVER = Node(text="The river is cold in spring.")
FIRE = Node(text="The fire is warm, and the fire is bright.")
STONE = Node(text="Stones are neither.", metadata={"title": "Rivers of Europe"})
NODES = [RIVER, FIRE, STONE]


def echo(prompt: str) -> str:
    return f"<{prompt}>"


def engine(**options):
    llm = FunctionLLM(echo)
    template = PromptTemplate("{tone}|{context_str}|{query_str}")
    synthesizer = get_response_synthesizer("compact", llm=llm, text_qa_template=template, **options)
    return BM25Index(NODES).as_query_engine(synthesizer, similarity_top_k=1)


def test_the_best_node_comes_first_with_its_score():
    found = BM25Index(NODES).as_retriever(similarity_top_k=99).retrieve("Is a fire bright?")
    assert [hit.node for hit in found] == [FIRE, RIVER, STONE]
    assert found[0].score > 0
    assert found[1].score == found[2].score == 0
    assert all(type(hit.score) is float for hit in found)


def test_metadata_is_searched_too():
    found = BM25Index([FIRE, STONE]).as_retriever(similarity_top_k=1).retrieve("Which rivers?")
    assert [hit.node for hit in found] == [STONE]


def test_k_nodes_come_even_if_none_matches_in_their_order():
    retriever = BM25Index(NODES).as_retriever()
    assert [(hit.node, hit.score) for hit in retriever.retrieve("dinosaurs")] == [
        (RIVER, 0.0),
        (FIRE, 0.0),
    ]
    assert [hit.node for hit in retriever.retrieve("")] == [RIVER, FIRE]


def test_an_index_needs_nodes():
    for none in ([], iter([])):
        with pytest.raises(SynthError, match="needs nodes"):
            BM25Index(none)


async def test_a_query_is_answered_from_the_nodes_it_found():
    responses = [
        engine().query("Is fire warm?", tone="plain"),
        await engine().aquery("Is fire warm?", tone="plain"),
        engine(streaming=True).query("Is fire warm?", tone="plain"),
    ]
    for response, kind in zip(responses, (Response, Response, StreamingResponse), strict=True):
        assert isinstance(response, kind)
        assert str(response) == f"<plain|{FIRE.text}|Is fire warm?>"
        assert [source.node for source in response.source_nodes] == [FIRE]
        assert response.source_nodes[0].score > 0


def test_the_templates_of_an_engine_are_those_of_its_synthesizer():
    engine = BM25Index(NODES).as_query_engine(llm=FunctionLLM(echo), similarity_top_k=1)
    names = ["response_synthesizer:text_qa_template", "response_synthesizer:refine_template"]
    assert list(engine.get_prompts()) == names
    mine = PromptTemplate("mine {context_str}")
    engine.update_prompts({names[0]: mine})
    assert engine.get_prompts()[names[0]] is mine
    assert str(engine.query("fire")) == f"<mine {FIRE.text}>"
    with pytest.raises(TemplateError, match=f"no template text_qa_template; .*: {names[0]}"):
        engine.update_prompts({"text_qa_template": mine})


ODD = st.text(st.characters(), max_size=60)  # surrogates, NUL and unassigned points included


def test_chinese_japanese_and_korean_give_pairs():
    assert telling_words("连接池太小") == ["连接", "接池", "池太", "太小"]
    assert telling_words("水。カタカナ 한국어") == ["水", "カタ", "タカ", "カナ", "한국", "국어"]
    assert telling_words("pool连接") == ["pool", "连接"]


def scores(texts, query):
    """How well each text matches the query."""
    index = BM25Index(Node(text=text, id_=str(at)) for at, text in enumerate(texts))
    ranked = index.search(query, len(texts))
    return [one.score for one in sorted(ranked, key=lambda one: int(one.node.node_id))]


@given(st.lists(ODD, min_size=1, max_size=5), ODD)
def test_any_text_can_be_ranked(texts, query):
    for text, score in zip(texts, scores(texts, query), strict=True):
        assert (score > 0) == bool(set(telling_words(text)) & set(telling_words(query)))
