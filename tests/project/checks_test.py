"""Tests of the project checks: each must pass a good tree and refuse the bad ones. A check that
cannot fail shows nothing."""

import tempfile
import unittest
from pathlib import Path

import check_faults
import check_headers
import check_layers
import check_readme
import check_sizes
import sources

LAYERS = """
# rank room third party
0 base  absl/status sodium
1 model
2 store rocksdb
2 wire  google/protobuf palena/v1
3 node
"""

GOOD_TREE = {
    "scripts/layers.txt": LAYERS,
    "include/palena/result.h": "#pragma once\n#include <string>\n",
    "include/palena/node.h": '#pragma once\n#include "palena/result.h"\n',
    "src/base/status.h": '#pragma once\n#include "absl/status/status.h"\n#include <sys/types.h>\n',
    "src/base/hash.cc": '#include <sodium.h>\n#include <netinet/in.h>\n',
    "src/base/CMakeLists.txt": "palena_room(base SOURCES hash.cc)\n",
    "src/model/value.h": '#pragma once\n#include "absl/strings/str_cat.h"\n',
    "src/model/CMakeLists.txt": "palena_room(model\n  SOURCES a.cc\n  DEPS base)\n",
    "src/store/log.h": '#pragma once\n#include "model/value.h"\n',
    "src/store/log.cc": '#include "store/log.h"\n#include <rocksdb/db.h>\n#include "base/status.h"\n',
    "src/store/CMakeLists.txt": "palena_room(store SOURCES log.cc DEPS model LIBRARIES RocksDB::rocksdb)\n",
    "src/wire/codec.cc": '#include "palena/v1/palena.pb.h"\n#include "google/protobuf/arena.h"\n',
    "src/wire/CMakeLists.txt": "palena_room(wire SOURCES codec.cc DEPS base LIBRARIES palena_proto)\n",
    "src/node/node.cc": '#include "palena/node.h"\n#include "store/log.h"\n',
    "src/node/CMakeLists.txt": "palena_room(node SOURCES node.cc DEPS store)\n",
}


class TreeTest(unittest.TestCase):
    """Writes a tree into a folder of its own and runs a check over it."""

    def findings(self, check, tree):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in tree.items():
                file = Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            return list(check(Path(folder)))


class LayersTest(TreeTest):
    def with_file(self, path, text):
        return self.findings(check_layers.check, {**GOOD_TREE, path: text})

    def assert_refused(self, path, text, *words):
        findings = self.with_file(path, text)
        self.assertTrue(findings, f"{path} was not refused")
        for word in (path, *words):
            self.assertIn(word, findings[0])

    def test_a_tree_of_downward_arrows_passes(self):
        self.assertEqual(self.findings(check_layers.check, GOOD_TREE), [])

    def test_upward_includes_are_refused(self):
        self.assert_refused("src/base/a.cc", '#include "store/log.h"\n', "points up")

    def test_sideways_includes_are_refused(self):
        self.assert_refused("src/wire/a.h", '#include "store/log.h"\n', "points sideways")

    def test_angle_brackets_hide_nothing(self):
        self.assert_refused("src/base/a.cc", "#include <store/log.h>\n", "points up")

    def test_the_public_header_of_a_room_has_its_rank(self):
        self.assert_refused("src/store/a.cc", '#include "palena/node.h"\n', "points up")
        self.assertEqual(self.with_file("src/base/a.cc", '#include "palena/result.h"\n'), [])

    def test_third_party_headers_stay_in_their_room(self):
        self.assert_refused("src/node/a.cc", "#include <rocksdb/db.h>\n", "belongs to store alone")
        self.assert_refused("src/node/a.cc", "#include <boost/any.hpp>\n", "in no room's list")
        self.assert_refused("src/model/a.cc", '#include "absl/status/statusor.h"\n', "base alone")
        self.assert_refused("src/store/a.cc", '#include "palena/v1/palena.pb.h"\n', "wire alone")

    def test_a_prefix_is_a_whole_path_part(self):
        self.assert_refused("src/base/a.cc", "#include <sodium_more.h>\n", "in no room's list")

    def test_comments_include_nothing(self):
        text = '// #include "store/log.h"\n/*\n#include "store/log.h"\n*/\n'
        self.assertEqual(self.with_file("src/base/a.cc", text), [])

    def test_public_headers_leak_nothing(self):
        for header in ('"model/value.h"', '"absl/strings/str_cat.h"', "<asio.hpp>"):
            self.assert_refused("include/palena/a.h", f"#include {header}\n", "public header")

    def test_an_unknown_room_is_refused(self):
        self.assert_refused("src/attic/a.cc", "\n", "no room")

    def test_cmake_dependencies_follow_the_ranks(self):
        path = "src/model/CMakeLists.txt"
        self.assert_refused(path, "palena_room(model SOURCES a.cc DEPS base store)\n", "lower rank")
        self.assert_refused(path, "target_link_libraries(palena_model PUBLIC palena_node)\n", "node")
        self.assert_refused(path, "palena_room(model DEPS attic)\n", "attic is no room")

    def test_what_is_included_must_be_declared(self):
        findings = self.with_file("src/wire/a.cc", '#include "model/value.h"\n')
        self.assertIn("names no dependency on model", findings[0])


