"""Chat templates of Jinja, as makers of open models publish them: what they put around messages.

A template is filled with stand-ins for the contents of the messages; what comes between them is its
frame. It is given what transformers gives it, in Jinja's sandbox.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from synth.errors import SynthError
from synth.text.frames import WHITE, Frame, frame_around, stand_ins

CONFIG, TEMPLATE = "tokenizer_config.json", "chat_template.jinja"
"""The files beside a tokenizer.json that may hold its chat template."""

_MOST_CHARACTERS = 200_000  # of a template


@dataclass(frozen=True)
class JinjaTemplate:
    """The chat template of a model, as text, and the special tokens that it names."""

    source: str
    special_tokens: tuple[tuple[str, str], ...] = ()

    def __call__(self, roles: tuple[str, ...]) -> Frame | None:
        """What stands around messages of these roles; None where the template takes none such."""
        return _frame(self, roles)


def beside(path: Path) -> JinjaTemplate | None:
    """The chat template that lies beside a tokenizer.json, if there is one.

    SynthError if its file can't be read.
    """
    config = path.with_name(CONFIG)
    try:
        said = json.loads(config.read_text("utf-8")) if config.exists() else {}
        file = path.with_name(TEMPLATE)
        source = file.read_text("utf-8") if file.exists() else _default(said.get("chat_template"))
        names = [name for name in said if name.endswith("_token")]
        tokens = {name: _content(said[name]) for name in names}
    except (OSError, ValueError, AttributeError, RecursionError) as problem:
        raise SynthError(f"The chat template beside {path} can't be read: {problem}") from problem
    if not isinstance(source, str) or not source or len(source) > _MOST_CHARACTERS:
        return None
    return JinjaTemplate(source, tuple(tokens.items()))


def _default(templates: Any) -> Any:
    """The template itself, where a model has several: the one that has no special use."""
    if not isinstance(templates, list):
        return templates
    return next((one["template"] for one in templates if one.get("name") == "default"), None)


def _content(token: Any) -> str:
    return str(token.get("content", "")) if isinstance(token, dict) else str(token or "")


@lru_cache(maxsize=256)
def _frame(template: JinjaTemplate, roles: tuple[str, ...]) -> Frame | None:
    for white in (WHITE, ""):  # without any, for a template that strips some contents alone
        contents = stand_ins(len(roles), white)
        chat = _filled(template, roles, contents)
        frame = None if chat is None else frame_around(contents, chat)
        if frame is not None:
            return frame
    return None


def _filled(template: JinjaTemplate, roles: tuple[str, ...], contents: list[str]) -> str | None:
    from jinja2 import TemplateError  # noqa: PLC0415
    from jinja2.ext import loopcontrols  # noqa: PLC0415
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
    )
    environment.filters["tojson"] = _to_json
    environment.globals |= {"raise_exception": _refuse, "strftime_now": datetime.now().strftime}
    messages = [
        {"role": role, "content": content} for role, content in zip(roles, contents, strict=True)
    ]
    try:
        return environment.from_string(template.source).render(
            messages=messages, add_generation_prompt=True, **dict(template.special_tokens)
        )
    except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return None  # a server would refuse these roles too


def _to_json(value: Any, ensure_ascii: bool = False, indent: int | None = None, **_: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)


def _refuse(message: str) -> NoReturn:
    from jinja2 import TemplateError  # noqa: PLC0415

    raise TemplateError(message)
