"""Nodes, under the names of llama-index-core."""

import re
import uuid
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from synth.elsewhere import module_names
from synth.errors import SynthError, describe, require

if not TYPE_CHECKING:
    __getattr__ = module_names(__name__)


class MetadataMode(StrEnum):
    """Which metadata stand above a node's text when it is read; its string does as well.

    Nothing is embedded here, so no key is left out for EMBED.
    """

    ALL = "all"
    EMBED = "embed"
    LLM = "llm"
    NONE = "none"


@dataclass(frozen=True)
class QueryBundle:
    """A question, as LlamaIndex's query engines pass it on; SynthError if it is no string."""

    query_str: str

    def __post_init__(self) -> None:
        require("The question is", self.query_str, str, "a string")

    def __str__(self) -> str:
        return self.query_str


@dataclass(frozen=True)
class Node:
    """A chunk with its metadata.

    For the LLM the metadata stand above the text by the node's templates, whose names and
    defaults are those of llama-index-core; keys in `excluded_llm_metadata_keys` are left out.
    SynthError for a text or template that is no string, metadata that are no mapping, keys that
    are no list.
    """

    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    excluded_llm_metadata_keys: Sequence[str] | Set[str] = ()
    id_: str = field(default_factory=lambda: str(uuid.uuid4()))
    metadata_template: str = "{key}: {value}"
    metadata_separator: str = "\n"
    text_template: str = "{metadata_str}\n\n{content}"

    def __post_init__(self) -> None:
        for name in ("text", "metadata_template", "metadata_separator", "text_template"):
            require(f"The {name} of a Node is", getattr(self, name), str, "a string")
        require("The metadata of a Node are", self.metadata, Mapping, "a dict, or none")
        keys, name = self.excluded_llm_metadata_keys, "excluded_llm_metadata_keys is"
        require(name, keys, list | tuple | Set, "a list of keys")

    @property
    def node_id(self) -> str:
        """Return the node's id."""
        return self.id_

    def get_content(self, metadata_mode: MetadataMode | str = MetadataMode.NONE) -> str:
        """Return the text, with the metadata that `metadata_mode` asks for.

        SynthError for an unknown mode.
        """
        if metadata_mode not in list(MetadataMode):  # a list compares by value, not by hash
            raise SynthError(
                f"There is no metadata mode {metadata_mode!r}: give {', '.join(MetadataMode)}."
            )
        if metadata_mode == MetadataMode.NONE:
            return self.text
        hidden = self.excluded_llm_metadata_keys if metadata_mode == MetadataMode.LLM else ()
        lines = (
            _filled(self.metadata_template, key=str(key), value=str(value))
            for key, value in self.metadata.items()
            if key not in hidden
        )
        above = self.metadata_separator.join(lines).strip()
        if not above:
            return self.text
        return _filled(self.text_template, metadata_str=above, content=self.text).strip()

    def get_text(self) -> str:
        """Return the text alone."""
        return self.text


def _filled(template: str, /, **values: str) -> str:
    """As `str.format`, but by name alone: a file's template could ask for any width."""

    def value(found: re.Match[str]) -> str:
        return values.get(found[1], found[0]) if found[1] else found[0][0]

    return re.sub(r"\{\{|\}\}|\{(\w+)\}", value, template)


TextNode = Document = Node  # what LlamaIndex calls a chunk and a whole text


@dataclass(frozen=True)
class NodeWithScore:
    """A node and how well it matched the query, or None where nothing ranked it."""

    node: Node
    score: float | None = None

    def __post_init__(self) -> None:
        if not hasattr(self.node, "get_content"):
            raise SynthError(
                f"The node of a NodeWithScore is {describe(self.node)}: give Node(text=...)."
            )

    @property
    def text(self) -> str:
        """Return the node's text."""
        return self.node.text

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Return the node's metadata."""
        return self.node.metadata

    @property
    def node_id(self) -> str:
        """Return the node's id."""
        return self.node.node_id

    def get_text(self) -> str:
        """Return the node's text."""
        return self.node.get_content()

    def get_content(self, metadata_mode: MetadataMode | str = MetadataMode.NONE) -> str:
        """Return the node's content."""
        return self.node.get_content(metadata_mode)
