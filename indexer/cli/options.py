"""The options of a command as Python gives them: by their long names, checked by the types of the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from indexer.files.errors import UserError


def settings(
    task: str, params: Sequence[click.Parameter], given: Mapping[str, object], also: Sequence[str] = ()
) -> dict[str, object]:
    """Values of a command's options by parameter name: the given value, converted by the option's type, else its
    default.

    Raises UserError for a value that the command would refuse, and for a name that is not an option's; its message
    lists `also` beside the options.
    """
    by_name = {_long_name(param): param for param in params if isinstance(param, click.Option)}
    unknown = [name for name in given if name not in by_name]
    if unknown:
        known = ", ".join([*also, *by_name]) or "no options"
        raise UserError(f"{task} takes no {unknown[0]}; it takes {known}")
    return {str(param.name): _convert(param, given.get(name)) for name, param in by_name.items()}


def _long_name(param: click.Parameter) -> str:
    """Name of an option in Python: `--choice-only` is choice_only, `-k` is k."""
    return max(param.opts, key=len).lstrip("-").replace("-", "_")


def _convert(param: click.Parameter, value: object) -> object:
    """A value as a parameter's type takes it, the default for None. Raises UserError as the command says it."""
    if value is None:
        value = param.to_info_dict()["default"]
    elif param.multiple and not isinstance(value, list | tuple):
        value = (value,)
    if value is None:
        if param.required:
            raise UserError(f"{_long_name(param)} is missing")
        return () if param.multiple else None
    try:
        if param.multiple and any(one is None for one in value):  # type: ignore[attr-defined]  # a list, by now
            raise TypeError
        return param.type_cast_value(click.Context(click.Command(None)), value)
    except click.UsageError as error:
        raise UserError(error.format_message()) from None
    except (AttributeError, TypeError):  # nor one of another kind, of which click's own types make a text or fail
        raise UserError(f"{_long_name(param)}: {value!r} is no {param.type.name}") from None
    except OverflowError:  # which no text of a command line gives
        raise UserError(f"{_long_name(param)}: a number beyond all bounds") from None
