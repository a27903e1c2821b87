# Settings that hold for every target: C++20, strict warnings, one sanitizer switch.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

set(PALENA_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined or thread")
option(PALENA_FUZZ "Build the fuzz targets for libFuzzer, and only them by default; needs clang" OFF)
option(PALENA_WERROR "Treat warnings as errors" ON)

find_program(PALENA_CCACHE ccache)
if(PALENA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${PALENA_CCACHE}")
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                    -Wconversion -Wno-sign-conversion -Wimplicit-fallthrough
                    -fstack-protector-strong
                    -fno-semantic-interposition) # nobody replaces our functions at load time: inline
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict) # g++ 12 sees overlaps in std::string that are not there
endif()
if(PALENA_WERROR)
  add_compile_options(-Werror)
endif()
add_link_options(-Wl,-z,relro,-z,now)

if(PALENA_SANITIZE)
  add_compile_options(-fsanitize=${PALENA_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PALENA_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 reports false positives of these three under instrumentation.
    add_compile_options(-Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds)
  endif()
elseif(CMAKE_BUILD_TYPE STREQUAL "Release" OR CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  add_compile_definitions(_FORTIFY_SOURCE=2)
endif()
if(PALENA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
