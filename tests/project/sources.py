"""What the project checks share: which files are ours, and their text without what a check must
not look at. No third-party module, so that the checks run wherever Python 3 does."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("include", "src", "tests", "bench")

_NOISE = re.compile(
    r'//[^\n]*'
    r'|/\*.*?\*/'
    r'|R"(?P<tag>[^()\s\\]{0,16})\(.*?\)(?P=tag)"'
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)+'",
    re.S,
)


def source_files(root, folders=FOLDERS):
    """Our headers and sources, sorted, relative to root."""
    found = []
    for folder in folders:
        for suffix in ("*.h", "*.cc"):
            found += [path.relative_to(root) for path in (root / folder).rglob(suffix)]
    return sorted(found)


def read(root, path):
    return (root / path).read_text(encoding="utf-8")


def _keep_lines(match):
    text = match.group(0)
    return '""' + "\n" * text.count("\n") if text[0] in "\"'R" else " " + "\n" * text.count("\n")


def code_only(text):
    """The text with comments and literals emptied; every line stays on its line."""
    return _NOISE.sub(_keep_lines, text)


_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|(?P<keep>"(?:[^"\\\n]|\\.)*")', re.S)


def includes(text):
    """(line, header, is_quoted) of every #include."""
    text = _COMMENT.sub(lambda m: m.group("keep") or "\n" * m.group(0).count("\n"), text)
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', line)
        if match:
            yield number, match.group(1) or match.group(2), match.group(1) is not None


def main(name, check):
    """Runs a check over the tree; its findings go to stderr, one a line."""
    findings = check(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT)
    for finding in findings:
        print(f"{name}: {finding}", file=sys.stderr)
    sys.exit(1 if findings else 0)
