"""Checks the table of docs/faults.md: one row for every report of tests/faults/reports.txt and no
other, each with a verdict of the three that there are; every test that is named exists."""

import re

import sources

DOCUMENT = "docs/faults.md"
REPORTS = "tests/faults/reports.txt"

_ROW = re.compile(r"^\| ([A-Z]+-\d+) \|(.*)\|$", re.M)
_NAMED = re.compile(r"`(\w+\.\w+)`")
_TEST = re.compile(r"^(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)", re.M)
_VERDICTS = ("held by ", "cannot apply: ", "was wrong, mended in ")


def report_ids(root):
    lines = sources.read(root, REPORTS).splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def tests(root):
    found = set()
    for path in sources.source_files(root, ("tests",)):
        found |= {".".join(match) for match in _TEST.findall(sources.read(root, path))}
    return found


def verdict_findings(verdict, known_tests):
    """What is wrong with a verdict."""
    if not verdict.startswith(_VERDICTS):
        yield f"no verdict: \"{verdict}\"; begin with one of: {', '.join(_VERDICTS)}"
        return
    # A word with a dot between backticks may be a file; a test begins with a capital letter.
    named = [name for name in _NAMED.findall(verdict) if name[0].isupper()]
    for name in sorted(set(named) - known_tests):
        yield f"there is no test {name}"
    if not named and not verdict.startswith("cannot apply: "):
        yield "names no test"


def check(root):
    findings = []
    known_tests = tests(root)
    rows = []
    for match in _ROW.finditer(sources.read(root, DOCUMENT)):
        report, cells = match.group(1), [cell.strip() for cell in match.group(2).split("|")]
        rows.append(report)
        if len(cells) != 3 or not cells[0]:
            findings.append(f"{DOCUMENT}: {report}: id, what went wrong, verdict, where; not {cells}")
            continue
        findings += [f"{DOCUMENT}: {report}: {finding}"
                     for finding in verdict_findings(cells[1], known_tests)]
    ids = report_ids(root)
    findings += [f"{DOCUMENT}: {report} has no row" for report in ids if report not in rows]
    findings += [f"{DOCUMENT}: {report} is not in {REPORTS}"
                 for report in rows if report not in ids]
    findings += [f"{DOCUMENT}: {report} has two rows"
                 for report in sorted(set(rows)) if rows.count(report) > 1]
    return findings


if __name__ == "__main__":
    sources.main("check_faults", check)
