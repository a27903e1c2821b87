"""Instructions of one warm decision, counted by callgrind, against the recorded numbers.

  count_instructions.py RUN_COST RECORDED [--record]

Fails when a number has grown by more than 5 %. A number that shrank as much should be recorded
anew (--record), so that the gain is kept. Counts are exact: the difference between two runs of
known length leaves out start and warm-up.
"""

import pathlib
import re
import subprocess
import sys

DECIDERS = ("prepared", "recipe", "table", "flat", "limits/fixed_window")
SHORT, LONG = 4_000, 14_000
TOLERANCE = 0.05


def collected(program, decider, decisions):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
               program, decider, str(decisions)]
    ran = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", ran.stderr)
    if ran.returncode != 0 or not found:
        sys.exit(f"count_instructions: {' '.join(command)} failed:\n{ran.stderr}")
    return int(found.group(1))


def per_decision(program, decider):
    more = collected(program, decider, LONG) - collected(program, decider, SHORT)
    return round(more / (LONG - SHORT))


def read(path):
    lines = (line.split("#")[0].split() for line in path.read_text().splitlines())
    return {fields[0]: int(fields[1]) for fields in lines if fields}


def write(path, counts):
    head = [line for line in path.read_text().splitlines() if line.startswith("#")]
    path.write_text("\n".join(head + [f"{name} {count}" for name, count in counts.items()]) + "\n")


def main():
    program, path = sys.argv[1], pathlib.Path(sys.argv[2])
    counts = {decider: per_decision(program, decider) for decider in DECIDERS}
    if sys.argv[3:] == ["--record"]:
        write(path, counts)
    recorded = read(path)
    grown = []
    for name, count in counts.items():
        growth = count / recorded[name] - 1
        print(f"{name}: {count} instructions, recorded {recorded[name]} ({growth:+.1%})")
        if growth > TOLERANCE:
            grown.append(name)
    if grown:
        sys.exit(f"count_instructions: grown by more than {TOLERANCE:.0%}: {', '.join(grown)}")


if __name__ == "__main__":
    main()
