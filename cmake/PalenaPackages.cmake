# Every third-party library in one place; which room may use it: scripts/layers.txt.

find_package(Threads REQUIRED)
find_package(absl REQUIRED)
find_package(Protobuf REQUIRED)          # module mode: Debian's 3.21 ships no config file
find_package(Asio REQUIRED)              # cmake/FindAsio.cmake
find_package(RocksDB CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(Boost REQUIRED)             # headers alone
find_package(GTest REQUIRED)
find_package(Boost REQUIRED)             # headers of whole numbers of any size; tests only
find_package(benchmark REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(EDIT REQUIRED IMPORTED_TARGET libedit)
