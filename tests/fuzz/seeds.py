"""Writes the seeds of the fuzz targets into a folder, one subfolder a target, and beside them
script.dict, the words of the language.

    python3 tests/fuzz/seeds.py build/fuzz/seeds

Scripts come from the recipes, the script cases, the golden scripts and the conformance cases, and
words from the tables of tokens and functions, so what is added there is known at once. Messages
are written here field by field.
"""

import hashlib
import json
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def stories():
    """Lists of (script, {"@name": value}), each to be run in order over one store."""
    for path in sorted((ROOT / "scripts/recipes").glob("*.pal")):
        yield [(path.read_text(), {})] * 2
    for folder in ("cases", "golden"):
        for path in sorted((ROOT / "tests/script" / folder).glob("*.pal")):
            steps = path.read_text().split("# ---\n")
            yield [
                (
                    "".join(re.findall(r"^(?!# ).*\n", step, re.M)),
                    dict(re.findall(r"^# param (@\w+) = ?(.*)$", step, re.M)),
                )
                for step in steps
            ]
    for line in (ROOT / "tests/conformance/cases.jsonl").read_text().splitlines():
        steps = [step for step in json.loads(line)["steps"] if "script" in step]
        yield [(step["script"], step.get("params", {})) for step in steps]


def in_slot_order(script, parameters):
    code = re.sub(r"#[^\n]*", "", script)
    names = dict.fromkeys(re.findall(r"@\w+", code))
    return [str(parameters.get(name, parameters.get(name[1:], "5"))) for name in names]


def run_input(story):
    """What run_fuzz.cc reads: steps parted by 0x01, script and parameters by 0x00."""
    return b"\x01".join(
        b"\x00".join(part.encode() for part in [script, *in_slot_order(script, parameters)])
        for script, parameters in story
    )


def bytecode_inputs(script):
    """What bytecode_fuzz.cc reads: a script, 0x00, and edits of its code."""
    code = script.encode() + b"\x00"
    yield code
    chosen = hashlib.sha512(code).digest()  # any bytes do, the same ones each time
    yield code + bytes(b % 40 if i % 6 else b % 8 for i, b in enumerate(chosen))


def words():
    tokens = (ROOT / "src/script/token.h").read_text()
    functions = (ROOT / "src/script/functions.cc").read_text()
    return sorted(
        {*re.findall(r'X\(k\w+, "([^ "]+)"\)', tokens), *re.findall(r'"(\w+)"', functions)}
    )


def dictionary():
    extra = ["keepttl", "@a", " ", "\\x00", "\\x01", "9223372036854775807", "0x8000000000000000"]
    return "".join(f'"{word}"\n' for word in words() + extra)


# ---- messages


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def fixed64(field, value):
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def parameter(name=b"", slot=0, value=b""):
    return text(3, (text(1, name) if name else number(2, slot)) + text(3, value))


UNKNOWN = number(15, 5) + fixed64(15, 7) + text(15, b"hi") + varint(15 << 3 | 5) + b"1234"


def requests():
    execute = text(1, b"return @a") + parameter(b"@a", value=b"1") + number(4, 250)
    prepared = text(2, bytes(range(16))) + parameter(slot=1, value=b"x") + parameter()
    yield number(1, 300) + text(2, number(1, 1) + text(2, b"token") + text(3, b"client"))
    yield number(1, 1) + text(2, number(1, 1) + text(3, "n\u00e4me".encode() * 20))
    yield number(1, 2) + text(3, text(1, b"return 1"))
    yield number(1, 1 << 63) + text(4, execute)
    yield text(4, prepared + UNKNOWN) + number(1, 3) + UNKNOWN
    yield number(1, 4) + text(5, b"")
    yield number(1, 5) + text(6, UNKNOWN)
    yield number(1, 8) + text(8, number(1, 1) + wish() + wish(text(4, b"owner")) + number(3, 250))
    yield number(1, 9) + text(9, UNKNOWN)
    yield number(1, 10) + text(10, text(1, wish()[2:]))
    calls = text(1, text(1, b"return 1") + number(4, 1)) + text(1, prepared + UNKNOWN)
    yield number(1, 6) + text(7, calls + text(2, text(1, b"return @a") + parameter(b"a")))
    yield text(7, text(2, prepared) + calls * 20 + number(3, 9) + UNKNOWN) + number(1, 7)


def wish(more=number(3, 7)):
    part = text(2, text(1, b"subject") + text(2, b"anna"))
    return text(2, text(1, b"login") + part + part + more)