class HeadersTest(TreeTest):
    def test_a_source_that_includes_its_own_header_first_passes(self):
        self.assertEqual(self.findings(check_headers.check, GOOD_TREE), [])

    def test_a_header_that_may_lean_on_others_is_refused(self):
        tree = {"src/a/b.h": "#pragma once\n", "src/a/b.cc": '#include <map>\n#include "a/b.h"\n'}
        self.assertIn("must include a/b.h first", self.findings(check_headers.check, tree)[0])

    def test_a_header_without_pragma_once_is_refused(self):
        self.assertEqual(len(self.findings(check_headers.check, {"src/a/b.h": "int x;\n"})), 1)


def function(lines, head="int F()"):
    return f"{head} {{\n" + "  Step();\n" * (lines - 2) + "}\n"


class SizesTest(TreeTest):
    def sizes(self, text, path="src/a/b.cc", listed=""):
        return self.findings(check_sizes.check, {path: text, "scripts/sizes.txt": listed})

    def test_a_function_of_70_lines_passes_and_one_of_71_is_refused(self):
        self.assertEqual(self.sizes(function(70)), [])
        self.assertEqual(self.sizes(function(71)), ["function src/a/b.cc F: 71 lines, at most 70"])

    def test_a_file_of_700_lines_passes_and_one_of_701_is_refused(self):
        self.assertEqual(self.sizes("\n" * 700), [])
        self.assertEqual(len(self.sizes("\n" * 701)), 1)

    def test_a_public_header_may_have_300_lines(self):
        self.assertEqual(self.sizes("\n" * 300, "include/palena/a.h"), [])
        self.assertEqual(len(self.sizes("\n" * 301, "include/palena/a.h")), 1)

    def test_every_form_of_function_is_measured(self):
        for head in (
            "TEST(RoomTest, Claim)",
            "std::string Room::Name(int a,\n  int b) const noexcept",
            "template <typename T>\nauto F(T a) -> std::vector<T>",
            "Room::Room(int a)\n    : a_(a), b_{a}, c_(a)",
            "Room::Room(int a) : b_{a}",
            "bool operator==(const A& a, const B& b)",
            "Room& operator=(const Room& other)",
            "Room::~Room()",
            "int F(int a = 5)",
        ):
            self.assertEqual(len(self.sizes("namespace n {\n" + function(80, head) + "}\n")), 1, head)
            member = "class C : public B {\n public:\n  int a() const { return 1; }\n"
            self.assertEqual(len(self.sizes(member + function(80, head) + "};\n")), 1, head)

    def test_what_is_no_function_is_not_measured(self):
        for head in ("namespace n", "class C : public Base<int>", "enum class E : int",
                     "constexpr int kTable[] =", 'extern "C"', "struct S", "union U"):
            self.assertEqual(self.sizes(f"{head} {{\n" + "// row\n" * 100 + "};\n"), [], head)

    def test_two_short_functions_are_not_one_long_one(self):
        self.assertEqual(self.sizes(function(60) + "\n" + function(60, "int G(int a)")), [])

    def test_a_lambda_counts_for_its_owner(self):
        text = "int F() {\n  auto g = [&](int a) {\n" + "  Step();\n" * 70 + "  };\n}\n"
        self.assertIn("function src/a/b.cc F: 74 lines", self.sizes(text)[0])

    def test_braces_in_literals_comments_and_macros_do_not_count(self):
        body = '  Step("{", \'{\', R"x({{)x");  // {\n' * 30
        text = "#define F(x) \\\n  int x() {\n" + "int F() {\n" + body + "}\n" + function(60, "int G()")
        self.assertEqual(self.sizes(text), [])

    def test_a_listed_offender_may_not_grow(self):
        self.assertEqual(self.sizes(function(90), listed="function src/a/b.cc F 90\n"), [])
        self.assertEqual(len(self.sizes(function(91), listed="function src/a/b.cc F 90\n")), 1)

    def test_a_list_that_says_too_much_is_refused(self):
        findings = self.sizes(function(80), listed="function src/a/b.cc F 90\n")
        self.assertIn("run --tighten", findings[0])
        findings = self.sizes(function(20), listed="function src/a/b.cc F 90\n")
        self.assertIn("offends no more", findings[0])

    def test_tighten_lowers_and_drops_but_never_raises(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "src").mkdir()
            (root / "scripts").mkdir()
            (root / "src/b.cc").write_text(
                function(80) + function(95, "int G()") + function(9, "int H()"))
            (root / "scripts/sizes.txt").write_text(
                "# head\nfunction src/b.cc F 90\nfunction src/b.cc G 90\nfunction src/b.cc H 90\n")
            check_sizes.tighten(root)
            self.assertEqual((root / "scripts/sizes.txt").read_text(),
                             "# head\nfunction src/b.cc F 80\nfunction src/b.cc G 90\n")


