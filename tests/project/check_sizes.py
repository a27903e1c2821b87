"""Checks sizes: a function has at most 70 lines, a file 700, a public header 300.

scripts/sizes.txt lists the offenders that are accepted, with their size. It is a ratchet: a listed
size may shrink and never grow. Whoever makes one smaller runs this with --tighten, which lowers the
numbers and drops the entries that no longer offend; nothing raises a number but an editor.
"""

import re
import sys

import sources

FUNCTION_LINES_MAX = 70
FILE_LINES_MAX = 700
PUBLIC_HEADER_LINES_MAX = 300
LIST = "scripts/sizes.txt"

_CONTROL = re.compile(r"\b(if|for|while|switch|catch|else|do|try|return)\b")
_TYPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
# What may stand between the parameters of a function and its body.
_TRAILER = r"(?:\s|const|noexcept(?:\([^()]*\))?|override|final|mutable|&&?|->[\w:<>,\s*&]+)*"
_PARAMETERS = re.compile(r"\)" + _TRAILER + r"$")
_INITIALISERS = re.compile(r"\)" + _TRAILER + r":(?!:)")


def without_preprocessor(text):
    """A directive, with its continuation lines, is blanked; the lines stay."""
    return re.sub(
        r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.M
    )


def kind_of_brace(head):
    """What an opening brace begins, judged by the text since the statement's start."""
    head = head.strip()
    if _INITIALISERS.search(head) and not _PARAMETERS.search(head):
        # Foo() : a_{1}, b_{2} {}: the braces after a name belong to a member.
        return "member" if re.search(r"[\w>]$", head) else "function"
    if _TYPE.match(re.sub(r"^(template\s*<.*?>|typedef|static|inline|export)\s*", "", head)):
        return "scope"
    if _PARAMETERS.search(head) and not _CONTROL.match(head) and "=" not in head.split("(")[0]:
        return "function"
    return "function" if "operator=" in head.replace(" ", "") else "other"


def function_name(head):
    match = re.search(r"([~\w:]+|operator\s*[^\s\w(]+|operator\(\))\s*\(([^()]*)", head)
    if not match:
        return "?"
    name, first = match.group(1), match.group(2)
    return f"{name}({first.strip()})" if name.startswith("TEST") else name


def functions(text):
    """(name, first line, lines) of every outermost function body; lambdas count as their owner."""
    text = without_preprocessor(sources.code_only(text))
    stack, head_start, current = [], 0, None
    for match in re.finditer(r"[{};]|(?<=public|rivate)\s*:(?!:)|(?<=protected)\s*:(?!:)", text):
        position, sign = match.start(), match.group(0)
        if sign == "{":
            head = text[head_start:position]
            kind = "inner" if current else kind_of_brace(head)
            stack.append(kind)
            if kind == "function":
                begin = head_start + len(head) - len(head.lstrip())
                current = (function_name(head), begin)
            if kind == "member":
                continue
        elif sign == "}" and stack:
            kind = stack.pop()
            if kind == "member":
                continue
            if kind == "function":
                name, begin = current
                yield name, text.count("\n", 0, begin) + 1, text.count("\n", begin, position) + 1
                current = None
        elif stack and stack[-1] == "member":
            continue
        head_start = match.end()


def file_limit(path):
    return PUBLIC_HEADER_LINES_MAX if path.parts[0] == "include" else FILE_LINES_MAX


def measure(root):
    """Size of everything above its limit: {"file a/b.h" or "function a/b.cc Name": (lines, max)}."""
    sizes = {}
    for path in sources.source_files(root):
        text = sources.read(root, path)
        lines = text.count("\n")
        if lines > file_limit(path):
            sizes[f"file {path}"] = (lines, file_limit(path))
        for name, _, length in functions(text):
            key = f"function {path} {name}"
            if length > max(FUNCTION_LINES_MAX, sizes.get(key, (0,))[0]):
                sizes[key] = (length, FUNCTION_LINES_MAX)
    return sizes


def read_list(root):
    listed = {}
    for line in sources.read(root, LIST).splitlines():
        line = line.split("#")[0].strip()
        if line:
            key, _, lines = line.rpartition(" ")
            listed[" ".join(key.split())] = int(lines)
    return listed


def check(root):
    findings = []
    listed, sizes = read_list(root), measure(root)
    for key, (lines, limit) in sizes.items():
        allowed = listed.get(key, limit)
        if lines > allowed:
            findings.append(f"{key}: {lines} lines, at most {allowed}")
        elif lines < allowed:
            findings.append(f"{key}: {lines} lines, {LIST} still says {allowed}: run --tighten")
    for key in listed.keys() - sizes.keys():
        findings.append(f"{key}: offends no more, {LIST} still lists it: run --tighten")
    return sorted(findings)


def tighten(root):
    sizes, lines = measure(root), []
    for line in sources.read(root, LIST).splitlines():
        entry = line.split("#")[0].strip()
        key, _, number = entry.rpartition(" ")
        if not entry:
            lines.append(line)
        elif key in sizes:
            lines.append(line.replace(number, str(min(int(number), sizes[key][0]))))
    (root / LIST).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "--tighten" in sys.argv:
        tighten(sources.ROOT)
    else:
        sources.main("check_sizes", check)
