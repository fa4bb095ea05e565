"""What is wrong with a file, in plain words: the messages of Python's and libxml2's parsers say it
to programmers."""

from __future__ import annotations

import json
import re
from typing import Any

_JSON = {
    "Expecting value": "a value is missing, or a text without quotes",
    "Expecting property name enclosed in double quotes": "a key without double quotes",
    "Expecting ':' delimiter": "no colon behind a key",
    "Expecting ',' delimiter": "no comma between two values",
    "Illegal trailing comma before end of object": "a comma behind the last value",
    "Illegal trailing comma before end of array": "a comma behind the last value",
    "Unterminated string starting at": "a text whose quotes do not close",
    "Invalid control character at": "a line break or control character within quotes",
    "Invalid \\escape": "a backslash that begins no escape",
    "Invalid \\uXXXX escape": "\\u without four hexadecimal digits",
    "Extra data": "more text behind its end",
}


def json_fault(error: ValueError) -> str:
    """Why a text is not JSON: what is wrong at which character of its line, or that its end is
    missing; of a number too long to be read (Python's limit is 4,300 digits), that; any other
    error's own text."""
    if isinstance(error, json.JSONDecodeError):
        if error.doc.strip() and error.pos >= len(error.doc.rstrip()):
            return "its end is missing"
        what = _JSON.get(error.msg, "not written as JSON")
        return f"{what}, at character {error.colno:,}"
    if str(error).startswith("Exceeds the limit"):
        return "a number of more than 4,300 digits"
    return str(error)


_KINDS = {dict: "object", list: "list", str: "text", bool: "true or false", type(None): "null"}


def json_kind(value: object) -> str:
    """What a value of JSON is called: object, list, text, number, true or false, null."""
    return _KINDS.get(type(value), "number")


_XML = {
    "ERR_DOCUMENT_EMPTY": "it does not begin with a tag",
    "ERR_DOCUMENT_END": "more text behind the end of the first element",
    "ERR_INVALID_CHAR": "a character that XML forbids",
    "ERR_INVALID_CHARREF": "a character number that XML forbids",
    "ERR_NAME_REQUIRED": "an & or < that begins no entity or tag: write &amp; or &lt;",
    "ERR_LT_REQUIRED": "text outside of the first element",
    "ERR_ENTITYREF_SEMICOL_MISSING": "an & that begins no entity: write &amp;",
    "ERR_ENTITYREF_NO_NAME": "an & that begins no entity: write &amp;",
    "ERR_TAG_NOT_FINISHED": "an element does not end: the file is cut off",
    "ERR_GT_REQUIRED": "a tag does not end with >",
    "ERR_SPACE_REQUIRED": "no blank between two attributes",
    "ERR_ATTRIBUTE_NOT_STARTED": "an attribute without quotes",
    "ERR_ATTRIBUTE_NOT_FINISHED": "an attribute whose quotes do not close",
    "ERR_ATTRIBUTE_WITHOUT_VALUE": "an attribute without a value",
    "ERR_ATTRIBUTE_REDEFINED": "an attribute twice in one tag",
    "ERR_LT_IN_ATTRIBUTE": "a < in an attribute: write &lt;",
    "ERR_COMMENT_NOT_FINISHED": "a comment that does not end",
    "ERR_CDATA_NOT_FINISHED": "a CDATA section that does not end",
    "ERR_HYPHEN_IN_COMMENT": "two hyphens in a comment",
    "ERR_RESERVED_XML_NAME": "an XML declaration that is not at the beginning",
    "NS_ERR_UNDEFINED_NAMESPACE": "a prefix of no name space",
}
# What libxml2 says of a file that its schema does not allow; {0}, {1} are the groups.
_SCHEMA = (
    (
        r"Element '(.+?)': This element is not expected\. Expected is (?:one of )?\( (.*) \)\.",
        "<{0}> is not allowed here: expected {1}",
    ),
    (r"Element '(.+?)': This element is not expected\.", "<{0}> is not allowed here: remove it"),
    (
        r"Element '(.+?)': Missing child element\(s\)\. Expected is (?:one of )?\( (.*) \)\.",
        "<{0}> ends too early: expected {1} in it",
    ),
    (
        r"Element '(.+?)': The attribute '(.+?)' is required but missing\.",
        "<{0}> needs the attribute '{1}'",
    ),
    (
        r"Element '(.+?)', attribute '(.+?)': The attribute '.+?' is not allowed\.",
        "<{0}> may not have the attribute '{1}': remove it",
    ),
    (
        r"Element '(.+?)'(?:, attribute '.+?')?: \[facet 'enumeration'\] The value (.*) is not an "
        r"element of the set \{(.*)\}\.",
        "{1} in <{0}>: expected one of {2}",
    ),
    (
        r"Element '(.+?)'(?:, attribute '.+?')?: (.*) is not a valid value of the (?:atomic|local "
        r"atomic|union|list) type(?: '(.*)')?\.",
        "{1} in <{0}> is no {2}",
    ),
    (
        r"Element '(.+?)': No matching global declaration available for the validation root\.",
        "the schema says nothing of <{0}>: expected another first element",
    ),
    (
        r"Element '(.+?)': Character content other than whitespace is not allowed .*",
        "text beside the elements in <{0}>: remove it",
    ),
    (
        r".*The QName value '(.+?)' does not resolve to .*",
        "it refers to '{0}', which is declared nowhere",
    ),
)


def schema_fault(message: str) -> str:
    """The validator's message about what a schema does not allow in plain words; a rare one
    unchanged."""
    for pattern, plain in _SCHEMA:
        if match := re.fullmatch(pattern, message):
            return plain.format(*(group or "value of its kind" for group in match.groups()))
    return message


_MISMATCH = re.compile(r"mismatch: (\S+) line (\d+) and ([^\s,]+)")
_UNFINISHED = re.compile(r"end of data in tag (\S+) line (\d+)")


def xml_fault(error: Any) -> str:
    """Why a file is not XML, of an etree.XMLSyntaxError: which element does not end, and of which
    line, too deep nesting, or what the error's code says; `not well formed` for a rare one."""
    message = str(error.msg)
    if match := _MISMATCH.search(message):
        return f"</{match[3]}> does not end <{match[1]}> of line {match[2]}"
    if match := _UNFINISHED.search(message):
        return f"<{match[1]}> of line {match[2]} does not end: the file is cut off"
    if "depth" in message:
        return "elements nested too deeply"
    from lxml import etree

    kinds = etree.ErrorTypes
    texts = (text for name, text in _XML.items() if getattr(kinds, name, 0) == error.code)
    is_entity = "Entity" in message or "entity" in message
    return next(texts, "an entity that is not XML's own" if is_entity else "not well formed")
