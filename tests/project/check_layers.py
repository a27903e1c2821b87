"""Checks the arrows between rooms against scripts/layers.txt.

Refused: an #include of a room of the same or a higher rank, a third-party header outside the rooms
it is listed for, a public header that includes anything but the standard library and other public
headers, a CMake dependency that points up or sideways, and an #include of a room that CMake does
not know the includer to depend on.
"""

import re

import sources

# Public headers that belong to a room have its rank; all others are plain values, free for all.
PUBLIC = "palena/"

CPP_HEADERS = set(
    """algorithm any array atomic barrier bit bitset charconv chrono compare complex concepts
    condition_variable coroutine deque exception execution filesystem format forward_list fstream
    functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits
    list locale map memory memory_resource mutex new numbers numeric optional ostream queue random
    ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream
    stack stdexcept stop_token streambuf string string_view strstream syncstream system_error
    thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray
    variant vector version cassert cctype cerrno cfenv cfloat cinttypes climits clocale cmath
    csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar
    cwctype cxxabi.h""".split()
)
SYSTEM_HEADERS = set(
    """assert.h ctype.h dirent.h errno.h fcntl.h fenv.h float.h getopt.h inttypes.h limits.h
    locale.h malloc.h math.h netdb.h poll.h pthread.h pwd.h sched.h semaphore.h setjmp.h signal.h
    spawn.h stdarg.h stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h syslog.h
    termios.h time.h ucontext.h unistd.h wchar.h""".split()
)
# The last one comes with the compiler.
SYSTEM_FOLDERS = ("sys/", "netinet/", "arpa/", "linux/", "net/if", "sanitizer/")


class Layers:
    """The table: rank and third-party prefixes of each room."""

    def __init__(self, text):
        self.rank, self.third_party = {}, {}
        for line in text.splitlines():
            words = line.split("#")[0].split()
            if words:
                self.rank[words[1]] = int(words[0])
                self.third_party[words[1]] = words[2:]

    def is_lower(self, room, other):
        return self.rank[other] < self.rank[room]

    def may_use(self, room, header):
        return any(is_under(prefix, header) for prefix in self.third_party[room])


def is_under(prefix, header):
    return re.match(re.escape(prefix) + r"($|[/.])", header) is not None


def is_standard(header):
    return header in CPP_HEADERS | SYSTEM_HEADERS or header.startswith(SYSTEM_FOLDERS)


def room_of_header(layers, header):
    """The room that a header of ours belongs to, or None."""
    first, _, rest = header.partition("/")
    if first in layers.rank and rest:
        return first
    match = re.fullmatch(r"palena/(\w+)\.h", header)
    return match.group(1) if match and match.group(1) in layers.rank else None


def is_free(header, is_quoted, public_headers):
    """Headers that every room may include."""
    if not is_quoted and is_standard(header):
        return True
    if header in public_headers:
        return True
    return header.startswith("absl/") and not is_under("absl/status", header)


def judge(layers, room, header, is_quoted, public_headers):
    """What is wrong with `room` including `header`; None when nothing is."""
    other = room_of_header(layers, header)
    # <net/if.h> is the system's, "net/loop.h" is ours.
    if other and (is_quoted or not is_standard(header)):
        if other == room or layers.is_lower(room, other):
            return None
        way = "sideways" if layers.rank[other] == layers.rank[room] else "up"
        return f"points {way}: {room} (rank {layers.rank[room]}) to {other} ({layers.rank[other]})"
    if is_free(header, is_quoted, public_headers) or layers.may_use(room, header):
        return None
    owners = [name for name in layers.rank if layers.may_use(name, header)]
    where = f"belongs to {', '.join(owners)} alone" if owners else "is in no room's list"
    return f"third-party header in {room}: it {where} (scripts/layers.txt)"


def check_rooms(root, layers, public_headers):
    for path in sources.source_files(root, ["src"]):
        room = path.parts[1]
        if room not in layers.rank:
            yield f"{path}: {room} is no room of scripts/layers.txt"
            continue
        for line, header, is_quoted in sources.includes(sources.read(root, path)):
            fault = judge(layers, room, header, is_quoted, public_headers)
            if fault:
                yield f"{path}:{line}: {header}: {fault}"


def check_public(root, public_headers):
    for path in sources.source_files(root, ["include"]):
        for line, header, is_quoted in sources.includes(sources.read(root, path)):
            if header not in public_headers and (is_quoted or not is_standard(header)):
                yield f"{path}:{line}: {header}: a public header includes only palena/ and the standard library"


def cmake_rooms(root, layers):
    """(path, room, rooms that it depends on) of every palena_room() call and every other mention
    of a room's target in the CMakeLists.txt of a room."""
    for path in sorted((root / "src").glob("*/CMakeLists.txt")):
        text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
        named = set(re.findall(r"\bpalena_(\w+)", text)) & set(layers.rank)
        call = re.search(r"palena_room\(\s*(\w+)(.*?)\)", text, re.S)
        if call:
            deps = re.search(r"\bDEPS\b((?:\s+[a-z]\w*)*)", call.group(2))
            named |= set(deps.group(1).split()) if deps else set()
        room = call.group(1) if call else path.parent.name
        yield path.relative_to(root), room, named - {room}


def check_cmake(root, layers):
    for path, room, deps in cmake_rooms(root, layers):
        if room not in layers.rank:
            yield f"{path}: {room} is no room of scripts/layers.txt"
            continue
        if room != path.parent.name:
            yield f"{path}: room {room} in folder {path.parent.name}"
        for dep in sorted(deps):
            if dep not in layers.rank:
                yield f"{path}: {dep} is no room of scripts/layers.txt"
            elif not layers.is_lower(room, dep):
                yield f"{path}: {room} depends on {dep}, which is not of a lower rank"


def reachable(room, deps):
    found, todo = set(), [room]
    while todo:
        for dep in deps.get(todo.pop(), ()):
            if dep not in found:
                found.add(dep)
                todo.append(dep)
    return found


def check_declared(root, layers):
    """What is included must be declared to CMake, directly or through another room."""
    deps = {room: named for _, room, named in cmake_rooms(root, layers)}
    for path in sources.source_files(root, ["src"]):
        room = path.parts[1]
        if room not in deps:
            continue
        known = reachable(room, deps) | {room}
        for line, header, is_quoted in sources.includes(sources.read(root, path)):
            other = room_of_header(layers, header) if is_quoted else None
            if other and other not in known and not header.startswith(PUBLIC):
                yield f"{path}:{line}: {header}: src/{room}/CMakeLists.txt names no dependency on {other}"


def check(root):
    layers = Layers(sources.read(root, "scripts/layers.txt"))
    public_headers = {
        str(path.relative_to("include")) for path in sources.source_files(root, ["include"])
    }
    return [
        *check_rooms(root, layers, public_headers),
        *check_public(root, public_headers),
        *check_cmake(root, layers),
        *check_declared(root, layers),
    ]


if __name__ == "__main__":
    sources.main("check_layers", check)
