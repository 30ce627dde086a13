"""Templates that others wrote, as messages with LlamaIndex's placeholders.

Python of LlamaIndex and LangChain, Jinja and mustache that are only names, promptfoo's YAML and
`.prompty`. What is computed in them can't be taken: it is named, and no part of it becomes text.
"""

import ast
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from synth.errors import QuestionSetError, TemplateError, extra, short
from synth.export.recipe import Messages, template_of
from synth.modes.lint import find_misspelt
from synth.prompts.templates import MOST_CHARACTERS
from synth.quality.plain_values import read_yaml

_CHAT = re.compile(
    r"""\{%-?\s*chat\s+role\s*=\s*["'](\w+)["']\s*-?%\}(.*?)\{%-?\s*endchat\s*-?%\}""", re.DOTALL
)
_PROMPTY = re.compile(r"---\n.*?\n---\n(.*)", re.DOTALL)
_ROLE = re.compile(r"^\s*#?\s*(system|developer|user|assistant)\s*:\s*$\n", re.MULTILINE)
_SINGLE = re.compile(r"(?<!\{)\{[A-Za-z_]\w*\}(?!\})")
_TRIPLE = re.compile(r"\{\{[{&]\s*(\w+)\s*\}?\}\}")  # of mustache: a name that is not escaped
_ROLES = {"human": "user", "ai": "assistant", "developer": "system"}
_TEXTS = ("PromptTemplate", "RichPromptTemplate", "from_template")
_FIRST = ("template", "template_str", "message_templates", "messages")
_COMPUTED = {"template_var_mappings", "function_mappings", "partial_variables", "output_parser"}
_CHATS = ("ChatPromptTemplate", "from_messages")


class ForeignTemplate(NamedTuple):
    """The messages of a template, and in sentences what became of its names."""

    messages: Messages
    notes: tuple[str, ...]


def read_template(name: str, text: str) -> ForeignTemplate:
    """Read a template for `name`, such as refine_template; of several that which is named like it.

    TemplateError, which names the place, for what is computed, and for a text that is too long.
    """
    if len(text) > MOST_CHARACTERS:
        raise TemplateError(f"It has {len(text):,} characters; {MOST_CHARACTERS:,} are the most.")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    every = _of_python(text) or _of_yaml(text)
    if not every:
        every = [("", _split(text))]
    kind = name.removesuffix("_template").removeprefix("text_")
    label, messages = next((one for one in every if kind in one[0].lower()), every[0])
    messages = tuple((_ROLES.get(role, role), _name_alone(body)) for role, body in messages)
    notes = []
    if len(every) > 1:
        notes.append(f"Of its {len(every):,} templates {label or 'the first'} was taken.")
    for theirs, ours in find_misspelt(name, template_of(messages)).items():
        old, new = f"{{{theirs}}}", f"{{{ours}}}"
        messages = tuple((role, body.replace(old, new)) for role, body in messages)
        notes.append(f"{old} became {new}.")
    return ForeignTemplate(messages, tuple(notes))


def _split(text: str) -> Messages:
    """Split a text into its messages: chat blocks of Jinja, or the roles of a .prompty."""
    if blocks := _CHAT.findall(text):
        if rest := _CHAT.sub("", text).strip():
            raise TemplateError(f"{short(rest, 60)!r} is outside of its chat blocks: take it out.")
        return tuple((role, body.strip()) for role, body in blocks)
    if prompty := _PROMPTY.fullmatch(text):
        first, *parts = _ROLE.split(prompty[1])
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return tuple((role, body.strip()) for role, body in pairs) or (("user", first.strip()),)
    return (("user", text),)


def _name_alone(text: str) -> str:
    """Write Jinja or mustache with names in single braces; what is not a name is refused."""
    if _SINGLE.search(text) and "{%" not in text:  # doubled braces are escapes of Python's
        return text.replace("{{", "{").replace("}}", "}")
    if not re.search(r"\{\{|\{%|\{#", text):
        return text
    with extra("app"):
        from jinja2 import Environment, TemplateSyntaxError, nodes  # noqa: PLC0415
    text = _TRIPLE.sub(r"{{\1}}", text)
    parts = []
    try:
        for node in Environment(autoescape=False).parse(text).body:
            for each in node.nodes if isinstance(node, nodes.Output) else [node]:
                if isinstance(each, nodes.TemplateData):
                    parts.append(each.data)
                elif isinstance(each, nodes.Name):
                    parts.append(f"{{{each.name}}}")
                else:
                    raise _refuse(text.split("\n")[each.lineno - 1], each.lineno)
    except TemplateSyntaxError as problem:
        raise _refuse(text.split("\n")[problem.lineno - 1], problem.lineno) from problem
    except RecursionError as problem:
        raise TemplateError("It is nested too deeply: write its text out.") from problem
    return "".join(parts)


