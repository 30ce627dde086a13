"""The tables of the history.

All times are seconds since 1970 in UTC. `Run.moment` and `SavedWorkspace.saved` are of a clock that
only goes on (`moments.py`): they say what is the latest. A `digest` is the SHA-256 of what it
names, in hex.
Texts that must come back to the letter are in `body` columns, as compressed JSON: a database's
own text holds neither a NUL nor half a surrogate pair, which a model may well send.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Double, ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

_ID = String(64)
_NAME = String(200)
_WORDS = Text()


class Base(DeclarativeBase):
    """The tables together; `metadata` creates them."""

    type_annotation_map = {float: Double, bytes: LargeBinary, dict[str, Any]: JSON}  # noqa: RUF012


class SchemaVersion(Base):
    """The version of the schema, in one row."""

    __tablename__ = "schema_version"

    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class Process(Base):
    """A process that uses a database server, and when it last said that it lives."""

    __tablename__ = "process"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    seen: Mapped[float]


class ChunkList(Base):
    """A list of chunks, which all runs on the same chunks share."""

    __tablename__ = "chunk_list"

    digest: Mapped[str] = mapped_column(_ID, primary_key=True)
    body: Mapped[bytes]


class Run(Base):
    """A run: what it was asked, how it ended, what it cost.

    `attempt` counts its start and its resumptions; only the latest one may write. `state` is
    "running" until the run ends. `requests` and the tokens are those that were paid for, so an
    answer from a log or a cache adds to `calls` alone. What is under way is counted as the cap
    does, with the longest answer: `unsure` of the requests have no answer yet, and where their
    process has ended they may never have been sent. A search looks through `searched`, which is the
    question and the answer, and `searched_notes`, both casefolded. What lists and filters don't
    need is in `RunInput`.
    """

    __tablename__ = "run"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    workspace: Mapped[str] = mapped_column(_ID)
    page: Mapped[str] = mapped_column(_NAME)
    process: Mapped[str] = mapped_column(_ID)
    attempt: Mapped[int]
    parent: Mapped[str | None] = mapped_column(_ID)
    parent_call: Mapped[int | None]
    state: Mapped[str] = mapped_column(String(16))
    started: Mapped[float]
    moment: Mapped[float]
    ended: Mapped[float | None]
    seconds: Mapped[float]
    mode: Mapped[str] = mapped_column(_NAME)
    behaviour: Mapped[str] = mapped_column(_NAME)
    model: Mapped[str] = mapped_column(_NAME)
    planned: Mapped[int | None]
    calls: Mapped[int]
    requests: Mapped[int]
    unsure: Mapped[int]
    prompt_tokens: Mapped[int]
    output_tokens: Mapped[int]
    dollars: Mapped[float | None]
    template_versions: Mapped[dict[str, Any]]
    has_key: Mapped[bool]
    by_person: Mapped[bool]
    pinned: Mapped[bool]
    deleted: Mapped[float | None]
    name: Mapped[str] = mapped_column(_WORDS)
    note: Mapped[str] = mapped_column(_WORDS)
    question: Mapped[str] = mapped_column(_WORDS)
    problem: Mapped[str | None] = mapped_column(_WORDS)
    answer: Mapped[str] = mapped_column(_WORDS)
    searched: Mapped[str] = mapped_column(_WORDS)
    searched_notes: Mapped[str] = mapped_column(_WORDS)

    __table_args__ = (
        Index("run_by_start", "workspace", "deleted", "started"),
        Index("run_in_order", "workspace", "deleted", "moment"),
        Index("run_by_moment", "moment"),
        Index("run_by_state", "state", "process"),
        Index("run_by_parent", "parent"),
    )


class RunInput(Base):
    """The request of a run without its chunks, and its end, as JSON."""

    __tablename__ = "run_input"

    run: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    chunks: Mapped[str] = mapped_column(ForeignKey("chunk_list.digest"), index=True)
    request: Mapped[bytes]
    end: Mapped[bytes | None]


class Call(Base):
    """A call of a run that ended, as JSON without the chunk texts in its prompt.

    `edited` says that a person wrote the answer.
    """

    __tablename__ = "call"

    run: Mapped[str] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    prompt: Mapped[str] = mapped_column(_ID)
    edited: Mapped[bool]
    body: Mapped[bytes]


class TemplateVersion(Base):
    """A version of a template in a workspace, counted from 1."""

    __tablename__ = "template_version"

    workspace: Mapped[str] = mapped_column(_ID, primary_key=True)
    name: Mapped[str] = mapped_column(_NAME, primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    digest: Mapped[str] = mapped_column(_ID)
    made: Mapped[float]
    body: Mapped[bytes]


class SavedWorkspace(Base):
    """A workspace, and when it was saved last."""

    __tablename__ = "workspace"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    saved: Mapped[float] = mapped_column(index=True)


class SavedValue(Base):
    """A value of a workspace by its name, as JSON."""

    __tablename__ = "workspace_value"

    workspace: Mapped[str] = mapped_column(
        ForeignKey("workspace.id", ondelete="CASCADE"), primary_key=True
    )
    name: Mapped[str] = mapped_column(_NAME, primary_key=True)
    body: Mapped[bytes]