def value(key=b"k", stored=b"v", revision=3):
    return text(3, text(1, key) + text(2, stored) + number(3, revision) + number(4, 9) + number(5, 8))


def replies():
    stamp = text(6, number(1, 1 << 40) + number(2, 7) + number(3, 1))
    limits = text(4, number(1, 1 << 20) + number(6, 1024))
    yield number(1, 1) + text(2, text(1, b"0.1.0") + number(2, 1) + fixed64(3, 9) + limits)
    yield number(1, 2) + text(3, text(1, bytes(range(16))) + text(2, b"@a") + text(2, b"@b"))
    yield number(1, 3) + text(4, number(1, 3) + value() + value(b"", b"") + stamp)
    yield number(1, 4) + text(4, number(1, 99) + number(2, 2) + text(4, b"why") + number(5, 2))
    yield number(1, 5) + text(4, number(7, 1) + number(8, 2) + text(3, number(3, 1)) + UNKNOWN)
    yield number(1, 6) + text(5, b"")
    one = number(1, 3) + value() + stamp
    verdict = text(1, number(1, 3) + number(8, 1) + stamp)
    yield number(1, 8) + text(7, verdict + text(2, one) * 3 + text(3, one) + text(4, b"\x00\x02"))
    yield text(7, text(1, number(1, 99) + text(4, b"calls[0]: no")) + number(5, 1) + UNKNOWN)
    yield number(1, 7) + text(6, text(1, text(1, b"runs") + number(2, 5) + text(3, b"t")))
    record = text(1, b"login") + b"".join(number(field, field) for field in range(2, 9))
    yield number(1, 8) + text(8, number(1, 1) + number(2, 1) + text(3, record) + number(8, 1))
    yield text(8, number(4, 17) + text(5, b"why") + number(6, 4) + text(7, number(1, 9)))
    info = text(1, b"login") + text(4, text(1, b"limit") + text(2, b"3"))
    info += b"".join(number(field, field) for field in range(5, 13))
    refused = text(1, b"login") + text(2, b"anna") + number(3, 5) + number(4, 1)
    yield number(1, 9) + text(9, text(1, b"l.toml") + text(2, info) + text(3, refused))


def frames():
    yield b"\xff\x00"
    for piece_bytes in (0, 3, 200):
        for messages in (list(requests())[:2], list(replies())):
            stream = b"".join(struct.pack("<I", len(m)) + m for m in messages)
            yield bytes([255, piece_bytes]) + stream
            yield bytes([0, piece_bytes]) + stream[:-1]


def http_streams():
    """Requests that the HTTP door serves, and some that it must refuse."""

    def request(line, headers=(), body=""):
        head = [line + " HTTP/1.1", "Host: p", *headers]
        if body:
            head.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*head, "", body])

    execute = request("POST /v1/execute", body='{"script":"get @k","params":{"k":1},"timeout_ms":9}')
    many = '{"limits":[{"name":"a","subject":"s","parts":{"p":"/"},"cost":2,"owner":"o"}],"timeout_ms":5}'
    part = ("Palena-Part-path: /a?b=c", "Origin: x", "Connection: close")
    chunks = "3;x=y\r\nabc\r\n0\r\nTrailer: 1\r\n\r\n"
    yield request("GET /v1/limits/log%20in/take?subject=a%2Fb&cost=3&deny_status=403&user+type=x", part)
    yield request("HEAD http://host/healthz?a&a=1") + request("GET /metrics")
    yield execute + request("POST /v1/take?deny_status=503", body=many)
    yield request("DELETE /v1/limits/login/subjects/%zz") + execute
    yield "\r\n" + request("POST /x", ("Transfer-Encoding: chunked", "Expect: 100-continue")) + chunks
    yield "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    yield request("POST /x", ("Content-Length: 5", "Transfer-Encoding: gzip, chunked")) + chunks


def seeds():
    for story in stories():
        yield "run", run_input(story)
        yield "engine", run_input(story)
        for script, _ in story:
            yield "compile", script.encode()
            for edited in bytecode_inputs(script):
                yield "bytecode", edited
    for target, inputs in (("request", requests()), ("reply", replies()), ("frame", frames())):
        for data in inputs:
            yield target, data
    for stream in http_streams():
        for piece_bytes in (0, 6):
            yield "http", bytes([piece_bytes]) + stream.encode()
    yield "canary", b"PxAx"


def main(folder):
    for target, data in seeds():
        path = pathlib.Path(folder) / target / hashlib.sha1(data).hexdigest()[:16]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (pathlib.Path(folder) / "script.dict").write_text(dictionary())


if __name__ == "__main__":
    main(sys.argv[1])
