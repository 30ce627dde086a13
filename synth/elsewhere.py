"""Names of LlamaIndex that this package does not have, each with what to take instead.

One table for modules, for what modules hold, and for attributes and arguments of classes. Who
asks for one of them gets its sentence in place of Python's own words.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError, is_dataclass
from functools import wraps
from importlib.abc import MetaPathFinder
from typing import Any, NoReturn, TypeVar

_NOT_EMBEDDED = "nothing is embedded; leave it out"
_AS_DATA = {"to_dict": "take dataclasses.asdict", "class_name": "take type(node).__name__"}
_SPLIT = "cut the texts with TokenTextSplitter(...).split_text, and make a Node of each piece"
_MODELS = {
    "OpenAI AzureOpenAI OpenAILike": "take OpenAILLM, with a base_url for other servers",
    "Ollama ollama": "take OpenAILLM(model, base_url='http://localhost:11434/v1')",
    "CustomLLM MockLLM": "take FunctionLLM with a function of yours, or subclass LLM",
    "CompletionResponse ChatResponse": "take Completion of synth.llms",
    "ChatMessage": "give a (role, text) pair",
    "MessageRole": "write the role as a string, such as 'user'",
}
_TEMPLATES = {
    "RichPromptTemplate LangchainPromptTemplate": "take PromptTemplate or ChatPromptTemplate, with"
    " variables in single braces",
    "SelectorPromptTemplate": "take ChatPromptTemplate; default_template is the text beside it",
    "PromptType": "leave it out",
    "base": "its names are in synth",
    "default_prompts default_prompt_selectors": "take DEFAULTS of synth.prompts.defaults",
}
_ARGUMENTS = {
    "output_parser": "give output_cls to get_response_synthesizer, or put the format into the text",
    "metadata": "nothing reads it; leave it out",
    "prompt_type": "leave it out",
}
_NAMES = {
    "synth": {
        "VectorStoreIndex embeddings": "nothing is embedded here; BM25Index finds nodes by their"
        " words",
        "SummaryIndex": "give all nodes to synthesize, or take BM25Index",
        "SimpleDirectoryReader StorageContext readers storage load_index_from_storage"
        " ingestion": "no files are read or stored here; make a Node of each text",
        "RetrieverQueryEngine": "take QueryEngine(retriever, response_synthesizer)",
        "BM25Retriever retrievers": "take BM25Index(nodes).as_retriever(similarity_top_k=2)",
        "PydanticResponse": "take Response; with output_cls its response is the object",
        "SentenceSplitter node_parser text_splitter": "take TokenTextSplitter of synth, and make a"
        " Node of each piece",
        "callbacks instrumentation set_global_handler": "read what happens from stream, or"
        " afterwards from the response's trace",
        "chat_engine": "there are no chats; a query engine answers each question by itself",
        "core": "leave core out; its names are in synth",
        "agent tools workflow memory": "only response synthesis is here; call it from your agent",
        "base settings service_context types": "its names are in synth, synth.llms and"
        " synth.response_synthesizers",
        "evaluation": "take synth.quality",
        "indices": "take BM25Index and PromptHelper of synth",
        "output_parsers program": "give output_cls to get_response_synthesizer",
        "postprocessor": "change the nodes that a retriever found, and give them to synthesize",
        "query_engine": "take QueryEngine of synth",
        "response": "print the response, or show it in a notebook",
        **_MODELS,
        **_TEMPLATES,
    },
    "synth.llms": _MODELS,
    "synth.llms.openai": {"OpenAI": "take OpenAILLM"},
    "synth.prompts": _MODELS | _TEMPLATES,
    "synth.response_synthesizers": {
        "factory": "take get_response_synthesizer of synth",
        "type": "take ResponseMode of synth",
        "refine compact_and_refine tree_summarize simple_summarize accumulate"
        " compact_and_accumulate generation no_text context_only": "its class is in synth",
    },
    "synth.schema": {
        "BaseNode IndexNode": "take Node",
        "ImageNode": "only text is synthesized; describe an image in a Node's text",
        "NodeRelationship": "nodes are not linked; put what matters into their metadata",
        "QueryType": "give a string, or a QueryBundle",
    },
    "BM25Index": {
        "as_chat_engine": "there are no chats; as_query_engine answers each question by itself",
        "from_documents": f"{_SPLIT}; then BM25Index(nodes)",
        "insert insert_nodes": "make a new BM25Index of all nodes",
        "storage_context": "nothing is stored; its nodes are in `nodes`",
    },
    "ChatPromptTemplate": _ARGUMENTS,
    "LLM": {
        "chat stream_chat": "give `complete` what ChatPromptTemplate(...).fill() makes",
        "predict stream_complete": "give `complete` or `stream` what PromptTemplate(...).fill()"
        " makes, with its variables",
        "as_structured_llm structured_predict": "give output_cls to get_response_synthesizer",
    },
    "LLMMetadata": {
        "is_chat_model system_role": "each message of a ChatPromptTemplate goes out with its role,"
        " if the model takes it",
        "is_function_calling_model": "objects are asked for by output_cls; leave it out",
    },
    "Node": {
        "doc_id": "take id_",
        "extra_info": "take metadata",
        "embedding excluded_embed_metadata_keys get_embedding": _NOT_EMBEDDED,
        "metadata_seperator": "take metadata_separator",
        "start_char_idx end_char_idx ref_doc_id relationships": "put it into the metadata",
        "set_content": "take dataclasses.replace(node, text=...)",
        **_AS_DATA,
    },
    "NodeWithScore": {"get_embedding": _NOT_EMBEDDED, "get_score": "take score", **_AS_DATA},
    "OpenAILLM": {
        "additional_kwargs": "take arguments",
        "api_base": "take base_url",
        "max_tokens": "take num_output",
        "system_prompt": "put a system message into a ChatPromptTemplate",
    },
    "PromptTemplate": _ARGUMENTS,
    "PromptHelper": {"get_text_splitter_given_prompt": "take splitter(chunk_size(template))"},
    "QueryBundle": {
        "custom_embedding_strs embedding": _NOT_EMBEDDED,
        "image_path": "only text is asked; leave it out",
    },
    "QueryEngine": {
        "from_args": "take QueryEngine(retriever, get_response_synthesizer(...))",
        "retrieve": "take retriever.retrieve",
        "synthesize": "take response_synthesizer.synthesize",
    },
    "Response": {"model_dump model_dump_json": "take to_dict"},
    "Retriever": {
        "aretrieve": "take retrieve; it waits for nothing",
        "from_defaults": "take BM25Index(nodes).as_retriever(similarity_top_k=2)",
    },
    "ServiceContext": {
        "chunk_size": _SPLIT,
        "embed_model": _NOT_EMBEDDED,
        "prompt_helper": "give it to get_response_synthesizer",
    },
    "Settings": {
        "chunk_size chunk_overlap node_parser text_splitter transformations": _SPLIT,
        "context_window num_output": "give the model its context_window and num_output, or a"
        " synthesizer its prompt_helper",
        "embed_model": _NOT_EMBEDDED,
        "prompt_helper": "give it to get_response_synthesizer",
        "tokenizer": "give it to PromptHelper, and that to get_response_synthesizer",
    },
    "TokenTextSplitter": {
        "from_defaults": "take TokenTextSplitter(chunk_size, chunk_overlap)",
        "get_nodes_from_documents": "make a Node of each piece that split_text gives",
    },
    "get_response": {
        "llm llm_kwargs": "give the model to get_response_synthesizer",
        "num_children": "as many texts as fit go into each call; cap them by chunk_size_limit of"
        " PromptHelper",
        "prev_response": "put it before the chunks, or go on with run(..., log=trace.log())",
    },
    "get_response_synthesizer": {
        "multimodal": "only text is synthesized here; describe an image in a chunk's text",
        "node_postprocessors": "change the nodes that a retriever found, and give them to"
        " synthesize",
        "program_factory": "give output_cls, or structured_answer_filtering, and a model of your"
        " own",
    },
}
INSTEAD = {
    owner: {name: instead for names, instead in rows.items() for name in names.split()}
    for owner, rows in _NAMES.items()
}
"""What to take instead, by the module or class that lacks a name, and by that name."""

C = TypeVar("C", bound=type)


def module_names(module: str) -> Callable[[str], NoReturn]:
    """Return the `__getattr__` of a module: ImportError for a name of the table."""

    def missing(name: str) -> NoReturn:
        if name in INSTEAD[module]:  # an AttributeError would lose its words in `from ... import`
            raise ImportError(sentence(module, name))
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return missing


class _Modules(MetaPathFinder):
    """Python asks it last, for a module that nothing else finds.

    It is there for `from synth.core import Settings`, which asks no `__getattr__`.
    """

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> None:
        package, _, name = fullname.rpartition(".")
        if name in INSTEAD.get(package, {}):
            raise ModuleNotFoundError(sentence(package, name), name=fullname)


sys.meta_path.append(_Modules())


def says_what_to_take(kind: C) -> C:
    """Decorate a class so that what the table has of it is answered by its sentence.

    AttributeError for an attribute, TypeError for an argument of the constructor. A frozen
    dataclass also says how a changed copy is made.
    """
    owner = kind.__name__.lstrip("_")
    made = kind.__init__  # type: ignore[misc]

    @wraps(made)
    def checked(self: Any, *args: Any, **options: Any) -> None:
        for name in options.keys() & INSTEAD[owner].keys():
            raise TypeError(sentence(owner, name))
        made(self, *args, **options)

    for name in INSTEAD[owner]:
        setattr(kind, name, _Missing(sentence(owner, name)))
    kind.__init__ = checked  # type: ignore[misc]
    if is_dataclass(kind):
        kind.__setattr__ = _saying_how(kind.__setattr__)  # type: ignore[method-assign]
    return kind


class _Missing:
    """An attribute that there is not, of a class and of its objects."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence

    def __get__(self, instance: object, owner: type | None = None) -> NoReturn:
        raise AttributeError(self._sentence)


def _saying_how(assign: Callable[[Any, str, object], None]) -> Callable[[Any, str, object], None]:
    """The `__setattr__` of a frozen dataclass; where it refuses, it says how a copy is made."""

    def assigned(self: object, name: str, value: object) -> None:
        try:
            assign(self, name, value)
        except FrozenInstanceError:
            raise FrozenInstanceError(
                f"A {type(self).__name__} does not change: dataclasses.replace(it, {name}=...)"
                " makes a changed copy."
            ) from None

    return assigned


def sentence(owner: str, name: str) -> str:
    """Say what to take instead of a name that the module or class of the table lacks."""
    return f"{owner} has no {name}: {INSTEAD[owner][name]}."