def _refuse(code: str, line: int) -> TemplateError:
    return TemplateError(
        f"Line {line:,} is computed, and a template here has names alone:"
        f" {short(code.strip(), 60)}. Write its text out."
    )


def _of_yaml(text: str) -> list[tuple[str, Messages]]:
    """Read a config of promptfoo's, or a list of messages; none of another text."""
    if not re.match(r"\s*\[|\s*-\s*role:|(?:.*\n)*?prompts:", text):
        return []
    try:
        value = read_yaml(text)
    except QuestionSetError:
        return []
    match value:
        case {"prompts": list(prompts)}:
            return [_of_prompt(each) for each in prompts]
        case {"prompts": prompt}:
            return [_of_prompt(prompt)]
        case [*parts] if all(isinstance(part, dict) and "content" in part for part in parts):
            messages = tuple((str(part.get("role")), str(part["content"])) for part in parts)
            return [("", messages)] if messages else []
    return []


def _of_prompt(prompt: Any) -> tuple[str, Messages]:
    label = str(prompt.get("label") or "") if isinstance(prompt, Mapping) else ""
    raw = prompt.get("raw") if isinstance(prompt, Mapping) else prompt
    if not isinstance(raw, str) or raw.startswith("file://"):
        raise TemplateError(f"{short(str(prompt), 60)} is no text: give the file that it names.")
    if messages := _of_yaml(raw):
        return label, messages[0][1]
    return label, _split(raw)


def _of_python(text: str) -> list[tuple[str, Messages]]:
    """Read the templates of a program, else its texts with names in braces; none of no program."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    texts: dict[str, str] = {}
    templates = []
    for node in nodes:
        if isinstance(node, ast.Assign | ast.keyword | ast.Expr):
            target = node.targets[0] if isinstance(node, ast.Assign) else node
            label = str(getattr(target, "id", getattr(target, "arg", "")))
            if isinstance(node.value, ast.Call) and (messages := _of_call(node.value, texts)):
                templates.append((label, messages))
            elif isinstance(target, ast.Name) and (body := _string(node.value, texts)):
                texts[label] = body
    if templates:
        return templates
    return [(label, _split(body)) for label, body in texts.items() if "{" in body]


def _of_call(call: ast.Call, texts: Mapping[str, str]) -> Messages:
    """Read a call that makes a template; nothing of any other."""
    name = _last_name(call.func)
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    arguments = [*call.args, *(given[key] for key in given if key in _FIRST)]
    if name not in (*_TEXTS, *_CHATS) or not arguments:
        return ()
    for key in given.keys() & _COMPUTED:
        raise _refuse(f"{key}={ast.unparse(given[key])}", call.lineno)
    if name in _TEXTS:
        return _split(_require_string(arguments[0], texts))
    if not isinstance(arguments[0], ast.List | ast.Tuple):
        raise _refuse(ast.unparse(arguments[0]), call.lineno)
    return tuple(_message(each, texts) for each in arguments[0].elts)


def _message(node: ast.expr, texts: Mapping[str, str]) -> tuple[str, str]:
    """Read a pair of role and text, or a message of LlamaIndex or LangChain."""
    match node:
        case ast.Tuple(elts=[ast.Constant(value=str(role)), body]):
            return role, _require_string(body, texts)
        case ast.Call():
            given = {keyword.arg: keyword.value for keyword in node.keywords}
            role_of_class = re.match("System|Human|AI", ast.unparse(node.func))
            role = role_of_class[0] if role_of_class else _last_name(given.get("role", node))
            body = given.get("content") or (node.args or [node])[-1]
            return role.lower(), _require_string(body, texts)
    raise _refuse(ast.unparse(node), node.lineno)


def _last_name(node: ast.expr) -> str:
    return ast.unparse(node).strip("'").rpartition(".")[2]


def _require_string(node: ast.expr, texts: Mapping[str, str]) -> str:
    if (text := _string(node, texts)) is None:
        raise _refuse(ast.unparse(node), node.lineno)
    return text


def _string(node: ast.expr, texts: Mapping[str, str]) -> str | None:
    """Return a text that is written out, by its name or in parts too; None for anything else."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return texts.get(name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            before = _string(left, texts)
            behind = _string(right, texts)
            if before is not None and behind is not None:
                return before + behind
    return None
