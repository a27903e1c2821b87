"""Checks that headers can be relied on: each has #pragma once, and a source includes its own
header first, so that compiling it proves that the header needs nothing before it. Headers
without a source of their name are compiled by themselves (tests/project/CMakeLists.txt)."""

import sources


def own_header(path):
    """The header of a source as it is included, or None for what has no room."""
    if path.parts[0] not in ("src", "tests", "bench"):
        return None
    return str(path.relative_to(path.parts[0]).with_suffix(".h"))


def check(root):
    findings = []
    files = sources.source_files(root)
    headers = {str(path) for path in files if path.suffix == ".h"}
    for path in files:
        text = sources.read(root, path)
        if path.suffix == ".h":
            if "\n#pragma once\n" not in "\n" + text:
                findings.append(f"{path}: no #pragma once")
        elif str(path.with_suffix(".h")) in headers:
            first = next((header for _, header, _ in sources.includes(text)), None)
            if first != own_header(path):
                findings.append(f"{path}: must include {own_header(path)} first, not {first}")
    return findings


if __name__ == "__main__":
    sources.main("check_headers", check)
