"""What a user of LlamaIndex writes from memory: it runs as there, or says what to take."""

import importlib

import pytest

from synth import elsewhere
from synth.errors import SynthError

BEGINNING = """
from synth import *
from synth.response_synthesizers import *
nodes = [NodeWithScore(node=TextNode(text="The pool was set to 8.", id_="n1"), score=0.9)]
documents = [Document(text="The pool was set to 8.", metadata={"file": "a.md"})]
llm = FunctionLLM(lambda prompt: "eight")
index = BM25Index(documents)
retriever = index.as_retriever(similarity_top_k=1)
response_synthesizer = get_response_synthesizer(llm=llm)
"""

RUN = {
    "QueryBundle(query_str='x').query_str": "x",
    "str(response_synthesizer.synthesize(QueryBundle('Why?'), nodes))": "eight",
    "str(response_synthesizer.synthesize(query='Why?', nodes=nodes))": "eight",
    "retriever.retrieve(QueryBundle('pool'))[0].get_text()": "The pool was set to 8.",
    "str(index.as_query_engine(llm=llm).query(QueryBundle('Why?')))": "eight",
    "nodes[0].get_text()": "The pool was set to 8.",
    "nodes[0].node.get_text()": "The pool was set to 8.",
    "nodes[0].node_id": "n1",
    "retriever.retrieve('pool')[0].metadata": {"file": "a.md"},
    "documents[0].get_content(metadata_mode=MetadataMode.LLM)": "file: a.md\n\nThe pool was set"
    " to 8.",
    "Node('a', {'k': 1}, metadata_template='<{key}={value}>').get_content('llm')": "<k=1>\n\na",
    "response_synthesizer.synthesize('Why?', nodes).source_nodes[0].score": 0.9,
    "llm.complete('Why?').text": "eight",
    "str(llm.complete('Why?'))": "eight",
    "llm.metadata.context_window": 3900,
    "PromptHelper.from_llm_metadata(llm.metadata).context_window": 3900,
    "PromptHelper.from_llm_metadata(llm.metadata, chunk_size_limit=5).chunk_size_limit": 5,
    "PromptTemplate('{a} {b}').partial_format(a=1).format(b=2)": "1 2",
    "PromptTemplate('{a}').get_template(llm=llm)": "{a}",
    "PromptHelper(90, 9).repack(prompt=PromptTemplate('{a}'), text_chunks=['b'])": ["b"],
    "documents[0].get_content(MetadataMode.EMBED)": "file: a.md\n\nThe pool was set to 8.",
    "PromptTemplate('{a}').format_messages(a=1)[0].content": "1",
    "__import__('synth.prompts').prompts.PromptTemplate is PromptTemplate": True,
    "TokenTextSplitter(chunk_size=5, chunk_overlap=0).split_text('one two')": ["one two"],
    "TreeSummarize(llm=llm).get_response('Why?', ['a'])": "eight",
    "get_response_synthesizer(response_mode=ResponseMode.REFINE, llm=llm).mode": "refine",
    "sorted(response_synthesizer.get_prompts())": ["refine_template", "text_qa_template"],
    "QueryEngine(retriever=retriever, response_synthesizer=response_synthesizer)"
    ".query('Why?').response": "eight",
}

SAY = {
    "from synth import VectorStoreIndex": "BM25Index finds nodes by their words",
    "from synth.core import Settings": "leave core out",
    "import synth.core.response_synthesizers": "leave core out",
    "import synth; synth.core": "leave core out",
    "from synth.llms.openai import OpenAI": "take OpenAILLM",
    "from synth.response_synthesizers.refine import Refine": "its class is in synth",
    "response_synthesizer.synthesize('q', nodes, query_str='x')": "Rename it",
    "response_synthesizer.synthesize('q', nodes, context_str='x')": "Rename it",
    "PromptTemplate('a', output_parser=len)": "or put the format into the text",
    "PromptTemplate('a', prompt_type='custom')": "has no prompt_type: leave it out",
    "ChatPromptTemplate([('user', 'a')], metadata={})": "leave it out",
    "response_synthesizer.get_response('q', ['a'], prev_response='b')": "before the chunks",
    "response_synthesizer.synthesize('q', nodes, num_children=3)": "cap them by chunk_size_limit",
    "response_synthesizer.get_response('q', ['a'], llm=None)": "to get_response_synthesizer",
    "from synth.prompts.base import PromptTemplate": "its names are in synth",
    "get_response_synthesizer(llm)": "give the model as llm=",
    "response_synthesizer.update_prompts({'qa': PromptTemplate('a')})": "its templates: text_qa",
}


@pytest.mark.parametrize(("code", "value"), RUN.items(), ids=list(RUN))
def test_what_is_as_there_runs(code, value):
    scope = {}
    exec(BEGINNING, scope)
    assert eval(code, scope) == value


@pytest.mark.parametrize(("code", "words"), SAY.items(), ids=list(SAY))
def test_what_is_not_here_says_what_to_take(code, words):
    scope = {}
    exec(BEGINNING, scope)
    with pytest.raises((SynthError, AttributeError, ImportError, TypeError)) as caught:
        exec(code, scope)
    assert words in str(caught.value)


PUBLIC = {
    name: importlib.import_module(name) for name in elsewhere.INSTEAD if name.startswith("synth")
}


def test_other_names_stay_pythons():
    for there in PUBLIC.values():
        assert not hasattr(there, "no_such_name")
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'synth\.no_such_name'"):
        importlib.import_module("synth.no_such_name")
