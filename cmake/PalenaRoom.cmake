# A room of src/: folder = namespace = library target `palena_<room>`.
#
#   palena_room(store SOURCES table.cc … DEPS model … LIBRARIES RocksDB::rocksdb)
#
# DEPS are rooms of lower rank (scripts/layers.txt; tests/project checks the includes).
function(palena_room room)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LIBRARIES" ${ARGN})
  if(ARG_SOURCES)
    add_library(palena_${room} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
  else()
    add_library(palena_${room} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(palena_${room} ${scope}
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>" "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
  foreach(dep IN LISTS ARG_DEPS)
    target_link_libraries(palena_${room} ${scope} palena_${dep})
  endforeach()
  target_link_libraries(palena_${room} ${scope} ${ARG_LIBRARIES})
endfunction()

# One test binary per room, `<room>_test`, run by ctest as a whole.
#   palena_test(store SOURCES table_test.cc … DEPS store … [TIMEOUT seconds])
function(palena_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPS;LIBRARIES" ${ARGN})
  add_executable(${name}_test ${ARG_SOURCES})
  target_include_directories(${name}_test PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${name}_test PRIVATE
    PALENA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" PALENA_BINARY_DIR="${PROJECT_BINARY_DIR}")
  foreach(dep IN LISTS ARG_DEPS)
    target_link_libraries(${name}_test PRIVATE palena_${dep})
  endforeach()
  target_link_libraries(${name}_test PRIVATE ${ARG_LIBRARIES} GTest::gmock_main)
  add_test(NAME ${name} COMMAND ${name}_test)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(PALENA_SANITIZE)
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 5")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  if(PALENA_SANITIZE MATCHES "thread")
    set_tests_properties(${name} PROPERTIES
      ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
  endif()
endfunction()

# A google-benchmark binary `<name>_bench`.
function(palena_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name}_bench ${ARG_SOURCES})
  target_include_directories(${name}_bench PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${name}_bench PRIVATE PALENA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  foreach(dep IN LISTS ARG_DEPS)
    target_link_libraries(${name}_bench PRIVATE palena_${dep})
  endforeach()
  target_link_libraries(${name}_bench PRIVATE benchmark::benchmark_main)
endfunction()