class ReadmeTest(TreeTest):
    def readme(self, text):
        return self.findings(check_readme.check, {
            "Makefile": "build: setup\ntest-asan:\nsetup:\n", "README.md": text,
            "src/app/CMakeLists.txt": "add_executable(palenad a.cc)\n", "docs/wire.md": ""})

    def test_what_exists_may_be_named(self):
        self.assertEqual(self.readme(
            "`make build` then\n```sh\nmake test-asan LIMIT=7 -j2\nbuild/release/bin/palenad --help\n```\n"
            "see `docs/wire.md`, `src/*/CMakeLists.txt`, `src/<room>`; we make sense, `make` too\n"), [])

    def test_only_cpp_that_an_example_holds_may_be_shown(self):
        tree = {"Makefile": "", "README.md": "x\n```cpp\nint b();\n```\n"}
        self.assertIn("README.md:2", self.findings(check_readme.check, tree)[0])
        tree["examples/e/a.cc"] = "int a();\nint b();\nint c();\n"
        self.assertEqual(self.findings(check_readme.check, tree), [])

    def test_what_does_not_exist_may_not(self):
        self.assertIn("make bild", self.readme("`make bild`\n")[0])
        self.assertIn("README.md:2", self.readme("\n```\nmake build\nmake bild\n```\n")[0])
        self.assertIn("docs/wires.md", self.readme("see `docs/wires.md`.\n")[0])
        self.assertIn("palena-x", self.readme("`build/release/bin/palena-x`\n")[0])


class FaultsTest(TreeTest):
    ROW = "| A-1 | it broke | held by `GoodTest.Holds` | `tests/a/` |\n"

    def faults(self, *rows):
        return self.findings(check_faults.check, {
            "docs/faults.md": "| id |\n|---|\n" + "".join(rows),
            "tests/faults/reports.txt": "# ids\nA-1\nA-2\n",
            "tests/a/a_test.cc": "TEST_P(GoodTest, Holds) {\n}\nTEST(GoodTest,\n     HoldsToo) {\n}\n"})

    def test_a_verdict_names_tests_that_there_are_or_a_reason(self):
        other = "| A-2 | it broke | {} | |\n"
        for verdict in ("held by `GoodTest.HoldsToo`: why", "cannot apply: no such thing",
                        "was wrong, mended in `src/a.cc`: `GoodTest.Holds`"):
            self.assertEqual(self.faults(self.ROW, other.format(verdict)), [], verdict)
        for verdict in ("held by `GoodTest.Breaks`", "held by luck", "cannot apply", "fine", "",
                        "held by `GoodTest.Holds`, `NoTest.Holds`", "was wrong, mended in `src/a.cc`"):
            findings = self.faults(self.ROW, other.format(verdict))
            self.assertEqual(len(findings), 1, verdict)
            self.assertIn("A-2", findings[0])

    def test_every_report_has_one_row_of_four_cells_and_no_other_has(self):
        second, third = self.ROW.replace("A-1", "A-2"), self.ROW.replace("A-1", "A-3")
        self.assertEqual(self.faults(self.ROW, second), [])
        self.assertIn("A-2 has no row", self.faults(self.ROW)[0])
        self.assertIn("A-3 is not in", self.faults(self.ROW, second, third)[0])
        self.assertIn("A-2 has two rows", self.faults(self.ROW, second, second)[0])
        self.assertIn("A-2", self.faults(self.ROW, "| A-2 | it broke | held by `GoodTest.Holds` |\n")[0])


class TextTest(unittest.TestCase):
    def test_literals_and_comments_vanish_but_lines_stay(self):
        text = 'a /* {\n */ b "{" // {\n c 1\'000\'000 \'{\' R"(\n{)" d\n'
        code = sources.code_only(text)
        self.assertNotIn("{", code)
        self.assertIn("1'000'000", code)
        self.assertEqual(code.count("\n"), text.count("\n"))


if __name__ == "__main__":
    unittest.main()
