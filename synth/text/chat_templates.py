"""Chat templates: what they put around the messages of a prompt, and so what a call weighs more.

Jinja's are filled with words that stand in for contents; what comes between these is the frame.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from synth.errors import SynthError


class Frame(NamedTuple):
    """What stands around the contents of messages: `texts` before, between and after them.

    An empty text stands for tokens that are not known as text; `extra_tokens` stand in none.
    `strips` says whether white space at the ends of each content is left out.
    """

    texts: tuple[str, ...]
    extra_tokens: int = 0
    strips: bool = False


ChatTemplate = Callable[[tuple[str, ...]], Frame | None]
"""A function from the roles of messages to what stands around them; None if it takes none such."""


@dataclass(frozen=True)
class ChatFormat:
    """Writes `roles`, each before and behind its content, and begins the reply."""

    roles: Mapping[str, tuple[str, str]]
    reply: str
    begin: str = ""

    def __call__(self, roles: tuple[str, ...]) -> Frame | None:
        """Return what stands around messages of these roles, if a person speaks last."""
        if roles[-1:] != ("user",) or not set(roles) <= set(self.roles):
            return None
        texts = [self.begin]
        for role in roles:
            before, behind = self.roles[role]
            texts[-1] += before
            texts.append(behind)
        texts[-1] += self.reply
        return Frame(tuple(texts))


_MESSAGE_TOKENS = 3  # before and after each message
_ROLE_TOKENS = 1
_REPLY_TOKENS = 3  # with which the reply begins


def openai_frame(roles: tuple[str, ...]) -> Frame:
    """Return what OpenAI's chat models read around messages, as its cookbook counts it."""
    tokens = len(roles) * (_MESSAGE_TOKENS + _ROLE_TOKENS) + _REPLY_TOKENS
    return Frame(("",) * (len(roles) + 1), tokens)


# The files beside a tokenizer.json that may hold its chat template.
_CONFIG, _TEMPLATE = "tokenizer_config.json", "chat_template.jinja"
_MOST_CHARACTERS = 200_000  # of a template


@dataclass(frozen=True)
class JinjaTemplate:
    """The chat template of a model, as text, and the special tokens that it names."""

    source: str
    special_tokens: tuple[tuple[str, str], ...] = ()

    def __call__(self, roles: tuple[str, ...]) -> Frame | None:
        """Return what stands around messages of these roles; None where it takes none such."""
        return _find_frame(self, roles)

    def fill(self, roles: Sequence[str], contents: Sequence[str]) -> str | None:
        """Return a chat as the model reads it; None where a server would refuse these roles."""
        from jinja2 import TemplateError  # noqa: PLC0415
        from jinja2.ext import loopcontrols  # noqa: PLC0415
        from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
        )
        environment.filters["tojson"] = _to_json
        environment.globals |= {"raise_exception": _refuse, "strftime_now": datetime.now().strftime}
        pairs = zip(roles, contents, strict=True)
        messages = [{"role": role, "content": content} for role, content in pairs]
        try:
            return environment.from_string(self.source).render(
                messages=messages, add_generation_prompt=True, **dict(self.special_tokens)
            )
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            return None


def _to_json(value: Any, ensure_ascii: bool = False, indent: int | None = None, **_: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)


def _refuse(message: str) -> NoReturn:
    from jinja2 import TemplateError  # noqa: PLC0415

    raise TemplateError(message)


def read_beside(path: Path) -> JinjaTemplate | None:
    """Read the chat template beside a tokenizer.json, if any; SynthError for a broken file."""
    config, file = path.with_name(_CONFIG), path.with_name(_TEMPLATE)
    try:
        settings = json.loads(config.read_text("utf-8")) if config.exists() else {}
        source = settings.get("chat_template")
        if file.exists():
            source = file.read_text("utf-8")
        elif isinstance(source, list):  # several, of which one has no special use
            named = {template.get("name"): template["template"] for template in source}
            source = named.get("default")
        names = [name for name in settings if name.endswith("_token")]
        tokens = tuple((name, _read_token(settings[name])) for name in names)
    except (OSError, LookupError, ValueError, AttributeError, RecursionError) as problem:
        raise SynthError(f"The chat template beside {path} can't be read: {problem}") from problem
    if not isinstance(source, str) or not source or len(source) > _MOST_CHARACTERS:
        return None
    return JinjaTemplate(source, tokens)


def _read_token(token: Any) -> str:
    return str(token.get("content", "")) if isinstance(token, dict) else str(token or "")


_WHITE = " \t"  # no template begins or ends with it, so it shows whether contents are stripped


@lru_cache(maxsize=256)
def _find_frame(template: JinjaTemplate, roles: tuple[str, ...]) -> Frame | None:
    for white in (_WHITE, ""):  # without any, for a template that strips some contents alone
        contents = [f"{white}{word}{white[::-1]}" for word in stand_ins(len(roles))]
        chat = template.fill(roles, contents)
        frame = None if chat is None else _frame_around(contents, chat)
        if frame is not None:
            return frame
    return None


def stand_ins(count: int) -> list[str]:
    """Return so many different contents of messages."""
    return [f"Standin{number}x" for number in range(count)]


def _frame_around(contents: Sequence[str], chat: str) -> Frame | None:
    """Return what stands around these contents; None where a chat differs."""
    for given, strips in ((list(contents), False), ([one.strip() for one in contents], True)):
        places = [chat.find(one) for one in given]
        if any(chat.count(one) != 1 for one in given) or places != sorted(places):
            continue
        ends = [place + len(one) for place, one in zip(places, given, strict=True)]
        bounds = zip([0, *ends], [*places, len(chat)], strict=True)
        texts = tuple(chat[start:end] for start, end in bounds)
        left = any(text.startswith(_WHITE[::-1]) or text.endswith(_WHITE) for text in texts)
        if not strips or not left:
            return Frame(texts, strips=strips)
    return None
