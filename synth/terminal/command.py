"""The command line: which commands there are, and what becomes of what goes wrong."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import get_args

from synth import __version__
from synth.errors import SynthError
from synth.modes.registry import MODES, Behaviour, load_plugins
from synth.response_synthesizers import ResponseMode

_UNREAD, _INTERRUPTED, _PIPE_CLOSED = 2, 130, 141  # the last two as shells count signals
_AS_DATA = argparse.ArgumentParser(add_help=False)
_AS_DATA.add_argument("--json", action="store_true", help="print the same as JSON")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; 2 is for what can't be read, with the reason."""
    name = "synth"
    try:
        load_plugins()
        arguments = _parser().parse_args(argv)
        name = f"synth {arguments.command}"
        status: int = import_module(f"synth.terminal.{arguments.command}").run(arguments)
        sys.stdout.flush()
    except (SynthError, ModuleNotFoundError) as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        return _UNREAD
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output once more at its end, and would tell of it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    return status


def _parser() -> argparse.ArgumentParser:
    description = "See how retrieved chunks become calls, planned and recorded."
    parser = argparse.ArgumentParser("synth", description=description)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    help = "the calls that a mode would make of chunks: tokens, cost, bounds, what is cut off"
    plan = commands.add_parser("plan", parents=[_AS_DATA], help=help, description=help)
    plan.add_argument("file", help=".jsonl, .json, .txt, .md, .csv or .pdf; - for lines of JSON")
    plan.add_argument("question", nargs="+", help="several are asked one after the other")
    plan.add_argument("--mode", choices=MODES, default=ResponseMode.COMPACT, metavar="MODE")
    plan.add_argument("--all-modes", action="store_true", help="a row for each mode")
    help = "documented, or llama_index: what llama-index-core sends; default: documented"
    plan.add_argument("--behaviour", choices=get_args(Behaviour), default="documented", help=help)
    plan.add_argument("--model", default="", metavar="NAME", help="its window, tokenizer and price")
    plan.add_argument("--window", type=int, metavar="TOKENS", help="default: that of the model")
    plan.add_argument("--num-output", type=int, metavar="TOKENS", help="room for each answer")

    help = "whether a recorded run of LlamaIndex sent the prompts that are computed here"
    verify = commands.add_parser("verify", parents=[_AS_DATA], help=help, description=help)

    help = "whether recorded answers hold the facts and checks of a set of questions"
    check = commands.add_parser("check", parents=[_AS_DATA], help=help, description=help)
    check.add_argument("questions", help=".yaml, .json, .jsonl or .csv: query, facts and checks")
    check.add_argument("--junit", metavar="FILE", help="write the results there, as JUnit's XML")
    help = "a file of spans, - for standard input, or the address of Phoenix or Langfuse"
    for command in (verify, check):
        command.add_argument("file", help=help)
        command.add_argument("--project", metavar="NAME", help="of Phoenix; default: default")

    help = "the pages, on this machine alone or for a class in its network"
    app = commands.add_parser("app", help=help, description=help)
    help = "a trace, chunks, questions, a run or a workspace: the browser opens with it"
    either = app.add_mutually_exclusive_group()  # a class opens no file
    either.add_argument("file", nargs="?", help=help)
    app.add_argument("--port", type=int, default=8501, help="default: 8501")
    help = "for all in this machine's network, at the address that is printed"
    either.add_argument("--class", dest="for_class", action="store_true", help=help)
    return parser
