"""Checks that the documents name what is there: every `make X` is a target, every path between
backticks that looks like one of ours exists, every build/release/bin/X is a program we build, and
every C++ program shown is, word for word, in examples/, where a test builds and runs it."""

import re

import sources

DOCUMENTS = ("README.md", "docs/*.md", "docs/**/*.md")
FOLDERS = "src include tests scripts docs bench proto cmake examples .ci".split()

_TARGET = re.compile(r"^([a-z][\w-]*):", re.M)
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.S)
# In a code span or block, `make` begins a command; options and variables are no targets.
_MAKE = re.compile(r"(?:^|[`;&|($]|\n)\s*(?:\$ )?make((?:[ \t]+[\w=./-]+)*)")
_PROGRAM = re.compile(r"build/\w+/bin/([\w-]+)")
_EXECUTABLE = re.compile(r"(?:add_executable|palena_program|palena_bench)\(\s*([\w-]+)")


def documents(root):
    return sorted({path for pattern in DOCUMENTS for path in root.glob(pattern)})


_CPP_BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.S | re.M)


def unbuilt_programs(root, document, text):
    """C++ blocks that are no part of an example."""
    examples = [path.read_text(encoding="utf-8") for path in root.glob("examples/**/*.cc")]
    for match in _CPP_BLOCK.finditer(text):
        if not any(match.group(1) in example for example in examples):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{document}:{line}: this C++ is not in examples/, so nothing shows that it works"


def spans(text):
    """(line, text) of every code span and code block."""
    for match in _CODE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(0)


def make_targets(span):
    for match in _MAKE.finditer(span):
        yield from (word for word in match.group(1).split() if re.fullmatch(r"[a-z][a-z-]*", word))


def paths(span):
    """Words of a code span that name something in our folders."""
    for word in span.strip("`").split():
        word = re.sub(r"[,.:;)]+$", "", word.lstrip("(").removeprefix("./"))
        word = re.sub(r":\d+$", "", word)
        if word.partition("/")[0] in FOLDERS and "/" in word:
            yield word


def path_exists(root, word):
    if re.search(r"[<>{}$…]", word):
        return True  # a pattern for the reader
    return any(root.glob(word)) if "*" in word else (root / word).exists()


def programs(root):
    found = set()
    patterns = ("src/**/CMakeLists.txt", "bench/CMakeLists.txt", "tests/fuzz/CMakeLists.txt")
    for listing in (path for pattern in patterns for path in root.glob(pattern)):
        text = listing.read_text(encoding="utf-8")
        found |= set(_EXECUTABLE.findall(text))
        found |= {f"fuzz_{name}" for name in re.findall(r"fuzz_target\(\s*(\w+)", text)}
    return found


def check(root):
    targets = set(_TARGET.findall(sources.read(root, "Makefile")))
    built = programs(root)
    findings = []
    for document in documents(root):
        text = document.read_text(encoding="utf-8")
        findings += unbuilt_programs(root, document.relative_to(root), text)
        for line, span in spans(text):
            where = f"{document.relative_to(root)}:{line}"
            for target in set(make_targets(span)) - targets:
                findings.append(f"{where}: `make {target}` is no target of the Makefile")
            for word in paths(span):
                if not path_exists(root, word):
                    findings.append(f"{where}: {word} does not exist")
            for program in set(_PROGRAM.findall(span)) - built:
                findings.append(f"{where}: no CMakeLists.txt builds {program}")
    return findings


if __name__ == "__main__":
    sources.main("check_readme", check)
